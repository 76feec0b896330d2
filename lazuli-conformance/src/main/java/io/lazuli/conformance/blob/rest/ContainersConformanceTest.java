package io.lazuli.conformance.blob.rest;

import static io.lazuli.conformance.blob.Refusal.refused;
import static io.lazuli.conformance.wire.AnswerAssert.expect;
import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.conformance.Area;
import io.lazuli.conformance.Covers;
import io.lazuli.conformance.Documented;
import io.lazuli.conformance.SeenOn;
import io.lazuli.conformance.StorageService;
import io.lazuli.conformance.blob.BlobListing;
import io.lazuli.conformance.blob.Refusal;
import io.lazuli.conformance.blob.ScratchContainer;
import io.lazuli.conformance.support.Patience;
import io.lazuli.conformance.wire.Keys;
import io.lazuli.conformance.wire.WireAnswer;
import io.lazuli.conformance.wire.WireRequest;
import io.lazuli.conformance.wire.XmlElement;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Containers: creation, deletion, listing and properties. */
@Covers(value = Area.OPERATIONS, service = StorageService.BLOB)
class ContainersConformanceTest {

  private final ScratchContainer container = ScratchContainer.named(ScratchContainer.freshName());

  private static XmlElement listed(String query) {
    WireAnswer answer = ScratchContainer.sharedWire().get("/?comp=list&" + query).send();
    expect(answer).status(200);
    return XmlElement.rootOf(answer);
  }

  private static List<String> names(XmlElement listing) {
    return listing.child("Containers").children().stream().map(each -> each.text("Name")).toList();
  }

  @Test
  @Documented("blob-rest 9.2: creation")
  void aContainerIsCreatedOnce() {
    WireAnswer answer = container.on("PUT", "").header("x-ms-meta-owner", "ann").send();
    expect(answer).status(201).hasHeader("ETag").hasHeader("Last-Modified").emptyBody();
    refused(
        container.on("PUT", "").send(),
        409,
        "ContainerAlreadyExists",
        "The specified container already exists.");
    expect(container.on("GET", "").send())
        .header("x-ms-meta-owner", "ann")
        .header("ETag", answer.etag());
  }

  @ParameterizedTest
  @ValueSource(strings = {"GET", "HEAD"})
  @Documented("blob-rest 9.4: the headers of a container")
  @SeenOn(value = SeenOn.Service.AZURE, date = "2020 to 2023")
  void thePropertiesOfAContainer(String verb) {
    container.created();
    expect(container.on(verb, "").send())
        .status(200)
        .hasHeader("ETag")
        .hasHeader("Last-Modified")
        .header("x-ms-lease-status", "unlocked")
        .header("x-ms-lease-state", "available")
        .header("x-ms-has-immutability-policy", "false")
        .header("x-ms-has-legal-hold", "false")
        .header("x-ms-default-encryption-scope", "$account-encryption-key")
        .header("x-ms-deny-encryption-scope-override", "false")
        .header("x-ms-immutable-storage-with-versioning-enabled", "false")
        .lacksHeader("x-ms-lease-duration")
        .lacksHeader("x-ms-blob-public-access")
        .emptyBody();
  }

  @Test
  @Documented("blob-rest 9.5, 9.4, 2.1: metadata is replaced")
  void theMetadataOfAContainerIsReplaced() {
    container.created();
    String before = container.on("GET", "").send().etag();
    WireAnswer set = container.on("PUT", "comp=metadata").header("x-ms-meta-a", "1").send();
    expect(set).status(200).hasHeader("Last-Modified").emptyBody();
    assertThat(set.etag()).isNotEqualTo(before);
    expect(container.on("GET", "comp=metadata").send())
        .status(200)
        .header("ETag", set.etag())
        .header("x-ms-meta-a", "1")
        .lacksHeader("x-ms-lease-state");
    expect(container.on("PUT", "comp=metadata").header("x-ms-meta-b", "2").send()).status(200);
    expect(container.on("HEAD", "comp=metadata").send())
        .header("x-ms-meta-b", "2")
        .lacksHeader("x-ms-meta-a");
    expect(container.on("PUT", "comp=metadata").send()).status(200);
    expect(container.on("GET", "").send()).lacksHeader("x-ms-meta-b");
  }

  @Test
  @Documented("blob-rest 2.1: blobs do not change their container")
  void blobsLeaveTheTagOfTheirContainerAlone() {
    container.created();
    String before = container.on("GET", "").send().etag();
    container.stored("b", "x");
    expect(container.delete("b").send()).status(202);
    expect(container.on("GET", "").send()).header("ETag", before);
  }

