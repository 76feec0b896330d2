package io.lazuli.conformance.blob.rest;

import static io.lazuli.conformance.blob.Refusal.headerRefused;
import static io.lazuli.conformance.blob.Refusal.refused;
import static io.lazuli.conformance.wire.AnswerAssert.expect;
import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.conformance.Area;
import io.lazuli.conformance.Covers;
import io.lazuli.conformance.Differs;
import io.lazuli.conformance.Documented;
import io.lazuli.conformance.SeenOn;
import io.lazuli.conformance.StorageService;
import io.lazuli.conformance.blob.ScratchContainer;
import io.lazuli.conformance.wire.WireAnswer;
import io.lazuli.conformance.wire.WireRequest;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Page blobs: creation, pages, ranges, differences, sizes and sequence numbers. */
@Covers(value = Area.OPERATIONS, service = StorageService.BLOB)
class PageBlobConformanceTest {
  private static final String A = "a".repeat(512);
  private static final String B = "b".repeat(512);
  private static final String ZEROS = "\0".repeat(512);

  private final ScratchContainer container = ScratchContainer.create();

  private WireRequest create(String length) {
    return container
        .on("PUT", "disk", "")
        .header("x-ms-blob-type", "PageBlob")
        .header("x-ms-blob-content-length", length);
  }

  private WireAnswer created(int length) {
    WireAnswer answer = create(String.valueOf(length)).send();
    expect(answer).status(201);
    return answer;
  }

  private WireRequest update(String range, String content) {
    return container
        .on("PUT", "disk", "comp=page")
        .header("x-ms-page-write", "update")
        .header("x-ms-range", "bytes=" + range)
        .body(content)
        .without("Content-Type");
  }

  private WireRequest clear(String range) {
    return container
        .on("PUT", "disk", "comp=page")
        .header("x-ms-page-write", "clear")
        .header("x-ms-range", "bytes=" + range);
  }

  private WireRequest change(String header, String value) {
    return container.on("PUT", "disk", "comp=properties").header(header, value);
  }

  private WireRequest ranges(String more) {
    return container.on("GET", "disk", "comp=pagelist" + more);
  }

  private static String range(String kind, int from, int to) {
    return "<" + kind + "><Start>" + from + "</Start><End>" + to + "</End></" + kind + ">";
  }

  @Test
  @Documented("blob-features 7.1, 7.5: a new page blob is zeros")
  @SeenOn(value = SeenOn.Service.AZURE, date = "2020 to 2023")
  void aNewPageBlobIsZeros() {
    expect(create("1024").send())
        .status(201)
        .header("x-ms-request-server-encrypted", "true")
        .lacksHeader("Content-MD5")
        .lacksHeader("x-ms-content-crc64");
    WireAnswer read = container.get("disk").send();
    expect(read)
        .status(200)
        .header("x-ms-blob-type", "PageBlob")
        .header("x-ms-blob-sequence-number", "0");
    assertThat(read.body()).isEqualTo(new byte[1_024]);
    expect(container.head("disk").send())
        .header("Content-Length", "1024")
        .header("x-ms-blob-sequence-number", "0");
  }

  @ParameterizedTest
  @ValueSource(strings = {"511", "8796093022720"})
  @Documented("blob-features 7.1: sizes that are refused")
  @SeenOn(value = SeenOn.Service.AZURE, date = "2020 to 2023")
  void sizesAreWholePagesUpToTheLimit(String length) {
    headerRefused(create(length).send(), "x-ms-blob-content-length", length);
    created(512);
    headerRefused(
        change("x-ms-blob-content-length", length).send(), "x-ms-blob-content-length", length);
  }

