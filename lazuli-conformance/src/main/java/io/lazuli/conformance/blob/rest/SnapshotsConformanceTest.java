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
import io.lazuli.conformance.wire.Keys;
import io.lazuli.conformance.wire.WireAnswer;
import io.lazuli.conformance.wire.WireRequest;
import io.lazuli.conformance.wire.XmlElement;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Snapshots, and deleting blobs with and without snapshots. */
@Covers(value = Area.OPERATIONS, service = StorageService.BLOB)
class SnapshotsConformanceTest {

  private static final String TIME = "\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{7}Z";

  private final ScratchContainer container = ScratchContainer.create();

  private WireRequest on(String verb, String snapshot) {
    return container.on(verb, "b", "snapshot=" + Keys.encode(snapshot));
  }

  @Test
  @Documented("blob-rest 10.7: the headers of the answer")
  @SeenOn(value = SeenOn.Service.AZURE, date = "2020 to 2023")
  void aSnapshotIsAnsweredWithItsTime() {
    WireAnswer base = container.stored("b", "x");
    WireAnswer answer = container.on("PUT", "b", "comp=snapshot").send();
    expect(answer)
        .status(201)
        .header("ETag", base.etag())
        .header("Last-Modified", base.header("Last-Modified").orElse(""))
        .header("x-ms-request-server-encrypted", "false")
        .emptyBody();
    assertThat(answer.header("x-ms-snapshot").orElse("")).matches(TIME);
  }

  @Test
  @Documented("blob-rest 10.7, 2.1, 20.10: the content is frozen")
  void aSnapshotKeepsWhatTheBlobWas() {
    expect(PutBlobConformanceTest.described(container.put("b", "first")).send()).status(201);
    String snapshot = container.snapshot("b");
    container.stored("b", "second");
    WireAnswer kept = on("GET", snapshot).send();
    expect(kept).status(200).header("Content-Type", "text/plain").header("x-ms-meta-owner", "ann");
    assertThat(kept.text()).isEqualTo("first");
    assertThat(container.content("b")).isEqualTo("second");
    WireAnswer part = on("GET", snapshot).header("x-ms-range", "bytes=1-2").send();
    expect(part).status(206).header("Content-Range", "bytes 1-2/5");
    assertThat(part.text()).isEqualTo("ir");
  }

  @Test
  @Documented("blob-rest 5.1: snapshots show no lease")
  @SeenOn(value = SeenOn.Service.AZURE, date = "2020 to 2023")
  void aSnapshotHasNoLease() {
    container.stored("b", "x");
    container.leased("b", "11111111-aaaa-4aaa-8aaa-111111111111");
    expect(on("HEAD", container.snapshot("b")).send())
        .status(200)
        .lacksHeader("x-ms-lease-state")
        .lacksHeader("x-ms-lease-status")
        .lacksHeader("x-ms-lease-duration");
  }

  @Test
  @Documented("blob-features 10.2 A8: blobclient/recording_setaccesstier_with_snapshot")
  @SeenOn(value = SeenOn.Service.AZURE, date = "2020-08-25")
  void aSnapshotHasATierOfItsOwn() {
    WireAnswer base = container.stored("b", "x");
    String snapshot = container.snapshot("b");
    String other = container.snapshot("b");
    expect(on("HEAD", snapshot).send())
        .header("x-ms-access-tier", "Hot")
        .header("x-ms-access-tier-inferred", "true");
    expect(tier(snapshot).send()).status(200).emptyBody();
    expect(on("HEAD", snapshot).send())
        .header("x-ms-access-tier", "Cool")
        .hasHeader("x-ms-access-tier-change-time")
        .header("ETag", base.etag());
    for (WireAnswer untouched : List.of(container.head("b").send(), on("HEAD", other).send())) {
      expect(untouched)
          .header("x-ms-access-tier", "Hot")
          .header("x-ms-access-tier-inferred", "true");
    }
    assertThat(on("GET", snapshot).send().text()).isEqualTo("x");
    List<String> listed =
        BlobListing.of(container, "include=snapshots").entries().stream()
            .map(entry -> entry.child("Properties").text("AccessTier"))
            .toList();
    assertThat(listed).containsExactly("Cool", "Hot", "Hot");
    refused(tier("2020-01-01T00:00:00.0000000Z").send(), 404, "BlobNotFound");
    refused(
        tier(snapshot).header("x-ms-lease-id", "11111111-aaaa-4aaa-8aaa-111111111111").send(),
        412,
        "LeaseNotPresentWithBlobOperation");
  }