  @Test
  @Documented("blob-rest 9.3: deletion removes everything at once")
  void deletionTakesEverythingAlong() {
    container.created();
    container.stored("b", "x");
    container.snapshot("b");
    expect(container.block("c", "1", "x").send()).status(201);
    expect(container.on("DELETE", "").send()).status(202).emptyBody();
    refused(container.on("GET", "").send(), 404, "ContainerNotFound");
    refused(container.get("b").send(), 404, "ContainerNotFound");
    refused(container.list("").send(), 404, "ContainerNotFound");
    refused(container.on("DELETE", "").send(), 404, "ContainerNotFound");
  }

  @Test
  @Documented("blob-rest 9.2: the name is free again, and the new container is empty")
  void aNameIsFreeAgain() {
    container.created();
    container.stored("b", "x");
    expect(container.on("DELETE", "").send()).status(202);
    Patience.eventually(() -> expect(container.on("PUT", "").send()).status(201));
    assertThat(BlobListing.of(container, "include=uncommittedblobs,snapshots").items()).isEmpty();
    refused(container.get("b").send(), 404, "BlobNotFound");
  }

  @ParameterizedTest
  @ValueSource(strings = {"A-Upper", "a_b", "-ab", "ab-", "a--b", "a.b", "%C3%BCber"})
  @Documented("blob-rest 9.1: characters of names")
  @SeenOn(value = SeenOn.Service.AZURE, date = "2020 to 2023")
  void aNameHasItsCharacters(String name) {
    WireRequest create = container.wire().request("PUT", "/" + name + "?restype=container");
    refused(
        create.header("Content-Length", "0").send(),
        400,
        "InvalidResourceName",
        "The specifed resource name contains invalid characters.");
  }

  @Test
  @Documented("blob-rest 9.1: lengths of names")
  void aNameHas3To63Characters() {
    for (String name : List.of("ab", "a".repeat(64))) {
      WireRequest create = container.wire().request("PUT", "/" + name + "?restype=container");
      refused(create.header("Content-Length", "0").send(), 400, "OutOfRangeInput");
    }
    String longest = (container.name() + "x".repeat(63)).substring(0, 63);
    ScratchContainer.named(longest).created();
  }

  @Test
  @Documented("blob-rest 8.1: the elements of the listing, with a quoted ETag")
  @SeenOn(value = SeenOn.Service.AZURE, date = "2020 to 2023")
  void containersAreListed() {
    expect(
            container
                .on("PUT", "")
                .header("x-ms-meta-owner", "ann")
                .header("x-ms-blob-public-access", "blob")
                .send())
        .status(201);
    XmlElement listing = listed("prefix=" + container.name());
    assertThat(listing.attributes())
        .containsEntry("ServiceEndpoint", container.wire().account().base() + "/");
    assertThat(listing.names()).containsExactly("Prefix", "Containers", "NextMarker");
    XmlElement entry = listing.child("Containers").child("Container");
    assertThat(entry.names()).containsExactly("Name", "Properties");
    assertThat(entry.child("Properties").texts())
        .containsEntry("Etag", container.on("GET", "").send().etag())
        .containsEntry("LeaseStatus", "unlocked")
        .containsEntry("LeaseState", "available")
        .containsEntry("PublicAccess", "blob")
        .containsEntry("DefaultEncryptionScope", "$account-encryption-key")
        .containsEntry("DenyEncryptionScopeOverride", "false")
        .containsEntry("HasImmutabilityPolicy", "false")
        .containsEntry("HasLegalHold", "false")
        .containsEntry("ImmutableStorageWithVersioningEnabled", "false")
        .containsKey("Last-Modified");
    XmlElement with = listed("include=metadata&prefix=" + container.name());
    assertThat(with.child("Containers").child("Container").child("Metadata").texts())
        .containsEntry("owner", "ann");
  }

  @Test
  @Covers(Area.PAGING)
  @Documented("blob-rest 8.1: pages in ordinal order")
  void containersAreListedInPages() {
    String prefix = container.name().substring(0, 20);
    List<String> all = List.of(prefix + "-a", prefix + "0", prefix + "b", prefix + "c1");
    all.forEach(name -> ScratchContainer.named(name).created());
    XmlElement first = listed("maxresults=3&prefix=" + prefix);
    assertThat(names(first)).isEqualTo(all.subList(0, 3));
    assertThat(first.text("NextMarker")).isNotEmpty();
    XmlElement second =
        listed(
            "maxresults=3&prefix=" + prefix + "&marker=" + Keys.encode(first.text("NextMarker")));
    assertThat(names(second)).isEqualTo(all.subList(3, 4));
    assertThat(second.text("NextMarker")).isEmpty();
    assertThat(second.names())
        .containsExactly("Prefix", "Marker", "MaxResults", "Containers", "NextMarker");
  }

