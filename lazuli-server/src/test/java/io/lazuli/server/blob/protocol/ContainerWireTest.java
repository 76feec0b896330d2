package io.lazuli.server.blob.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.server.http.RawConnection.Answer;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The account, the service and containers (blob-rest 8 and 9). */
class ContainerWireTest extends BlobWire {
  @Test
  void theAccountIsDescribed() {
    for (String path : List.of("/", container, container + "/none")) {
      Answer answer = server.owner("HEAD", path + "?restype=account&comp=properties", "");
      assertThat(answer.status()).isEqualTo(200);
      assertThat(answer.header("x-ms-sku-name")).isEqualTo("Standard_LRS");
      assertThat(answer.header("x-ms-account-kind")).isEqualTo("StorageV2");
      assertThat(answer.header("x-ms-is-hns-enabled")).isEqualTo("false");
    }
  }

  @Test
  void theServiceHasPropertiesOfItsOwn() {
    String path = "?restype=service&comp=properties";
    String change =
        "<StorageServiceProperties><DeleteRetentionPolicy><Enabled>false</Enabled>"
            + "</DeleteRetentionPolicy><DefaultServiceVersion>2021-08-06</DefaultServiceVersion>"
            + "</StorageServiceProperties>";
    assertThat(server.owner("PUT", path, change).status()).isEqualTo(202);
    assertThat(server.owner("GET", path, "").body())
        .endsWith(
            "<Cors /><DeleteRetentionPolicy><Enabled>false</Enabled>"
                + "<AllowPermanentDelete>false</AllowPermanentDelete></DeleteRetentionPolicy>"
                + "<StaticWebsite><Enabled>false</Enabled></StaticWebsite>"
                + "<DefaultServiceVersion>2021-08-06</DefaultServiceVersion>"
                + "</StorageServiceProperties>");
    String nothing = "<StorageServiceProperties />";
    assertRefused(server.owner("PUT", path, nothing), 400, "InvalidXmlDocument");
    assertThat(server.owner("GET", "?restype=service&comp=stats", "").body())
        .contains("<Status>live</Status>");
  }

  @Test
  void aContainerShowsItsProperties() {
    String path = container + "?restype=container";
    assertRefused(server.owner("PUT", path, ""), 409, "ContainerAlreadyExists");
    Answer changed = server.owner("PUT", path + "&comp=metadata", "", "x-ms-meta-owner: ann");
    assertThat(changed.status()).isEqualTo(200);
    for (String method : List.of("GET", "HEAD")) {
      Answer read = server.owner(method, path, "");
      assertThat(read.status()).isEqualTo(200);
      assertThat(read.header("ETag")).isEqualTo(changed.header("ETag"));
      assertThat(read.header("x-ms-meta-owner")).isEqualTo("ann");
      assertThat(read.header("x-ms-lease-state")).isEqualTo("available");
      assertThat(read.header("x-ms-lease-status")).isEqualTo("unlocked");
      assertThat(read.header("x-ms-has-immutability-policy")).isEqualTo("false");
      assertThat(read.header("x-ms-has-legal-hold")).isEqualTo("false");
      assertThat(read.header("x-ms-default-encryption-scope")).isEqualTo("$account-encryption-key");
      assertThat(read.header("x-ms-blob-public-access")).isNull();
    }
    Answer metadata = server.owner("GET", path + "&comp=metadata", "");
    assertThat(metadata.header("x-ms-meta-owner")).isEqualTo("ann");
    assertThat(metadata.header("x-ms-lease-state")).isNull();
  }

  @Test
  void anAccessListGoesBothWays() {
    String path = container + "?restype=container&comp=acl";
    String list =
        HEAD
            + "<SignedIdentifiers><SignedIdentifier><Id>one</Id><AccessPolicy>"
            + "<Expiry>2034-01-01T00:00:00.0000000Z</Expiry><Permission>rl</Permission>"
            + "</AccessPolicy></SignedIdentifier></SignedIdentifiers>";
    Answer set = server.owner("PUT", path, list, "x-ms-blob-public-access: blob");
    assertThat(set.status()).isEqualTo(200);
    assertThat(set.header("ETag")).startsWith("\"0x");
    Answer read = server.owner("GET", path, "");
    assertThat(read.body()).isEqualTo(list);
    assertThat(read.header("x-ms-blob-public-access")).isEqualTo("blob");
    assertThat(server.owner("PUT", path, "").status()).isEqualTo(200);
    Answer cleared = server.owner("GET", path, "");
    assertThat(cleared.body()).isEqualTo(HEAD + "<SignedIdentifiers />");
    assertThat(cleared.header("x-ms-blob-public-access")).isNull();
  }

  @Test
  void aLeasedContainerIsDeletedByItsHolderOnly() {
    String path = container + "?restype=container";
    Answer acquired =
        server.owner(
            "PUT",
            path + "&comp=lease",
            "",
            "x-ms-lease-action: acquire",
            "x-ms-lease-duration: -1");
    assertThat(acquired.status()).isEqualTo(201);
    assertThat(server.owner("GET", path, "").header("x-ms-lease-duration")).isEqualTo("infinite");
    assertRefused(server.owner("DELETE", path, ""), 412, "LeaseIdMissing");
    String id = "x-ms-lease-id: " + acquired.header("x-ms-lease-id");
    assertThat(server.owner("DELETE", path, "", id).status()).isEqualTo(202);
    assertRefused(server.owner("GET", path, ""), 404, "ContainerNotFound");
  }

  @Test
  void containersAreListedAsTheLiveServiceDoes() {
    server.owner("PUT", "/" + name + "-x?restype=container", "", "x-ms-meta-owner: ann");
    Answer first =
        server.owner("GET", "/?comp=list&include=metadata&maxresults=1&prefix=" + name, "");
    assertThat(first.body())
        .matches(
            "\\Q"
                + HEAD
                + "\\E<EnumerationResults ServiceEndpoint=\"http://localhost/devstoreaccount1/\">"
                + "<Prefix>"
                + name
                + "</Prefix><MaxResults>1</MaxResults><Containers><Container><Name>"
                + name
                + "</Name><Properties><Last-Modified>[^<]+ GMT</Last-Modified>"
                + "<Etag>\"0x[0-9A-F]+\"</Etag><LeaseStatus>unlocked</LeaseStatus>"
                + "<LeaseState>available</LeaseState>\\Q<DefaultEncryptionScope>"
                + "$account-encryption-key</DefaultEncryptionScope><DenyEncryptionScopeOverride>"
                + "false</DenyEncryptionScopeOverride><HasImmutabilityPolicy>false"
                + "</HasImmutabilityPolicy><HasLegalHold>false</HasLegalHold>"
                + "<ImmutableStorageWithVersioningEnabled>false"
                + "</ImmutableStorageWithVersioningEnabled></Properties><Metadata /></Container>"
                + "</Containers><NextMarker>/devstoreaccount1/"
                + name
                + "-x</NextMarker></EnumerationResults>\\E");
    Answer next =
        server.owner(
            "GET", "?comp=list&include=metadata&prefix=" + name + "&marker=" + marker(first), "");
    assertThat(next.body()).contains("<Metadata><owner>ann</owner></Metadata>", "<NextMarker />");
    assertRefused(server.owner("GET", "?comp=list&marker=x", ""), 400, "OutOfRangeInput");
    assertRefused(
        server.owner("GET", "?comp=list&maxresults=0", ""), 400, "OutOfRangeQueryParameterValue");
  }
}