  private WireRequest tier(String snapshot) {
    return container
        .on("PUT", "b", "comp=tier&snapshot=" + Keys.encode(snapshot))
        .header("x-ms-access-tier", "Cool");
  }

  @Test
  @Documented("blob-rest 10.7: a snapshot may get its own metadata")
  void aSnapshotMayHaveMetadataOfItsOwn() {
    expect(container.put("b", "x").header("x-ms-meta-a", "1").send()).status(201);
    WireAnswer answer = container.on("PUT", "b", "comp=snapshot").header("x-ms-meta-b", "2").send();
    expect(answer).status(201);
    expect(on("HEAD", answer.header("x-ms-snapshot").orElse("")).send())
        .header("x-ms-meta-b", "2")
        .lacksHeader("x-ms-meta-a");
    expect(container.head("b").send()).header("x-ms-meta-a", "1").lacksHeader("x-ms-meta-b");
  }

  @Test
  @Documented("blob-rest 10.7, 20.10: times are unique and increasing")
  void timesOfSnapshotsIncrease() {
    container.stored("b", "x");
    List<String> times = IntStream.range(0, 20).mapToObj(i -> container.snapshot("b")).toList();
    assertThat(times).doesNotHaveDuplicates().isSorted();
  }

  @Test
  @Documented("blob-rest 10.7, 2: the blob must exist")
  void onlyABlobThatIsThereHasSnapshots() {
    refused(container.on("PUT", "b", "comp=snapshot").send(), 404, "BlobNotFound");
    expect(container.block("b", "1", "x").send()).status(201);
    refused(container.on("PUT", "b", "comp=snapshot").send(), 404, "BlobNotFound");
  }

  @Test
  @Documented("blob-rest 10.7: append blobs have snapshots too")
  void anAppendBlobHasSnapshotsToo() {
    container.storedLog("b");
    expect(container.append("b", "one").send()).status(201);
    String snapshot = container.snapshot("b");
    expect(container.append("b", "two").send()).status(201);
    assertThat(on("GET", snapshot).send().text()).isEqualTo("one");
    assertThat(container.content("b")).isEqualTo("onetwo");
  }

  @Test
  @Documented("blob-rest 10.7, 5; blob-features 1.3, 10.2: a snapshot cannot be written")
  void aSnapshotIsNotWritten() {
    container.stored("b", "first");
    String snapshot = container.snapshot("b");
    String query = "snapshot=" + Keys.encode(snapshot);
    List<WireRequest> writes =
        List.of(
            container.on("PUT", "b", query).header("x-ms-blob-type", "BlockBlob").body("y"),
            container.on("PUT", "b", "comp=metadata&" + query),
            container.on("PUT", "b", "comp=properties&" + query),
            container.on("PUT", "b", "comp=tags&" + query).body("<Tags><TagSet /></Tags>"),
            container
                .on("PUT", "b", "comp=lease&" + query)
                .header("x-ms-lease-action", "acquire")
                .header("x-ms-lease-duration", "15"));
    for (WireRequest write : writes) {
      WireAnswer answer = write.send();
      assertThat(answer.status()).as("%s", answer).isIn(400, 404);
    }
    assertThat(on("GET", snapshot).send().text()).isEqualTo("first");
    assertThat(container.content("b")).isEqualTo("first");
  }

  @Test
  @Documented("blob-rest 10.6, 16: a blob with snapshots")
  @SeenOn(value = SeenOn.Service.AZURE, date = "2020 to 2023")
  void aBlobWithSnapshotsIsNotDeletedJustLikeThat() {
    container.stored("b", "x");
    container.snapshot("b");
    refused(
        container.delete("b").send(),
        409,
        "SnapshotsPresent",
        "This operation is not permitted because the blob has snapshots.");
    assertThat(container.content("b")).isEqualTo("x");
  }

  @Test
  @Documented("blob-rest 10.6, 20.10: x-ms-delete-snapshots: include")
  void aBlobIsDeletedWithItsSnapshots() {
    container.stored("b", "x");
    String snapshot = container.snapshot("b");
    expect(container.delete("b").header("x-ms-delete-snapshots", "include").send())
        .status(202)
        .header("x-ms-delete-type-permanent", "true");
    refused(container.get("b").send(), 404, "BlobNotFound");
    refused(on("GET", snapshot).send(), 404, "BlobNotFound");
    assertThat(BlobListing.of(container, "include=snapshots").items()).isEmpty();
  }

