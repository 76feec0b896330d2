package io.lazuli.conformance.blob.rest;

import static io.lazuli.conformance.blob.Refusal.refused;
import static io.lazuli.conformance.wire.AnswerAssert.expect;
import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.conformance.Area;
import io.lazuli.conformance.Covers;
import io.lazuli.conformance.Differs;
import io.lazuli.conformance.Documented;
import io.lazuli.conformance.SeenOn;
import io.lazuli.conformance.StorageService;
import io.lazuli.conformance.blob.BlobListing;
import io.lazuli.conformance.blob.ScratchContainer;
import io.lazuli.conformance.wire.Keys;
import io.lazuli.conformance.wire.WireRequest;
import io.lazuli.conformance.wire.XmlElement;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Blobs in the archive, and blobs on their way out of it. In Azure the way takes hours, so no case
 * waits for the end.
 */
@Covers(value = Area.OPERATIONS, service = StorageService.BLOB)
class ArchiveConformanceTest {

  private final ScratchContainer container = ScratchContainer.create();

  ArchiveConformanceTest() {
    expect(container.put("b", "content").header("x-ms-access-tier", "Archive").send()).status(201);
  }

  private WireRequest tier(String tier) {
    return container.on("PUT", "b", "comp=tier").header("x-ms-access-tier", tier);
  }

  @ParameterizedTest
  @ValueSource(strings = {"metadata", "properties", "snapshot"})
  @Documented("blob-features 4.6: an archived blob cannot be changed")
  @Differs("Azurite 3.37.0 refuses only reads")
  void anArchivedBlobCannotBeChanged(String operation) {
    refused(container.on("PUT", "b", "comp=" + operation).send(), 409, "BlobArchived");
  }

  @Test
  @Documented("blob-features 4.6: an archived blob cannot be read")
  void anArchivedBlobCannotBeRead() {
    String text = "This operation is not permitted on an archived blob.";
    refused(container.get("b").send(), 409, "BlobArchived", text);
    refused(container.get("b").header("x-ms-range", "bytes=0-1").send(), 409, "BlobArchived", text);
  }

  @Test
  @Documented("blob-features 4.6: what is allowed with an archived blob")
  void anArchivedBlobCanBeDescribedReplacedAndDeleted() {
    assertThat(container.property("b", "x-ms-access-tier")).isEqualTo("Archive");
    expect(container.on("GET", "b", "comp=metadata").send()).status(200);
    expect(container.on("GET", "b", "comp=tags").send()).status(200);
    assertThat(BlobListing.of(container, "").properties("b").text("AccessTier"))
        .isEqualTo("Archive");
    expect(tier("Archive").send()).status(200);
    expect(container.put("b", "new").header("x-ms-access-tier", "Hot").send()).status(201);
    assertThat(container.content("b")).isEqualTo("new");
    expect(tier("Archive").send()).status(200);
    expect(container.delete("b").send()).status(202);
  }

  @ParameterizedTest
  @ValueSource(strings = {"Hot", "Cool", "Cold"})
  @Documented("blob-features 4.6: leaving the archive is 202 and takes time")
  @SeenOn(value = SeenOn.Service.AZURE, date = "2019")
  @Differs("Azurite 3.37.0 changes the tier at once")
  void leavingTheArchiveTakesTime(String target) {
    String archived = container.property("b", "x-ms-access-tier-change-time");
    String etag = container.property("b", "ETag");
    expect(tier(target).header("x-ms-rehydrate-priority", "High").send()).status(202);
    String status = "rehydrate-pending-to-" + target.toLowerCase(Locale.ROOT);
    expect(container.head("b").send())
        .header("x-ms-access-tier", "Archive")
        .header("x-ms-access-tier-change-time", archived)
        .header("x-ms-archive-status", status)
        .header("x-ms-rehydrate-priority", "High")
        .header("ETag", etag);
    XmlElement properties = BlobListing.of(container, "").properties("b");
    assertThat(properties.text("ArchiveStatus")).isEqualTo(status);
    assertThat(properties.text("RehydratePriority")).isEqualTo("High");
    assertThat(properties.names())
        .containsSubsequence(
            "BlobType", "AccessTier", "ArchiveStatus", "AccessTierChangeTime", "LeaseStatus")
        .endsWith("RehydratePriority");
    refused(container.get("b").send(), 409, "BlobArchived");
  }