  @Test
  @Documented("blob-features 7.1: no size, a negative number, an existing blob")
  @SeenOn(value = SeenOn.Service.AZURE, date = "2020 to 2023")
  void creationIsChecked() {
    refused(
        container.on("PUT", "disk", "").header("x-ms-blob-type", "PageBlob").send(),
        400,
        "MissingRequiredHeader");
    headerRefused(
        create("512").header("x-ms-blob-sequence-number", "-1").send(),
        "x-ms-blob-sequence-number",
        "-1");
    created(0);
    refused(create("512").header("If-None-Match", "*").send(), 409, "BlobAlreadyExists");
  }

  @Test
  @Documented("blob-features 7.1: do: tiers of other blobs, a body")
  @Differs("Azurite 3.37.0 has another code for a body")
  void aPageBlobHasNeitherATierNorABody() {
    refused(
        create("512").header("x-ms-access-tier", "Hot").send(),
        400,
        "AccessTierNotSupportedForBlobType");
    refused(create("512").body("x").without("Content-Type").send(), 400, "InvalidHeaderValue");
  }

  @Test
  @Documented("blob-features 7.3, 7.5: pages are written and cleared")
  @SeenOn(value = SeenOn.Service.AZURE, date = "2020 to 2023")
  void pagesAreWrittenAndCleared() {
    String before = created(2_048).etag();
    WireAnswer written = update("512-1535", A + B).send();
    expect(written)
        .status(201)
        .header("x-ms-blob-sequence-number", "0")
        .header("x-ms-request-server-encrypted", "true")
        .hasHeader("x-ms-content-crc64")
        .hasHeader("Last-Modified");
    WireAnswer cleared = clear("1024-1535").send();
    expect(cleared).status(201).header("x-ms-blob-sequence-number", "0");
    assertThat(List.of(before, written.etag(), cleared.etag())).doesNotHaveDuplicates();
    assertThat(container.content("disk")).isEqualTo(ZEROS + A + ZEROS + ZEROS);
    expect(container.get("disk").header("x-ms-range", "bytes=510-513").send())
        .status(206)
        .header("Content-Range", "bytes 510-513/2048");
  }

  @Test
  @Documented("blob-features 7.3: a range after the end")
  @SeenOn(value = SeenOn.Service.AZURE, date = "2020 to 2023")
  void pagesAfterTheEndAreRefused() {
    created(1_024);
    String message = "The page range specified is invalid.";
    refused(update("1024-1535", A).send(), 416, "InvalidPageRange", message);
    refused(clear("512-1535").send(), 416, "InvalidPageRange", message);
  }

  @ParameterizedTest
  @ValueSource(strings = {"1-512", "0-510", "512-0", "0-1023"})
  @Documented("blob-features 7.3: do: a range that is not whole pages, or not the body")
  void pagesAreWhole(String range) {
    created(1_024);
    refused(update(range, A).send(), 416, "InvalidPageRange");
    assertThat(container.content("disk")).isEqualTo(ZEROS + ZEROS);
  }

  @Test
  @Documented("blob-features 7.3: headers that are required, other blobs")
  void aWriteIsChecked() {
    refused(update("0-511", A).send(), 404, "BlobNotFound");
    container.stored("disk", "x");
    refused(update("0-511", A).send(), 409, "InvalidBlobType");
    refused(clear("0-511").send(), 409, "InvalidBlobType");
    expect(container.delete("disk").send()).status(202);
    created(512);
    refused(
        container
            .on("PUT", "disk", "comp=page")
            .header("x-ms-page-write", "update")
            .body(A)
            .without("Content-Type")
            .send(),
        400,
        "MissingRequiredHeader");
    refused(
        update("0-511", A).header("Content-MD5", Checksums.md5("x")).send(), 400, "Md5Mismatch");
  }