  @Test
  @Documented("blob-rest 10.6, 20.10: x-ms-delete-snapshots: only")
  void theSnapshotsAloneAreDeleted() {
    container.stored("b", "x");
    container.snapshot("b");
    container.snapshot("b");
    expect(container.delete("b").header("x-ms-delete-snapshots", "only").send()).status(202);
    assertThat(BlobListing.of(container, "include=snapshots").items()).containsExactly("b");
    expect(container.delete("b").send()).status(202);
  }

  @Test
  @Documented("blob-rest 10.6, 20.10: one snapshot")
  void oneSnapshotIsDeleted() {
    container.stored("b", "x");
    String first = container.snapshot("b");
    String second = container.snapshot("b");
    expect(on("DELETE", first).send()).status(202);
    refused(on("GET", first).send(), 404, "BlobNotFound");
    refused(on("DELETE", first).send(), 404, "BlobNotFound");
    expect(on("GET", second).send()).status(200);
    expect(on("DELETE", second).send()).status(202);
    expect(container.delete("b").send()).status(202);
  }

  @Test
  @Documented("blob-rest 10.6; blob-features 3.3, 10.3: do: the code that is recorded for versions")
  void theSnapshotsOfASnapshotAreNotDeleted() {
    container.stored("b", "x");
    String snapshot = container.snapshot("b");
    for (String what : List.of("include", "only")) {
      refused(
          on("DELETE", snapshot).header("x-ms-delete-snapshots", what).send(),
          400,
          "InvalidQueryParameterValue");
    }
    expect(on("GET", snapshot).send()).status(200);
  }

  @Test
  @Documented("blob-rest 10.6: the headers of a deletion, and deleting a missing blob")
  @SeenOn(value = SeenOn.Service.AZURE, date = "2020 to 2023")
  void aDeletionIsForGood() {
    container.stored("b", "x");
    expect(container.delete("b").send())
        .status(202)
        .header("x-ms-delete-type-permanent", "true")
        .emptyBody();
    refused(
        container.delete("b").send(), 404, "BlobNotFound", "The specified blob does not exist.");
    Refusal.headerRefused(
        container.delete("b").header("x-ms-delete-snapshots", "some").send(),
        "x-ms-delete-snapshots",
        "some");
  }

  @Test
  @Documented("blob-rest 13, 20.10: snapshots are listed before their blob, oldest first")
  @SeenOn(value = SeenOn.Service.AZURE, date = "2020 to 2023")
  void snapshotsAreListedBeforeTheirBlob() {
    container.stored("a", "x");
    container.stored("b", "x");
    List<String> times = List.of(container.snapshot("b"), container.snapshot("b"));
    container.stored("c", "x");
    List<XmlElement> entries = BlobListing.of(container, "include=snapshots").entries();
    assertThat(entries.stream().map(entry -> entry.text("Name")).toList())
        .containsExactly("a", "b", "b", "b", "c");
    assertThat(entries.get(1).text("Snapshot")).isEqualTo(times.get(0));
    assertThat(entries.get(2).text("Snapshot")).isEqualTo(times.get(1));
    assertThat(entries.get(3).find("Snapshot")).isEmpty();
    assertThat(entries.get(1).names()).startsWith("Name", "Snapshot", "Properties");
    assertThat(entries.get(1).child("Properties").names())
        .doesNotContain("LeaseStatus", "LeaseState", "LeaseDuration");
    assertThat(BlobListing.of(container, "").items()).containsExactly("a", "b", "c");
  }

  @Test
  @Documented("blob-rest 10.8, 20.10, 20.11: a snapshot is copied back to its blob")
  void aSnapshotIsCopiedBackToItsBlob() {
    expect(PutBlobConformanceTest.described(container.put("b", "first")).send()).status(201);
    String snapshot = container.snapshot("b");
    container.stored("b", "second");
    expect(container.copy("b", container.url("b") + "?snapshot=" + Keys.encode(snapshot)).send())
        .status(202)
        .header("x-ms-copy-status", "success");
    assertThat(container.content("b")).isEqualTo("first");
    expect(container.head("b").send()).header("x-ms-meta-owner", "ann");
    assertThat(on("GET", snapshot).send().text()).isEqualTo("first");
  }
}