  @Test
  @Documented("blob-features 4.6: asking again, for the same tier and for another")
  @Differs("Azurite 3.37.0 changes the tier at once")
  void aRehydrationIsAskedForAgain() {
    expect(tier("Hot").send()).status(202);
    expect(container.head("b").send()).header("x-ms-rehydrate-priority", "Standard");
    expect(tier("Hot").header("x-ms-rehydrate-priority", "High").send()).status(202);
    expect(container.head("b").send()).header("x-ms-rehydrate-priority", "High");
    refused(tier("Cool").send(), 409, "BlobBeingRehydrated");
  }

  @Test
  @Documented("blob-features 4.5: a priority without an archived blob is ignored")
  void aPriorityOfAnOnlineBlobIsIgnored() {
    container.stored("b2", "x");
    expect(cool("b2", "High").send()).status(200);
    expect(container.head("b2").send()).lacksHeader("x-ms-rehydrate-priority");
    refused(cool("b2", "soon").send(), 400, "InvalidHeaderValue");
  }

  private WireRequest cool(String blob, String priority) {
    return container
        .on("PUT", blob, "comp=tier")
        .header("x-ms-access-tier", "Cool")
        .header("x-ms-rehydrate-priority", priority);
  }

  @Test
  @Documented("blob-features 4.6: an archived snapshot")
  @Differs("Azurite 3.37.0 lets it leave the archive")
  void anArchivedSnapshotStaysArchived() {
    container.stored("s", "content");
    String snapshot = "snapshot=" + Keys.encode(container.snapshot("s"));
    String query = "comp=tier&" + snapshot;
    WireRequest archive = container.on("PUT", "s", query).header("x-ms-access-tier", "Archive");
    expect(archive.send()).status(200);
    refused(container.on("GET", "s", snapshot).send(), 409, "BlobArchived");
    assertThat(container.content("s")).isEqualTo("content");
    refused(
        container.on("PUT", "s", query).header("x-ms-access-tier", "Hot").send(),
        409,
        "BlobArchived");
  }

  @Test
  @Documented("blob-features 4.6: a copy to an online tier leaves the archive, other copies fail")
  @Differs("Azurite 3.37.0 copies at once")
  void aCopyLeavesTheArchive() {
    String source = container.url("b");
    for (List<String> headers :
        List.of(
            List.of("x-ms-meta-a", "b"),
            List.of("x-ms-access-tier", "Archive"),
            List.of("x-ms-requires-sync", "true"))) {
      WireRequest copy = container.copy("copy", source).header(headers.get(0), headers.get(1));
      refused(copy.send(), 409, "BlobArchived");
    }
    refused(
        container.copy("b", source).header("x-ms-access-tier", "Hot").send(), 409, "BlobArchived");
    expect(container.copy("copy", source).header("x-ms-access-tier", "Hot").send()).status(202);
    expect(container.head("copy").send())
        .header("x-ms-access-tier", "Archive")
        .header("x-ms-archive-status", "rehydrate-pending-to-hot");
    refused(container.get("copy").send(), 409, "BlobArchived");
  }

  @Test
  @Documented("blob-features 4.5: Smart is kept by name, with the tier that it stands for")
  @Differs("Azurite 3.37.0 does not know it")
  void theSmartTier() {
    WireRequest put =
        container
            .put("smart", "x")
            .header("x-ms-version", "2026-06-06")
            .header("x-ms-access-tier", "smart");
    expect(put.send()).status(201);
    expect(container.head("smart").header("x-ms-version", "2026-06-06").send())
        .header("x-ms-access-tier", "Smart")
        .header("x-ms-smart-access-tier", "Hot");
  }
}