  @Test
  @Covers(Area.PAGING)
  @Documented(
      "blob-features 10.2 A15: testListContainersResultSegment of azure-storage 8 for Java sends 9001")
  void theMaximumPageSizeIs5000() {
    assertThat(listed("maxresults=9001&prefix=" + container.name()).text("MaxResults"))
        .isEqualTo("5000");
  }

  @Test
  @Documented("blob-rest 8.1: a page size of 0, and invalid markers")
  @SeenOn(value = SeenOn.Service.AZURE, date = "2020 to 2023")
  void theParametersOfAListingAreChecked() {
    refused(
        container.wire().get("/?comp=list&maxresults=0").send(),
        400,
        "OutOfRangeQueryParameterValue");
    refused(container.wire().get("/?comp=list&marker=nonsense").send(), 400, "OutOfRangeInput");
    assertThat(names(listed("prefix=" + container.name()))).isEmpty();
    assertThat(listed("prefix=&include=&maxresults=1").text("NextMarker")).isNotNull();
  }

  @Test
  @Documented("blob-rest 8.1: the listing shows the lease of a container")
  void aLeasedContainerIsListedAsSuch() {
    container.created();
    expect(
            container
                .on("PUT", "comp=lease")
                .header("x-ms-lease-action", "acquire")
                .header("x-ms-lease-duration", "60")
                .send())
        .status(201);
    XmlElement entry = listed("prefix=" + container.name()).child("Containers").child("Container");
    assertThat(entry.child("Properties").texts())
        .containsEntry("LeaseStatus", "locked")
        .containsEntry("LeaseState", "leased")
        .containsEntry("LeaseDuration", "fixed");
  }

  @Test
  @Covers(Area.ACCESS)
  @Documented("blob-rest 9.6: policies and the level of access")
  void theAccessPoliciesOfAContainer() {
    container.created();
    WireAnswer none = container.on("GET", "comp=acl").send();
    expect(none).status(200).hasHeader("ETag").lacksHeader("x-ms-blob-public-access");
    assertThat(XmlElement.rootOf(none).names()).isEmpty();
    String policy =
        "<SignedIdentifier><Id>one</Id><AccessPolicy><Start>2020-01-01T00:00:00.0000000Z</Start>"
            + "<Expiry>2050-01-01T00:00:00.0000000Z</Expiry><Permission>rl</Permission>"
            + "</AccessPolicy></SignedIdentifier>";
    WireAnswer set =
        container
            .on("PUT", "comp=acl")
            .header("x-ms-blob-public-access", "container")
            .body("<SignedIdentifiers>" + policy + "</SignedIdentifiers>")
            .send();
    expect(set).status(200).hasHeader("Last-Modified");
    assertThat(set.etag()).isNotEqualTo(none.etag());
    WireAnswer read = container.on("GET", "comp=acl").send();
    expect(read).header("x-ms-blob-public-access", "container").header("ETag", set.etag());
    XmlElement identifier = XmlElement.rootOf(read).child("SignedIdentifier");
    assertThat(identifier.text("Id")).isEqualTo("one");
    assertThat(identifier.child("AccessPolicy").text("Permission")).isEqualTo("rl");
    expect(container.on("HEAD", "comp=acl").send())
        .status(200)
        .header("x-ms-blob-public-access", "container");
    expect(container.on("PUT", "comp=acl").body("<SignedIdentifiers />").send()).status(200);
    WireAnswer cleared = container.on("GET", "comp=acl").send();
    expect(cleared).lacksHeader("x-ms-blob-public-access");
    assertThat(XmlElement.rootOf(cleared).names()).isEmpty();
    expect(container.on("PUT", "comp=acl").send()).status(200);
  }

  @Test
  @Covers(Area.ACCESS)
  @Documented("blob-rest 9.6, 15: five policies and no more; invalid access levels")
  void theAccessPoliciesAreChecked() {
    container.created();
    StringBuilder policies = new StringBuilder("<SignedIdentifiers>");
    for (int i = 0; i < 6; i++) {
      policies.append("<SignedIdentifier><Id>" + i + "</Id></SignedIdentifier>");
    }
    expect(container.on("PUT", "comp=acl").body(policies + "</SignedIdentifiers>").send())
        .refused();
    Refusal.headerRefused(
        container.on("PUT", "comp=acl").header("x-ms-blob-public-access", "all").send(),
        "x-ms-blob-public-access",
        "all");
    refused(container.on("PUT", "comp=acl").body("<Signed").send(), 400, "InvalidXmlDocument");
  }
}