  @Test
  @Documented("blob-features 7.2: changes of the sequence number")
  @SeenOn(value = SeenOn.Service.AZURE, date = "2020 to 2023")
  void theSequenceNumberChanges() {
    expect(create("512").header("x-ms-blob-sequence-number", "5").send()).status(201);
    expect(number("max", "3")).status(200).header("x-ms-blob-sequence-number", "5");
    expect(number("max", "7")).header("x-ms-blob-sequence-number", "7");
    expect(number("update", "2")).header("x-ms-blob-sequence-number", "2");
    expect(change("x-ms-sequence-number-action", "increment").send())
        .header("x-ms-blob-sequence-number", "3");
    expect(number("update", String.valueOf(Long.MAX_VALUE))).status(200);
    refused(
        change("x-ms-sequence-number-action", "increment").send(),
        409,
        "SequenceNumberIncrementTooLarge");
  }

  private WireAnswer number(String action, String number) {
    return change("x-ms-sequence-number-action", action)
        .header("x-ms-blob-sequence-number", number)
        .send();
  }

  @Test
  @Documented("blob-features 7.2: conditions on the sequence number")
  @SeenOn(value = SeenOn.Service.AZURE, date = "2020 to 2023")
  void aWriteMayDemandASequenceNumber() {
    expect(create("512").header("x-ms-blob-sequence-number", "5").send()).status(201);
    for (String condition : List.of("le, 4", "lt, 5", "eq, 6")) {
      String[] parts = condition.split(", ", -1);
      refused(
          update("0-511", A).header("x-ms-if-sequence-number-" + parts[0], parts[1]).send(),
          412,
          "SequenceNumberConditionNotMet",
          "The sequence number condition specified was not met.");
    }
    expect(clear("0-511").header("x-ms-if-sequence-number-le", "5").send()).status(201);
    expect(update("0-511", A).header("x-ms-if-sequence-number-eq", "5").send()).status(201);
  }

  @Test
  @Documented("blob-features 7.1: a smaller size drops pages, a larger one adds zeros")
  void aBlobShrinksAndGrows() {
    created(1_024);
    expect(update("0-1023", A + B).send()).status(201);
    expect(change("x-ms-blob-content-length", "512").send())
        .status(200)
        .header("x-ms-blob-sequence-number", "0");
    expect(change("x-ms-blob-content-length", "1024").send()).status(200);
    assertThat(container.content("disk")).isEqualTo(A + ZEROS);
  }

  @Test
  @Documented("blob-features 7.6: written pages")
  @SeenOn(value = SeenOn.Service.AZURE, date = "2020 to 2023")
  void writtenPagesAreListed() {
    created(4_096);
    assertThat(ranges("").send().xml()).endsWith("<PageList />");
    expect(update("0-511", A).send()).status(201);
    expect(update("512-1023", A).send()).status(201);
    expect(update("2048-2559", ZEROS).send()).status(201);
    WireAnswer listed = ranges("").send();
    expect(listed).status(200).header("x-ms-blob-content-length", "4096").hasHeader("ETag");
    assertThat(listed.xml())
        .endsWith(
            "<PageList>"
                + range("PageRange", 0, 1_023)
                + range("PageRange", 2_048, 2_559)
                + "</PageList>");
    refused(ranges("").header("x-ms-range", "bytes=4096-5000").send(), 416, "InvalidRange");
  }

  @Test
  @Documented("blob-features 7.6: pages of ranges")
  @Differs("Azurite 3.37.0 ignores the number")
  void rangesArePaged() {
    created(4_096);
    expect(update("0-511", A).send()).status(201);
    expect(update("2048-2559", A).send()).status(201);
    String first = ranges("&maxresults=1").send().xml();
    assertThat(first).contains(range("PageRange", 0, 511)).doesNotContain("2048</Start>");
    String marker = first.replaceAll(".*<NextMarker>(.*)</NextMarker>.*", "$1");
    assertThat(ranges("&maxresults=1&marker=" + marker).send().xml())
        .contains(range("PageRange", 2_048, 2_559))
        .doesNotContain("</NextMarker>");
  }

