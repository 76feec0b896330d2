package io.lazuli.server.blob.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.server.http.RawConnection.Answer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The properties of a blob: metadata, tier, tags, snapshots, leases (blob-rest 5, 10). */
class BlobPropertiesWireTest extends BlobWire {
  @Test
  void metadataAndPropertiesAreReplaced() {
    put(blob, "x", "x-ms-meta-old: 1", "x-ms-blob-content-type: text/plain");
    Answer metadata = server.owner("PUT", blob + "?comp=metadata", "", "x-ms-meta-new: 2");
    assertThat(metadata.status()).isEqualTo(200);
    assertThat(metadata.header("x-ms-request-server-encrypted")).isEqualTo("true");
    Answer read = server.owner("GET", blob + "?comp=metadata", "");
    assertThat(read.header("x-ms-meta-new")).isEqualTo("2");
    assertThat(read.header("x-ms-meta-old")).isNull();
    assertThat(read.header("ETag")).isEqualTo(metadata.header("ETag"));
    assertThat(read.header("x-ms-blob-type")).isNull();
    Answer properties =
        server.owner("PUT", blob + "?comp=properties", "", "x-ms-blob-cache-control: no-cache");
    assertThat(properties.status()).isEqualTo(200);
    Answer changed = server.owner("HEAD", blob, "");
    assertThat(changed.header("Cache-Control")).isEqualTo("no-cache");
    assertThat(changed.header("Content-Type")).isNull();
    assertThat(changed.header("Content-MD5")).isNull();
    assertRefused(
        server.owner("PUT", blob + "?comp=properties", "", "x-ms-blob-content-length: 512"),
        409,
        "InvalidBlobType");
  }

  @Test
  void aTierIsKeptAndShown() {
    put(blob, "x");
    assertThat(server.owner("PUT", blob + "?comp=tier", "", "x-ms-access-tier: Cool").status())
        .isEqualTo(200);
    Answer read = server.owner("HEAD", blob, "");
    assertThat(read.header("x-ms-access-tier")).isEqualTo("Cool");
    assertThat(read.header("x-ms-access-tier-change-time")).endsWith("GMT");
    assertThat(read.header("x-ms-access-tier-inferred")).isNull();
    assertRefused(
        server.owner("PUT", blob + "?comp=tier", "", "x-ms-access-tier: Lukewarm"),
        400,
        "InvalidHeaderValue");
  }

  @Test
  void tagsGoBothWays() {
    put(blob, "x");
    String tags = HEAD + "<Tags><TagSet><Tag><Key>k</Key><Value>v w</Value></Tag></TagSet></Tags>";
    assertThat(server.owner("PUT", blob + "?comp=tags", tags).status()).isEqualTo(204);
    Answer read = server.owner("GET", blob + "?comp=tags", "");
    assertThat(read.body()).isEqualTo(tags);
    assertThat(read.header("Content-Type")).isEqualTo("application/xml");
  }

  @Test
  void snapshotsStayAsTheyWere() {
    put(blob, "first", "x-ms-meta-a: 1");
    Answer taken = server.owner("PUT", blob + "?comp=snapshot", "");
    assertThat(taken.status()).isEqualTo(201);
    assertThat(taken.header("x-ms-request-server-encrypted")).isEqualTo("false");
    String at = "snapshot=" + taken.header("x-ms-snapshot");
    put(blob, "second");
    Answer read = server.owner("GET", blob + "?" + at, "");
    assertThat(read.body()).isEqualTo("first");
    assertThat(read.header("x-ms-meta-a")).isEqualTo("1");
    assertThat(read.header("x-ms-lease-state")).isNull();
    assertRefused(server.owner("DELETE", blob, ""), 409, "SnapshotsPresent");
    assertRefused(put(blob + "?" + at, "x"), 400, "InvalidOperation");
    assertRefused(
        server.owner("DELETE", blob + "?" + at, "", "x-ms-delete-snapshots: include"),
        400,
        "InvalidQueryParameterValue");
    Answer gone = server.owner("DELETE", blob + "?" + at, "");
    assertThat(gone.status()).isEqualTo(202);
    assertThat(gone.header("x-ms-delete-type-permanent")).isEqualTo("true");
    assertThat(server.owner("DELETE", blob, "").status()).isEqualTo(202);
    Answer bad = server.owner("GET", blob + "?snapshot=yesterday", "");
    assertRefused(bad, 400, "InvalidQueryParameterValue");
    assertThat(bad.body())
        .contains("<Reason>Must be in the specific snapshot date time format.</Reason>");
    assertRefused(
        server.owner("GET", blob + "?" + at + "&versionid=1", ""),
        400,
        "MutuallyExclusiveQueryParameters");
  }

  @Test
  void aLeaseKeepsOthersOut() {
    put(blob, "x");
    String a = "d00f5a7b-5ad4-4d6f-8e8d-3a9c2a1e0a01";
    String b = "d00f5a7b-5ad4-4d6f-8e8d-3a9c2a1e0a02";
    Answer acquired = lease("acquire", "x-ms-lease-duration: 15", "x-ms-proposed-lease-id: " + a);
    assertThat(acquired.status()).isEqualTo(201);
    assertThat(acquired.header("x-ms-lease-id")).isEqualTo(a);
    assertThat(acquired.header("ETag")).startsWith("\"0x");
    String metadata = blob + "?comp=metadata";
    assertRefused(server.owner("PUT", metadata, ""), 412, "LeaseIdMissing");
    assertRefused(
        server.owner("PUT", metadata, "", "x-ms-lease-id: " + b),
        412,
        "LeaseIdMismatchWithBlobOperation");
    assertThat(server.owner("PUT", metadata, "", "x-ms-lease-id: " + a).status()).isEqualTo(200);
    Answer read = server.owner("HEAD", blob, "");
    assertThat(read.header("x-ms-lease-status")).isEqualTo("locked");
    assertThat(read.header("x-ms-lease-duration")).isEqualTo("fixed");
    Answer renewed = lease("renew", "x-ms-lease-id: " + a);
    assertThat(renewed.status()).isEqualTo(200);
    assertThat(renewed.header("x-ms-lease-id")).isEqualTo(a);
    Answer changed = lease("change", "x-ms-lease-id: " + a, "x-ms-proposed-lease-id: " + b);
    assertThat(changed.header("x-ms-lease-id")).isEqualTo(b);
    Answer broken = lease("break", "x-ms-lease-break-period: 5");
    assertThat(broken.status()).isEqualTo(202);
    assertThat(broken.header("x-ms-lease-time")).isEqualTo("5");
    assertThat(broken.header("x-ms-lease-id")).isNull();
    Answer released = lease("release", "x-ms-lease-id: " + b);
    assertThat(released.status()).isEqualTo(200);
    assertThat(released.header("x-ms-lease-id")).isNull();
    assertRefused(lease("acquire", "x-ms-lease-duration: 70"), 400, "InvalidHeaderValue");
  }

  private Answer lease(String action, String... more) {
    List<String> headers = new ArrayList<>(List.of(more));
    headers.add("x-ms-lease-action: " + action);
    return server.owner("PUT", blob + "?comp=lease", "", headers.toArray(String[]::new));
  }
}