  @Test
  @Documented("blob-features 7.6: differences from a snapshot")
  @SeenOn(value = SeenOn.Service.AZURE, date = "2020 to 2023")
  void differencesFromASnapshotAreListed() {
    created(1_024);
    expect(update("0-1023", B + B).send()).status(201);
    String snapshot = container.snapshot("disk");
    expect(update("0-511", A).send()).status(201);
    expect(clear("512-1023").send()).status(201);
    assertThat(ranges("&prevsnapshot=" + snapshot).send().xml())
        .contains(range("PageRange", 0, 511))
        .contains(range("ClearRange", 512, 1_023));
    assertThat(ranges("&snapshot=" + snapshot).send().xml()).contains(range("PageRange", 0, 1_023));
  }

  @Test
  @Documented("blob-features 7.6: differences that cannot be found")
  void differencesNeedASnapshotOfTheSameBlob() {
    created(1_024);
    String snapshot = container.snapshot("disk");
    refused(
        ranges("&prevsnapshot=2020-01-01T00:00:00.0000000Z").send(),
        409,
        "PreviousSnapshotNotFound",
        "The previous snapshot is not found.");
    refused(
        ranges("&snapshot=" + snapshot + "&prevsnapshot=2999-01-01T00:00:00.0000000Z").send(),
        400,
        "PreviousSnapshotCannotBeNewer");
    created(1_024);
    refused(ranges("&prevsnapshot=" + snapshot).send(), 409, "BlobOverwritten");
    container.stored("other", "x");
    refused(container.on("GET", "other", "comp=pagelist").send(), 409, "InvalidBlobType");
  }

  @Test
  @Documented("blob-features 7.7, 7.3: operations of other types")
  void otherTypesHaveNoPages() {
    created(512);
    refused(container.append("disk", "x").send(), 409, "InvalidBlobType");
    refused(container.block("disk", "a", "x").send(), 409, "InvalidBlobType");
    refused(container.on("GET", "disk", "comp=blocklist").send(), 409, "InvalidBlobType");
  }

  @Test
  @Documented("blob-features 7.7: a copy keeps type, size, number and holes")
  void aCopyKeepsItsHoles() {
    expect(create("1536").header("x-ms-blob-sequence-number", "4").send()).status(201);
    expect(update("512-1023", B).send()).status(201);
    expect(container.copy("copy", container.url("disk")).send()).status(202);
    assertThat(container.content("copy")).isEqualTo(ZEROS + B + ZEROS);
    expect(container.head("copy").send())
        .header("x-ms-blob-type", "PageBlob")
        .header("x-ms-blob-sequence-number", "4");
    assertThat(container.on("GET", "copy", "comp=pagelist").send().xml())
        .endsWith("<PageList>" + range("PageRange", 512, 1_023) + "</PageList>");
  }

  @Test
  @Documented("blob-features 7.4: pages from another blob")
  void pagesComeFromAUrl() {
    container.stored("text", "xx" + A);
    created(1_024);
    WireRequest from =
        container
            .on("PUT", "disk", "comp=page")
            .header("x-ms-page-write", "update")
            .header(
                "x-ms-copy-source",
                container.url("text") + "?" + container.access("text", "r").token())
            .header("x-ms-source-range", "bytes=2-513")
            .header("x-ms-range", "bytes=512-1023");
    expect(from.send()).status(201).header("x-ms-blob-sequence-number", "0");
    assertThat(container.content("disk")).isEqualTo(ZEROS + A);
  }

  @Test
  @Documented("blob-features 7.5: page blobs in listings")
  void aListingShowsTheSequenceNumber() {
    expect(create("512").header("x-ms-blob-sequence-number", "3").send()).status(201);
    assertThat(container.list("").send().xml())
        .contains("<BlobType>PageBlob</BlobType>")
        .contains("<x-ms-blob-sequence-number>3</x-ms-blob-sequence-number>")
        .doesNotContain("<AccessTier>");
  }
}
