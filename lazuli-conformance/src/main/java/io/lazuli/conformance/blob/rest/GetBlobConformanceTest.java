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
import io.lazuli.conformance.blob.ScratchContainer;
import io.lazuli.conformance.wire.WireAnswer;
import io.lazuli.conformance.wire.WireRequest;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Reading blobs: ranges, checksums of ranges, and the headers of the answer. */
@Covers(value = Area.OPERATIONS, service = StorageService.BLOB)
class GetBlobConformanceTest {

  private static final String TEXT = "hello world";
  private static final String MD5 = "XrY7u+Ae7tCTyyK7j1rNww==";

  private final ScratchContainer container = ScratchContainer.create();

  @ParameterizedTest
  @CsvSource({
    "bytes=0-4, hello, 0-4",
    "bytes=6-, world, 6-10",
    "bytes=6-99, world, 6-10",
    "bytes=0-10, hello world, 0-10",
    "bytes=0-, hello world, 0-10",
    "bytes=0-4194303, hello world, 0-10",
    "bytes=10-10, d, 10-10"
  })
  @Documented("blob-rest 10.2, 20.6: a range that begins inside the blob")
  @SeenOn(value = SeenOn.Service.AZURE, date = "2020 to 2023")
  void aRangeGivesItsBytes(String range, String text, String given) {
    container.stored("b", TEXT);
    for (String header : List.of("x-ms-range", "Range")) {
      WireAnswer answer = container.get("b").header(header, range).send();
      expect(answer)
          .status(206)
          .header("Content-Range", "bytes " + given + "/11")
          .header("Content-Length", String.valueOf(text.length()))
          .header("x-ms-blob-content-md5", MD5)
          .lacksHeader("Content-MD5")
          .header("Accept-Ranges", "bytes");
      assertThat(answer.text()).isEqualTo(text);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"bytes=11-", "bytes=11-20", "bytes=100-200"})
  @Documented("blob-rest 10.2, 20.6, 16: a range that begins after the end")
  @SeenOn(value = SeenOn.Service.AZURE, date = "2020 to 2023")
  void aRangeBehindTheEndIsRefused(String range) {
    container.stored("b", TEXT);
    WireAnswer answer = container.get("b").header("x-ms-range", range).send();
    refused(
        answer,
        416,
        "InvalidRange",
        "The range specified is invalid for the current size of the resource.");
    expect(answer).header("Content-Range", "bytes */11");
  }

  @Test
  @Documented("blob-rest 10.2, 19, 20.6: an empty blob has no valid range")
  @SeenOn(value = SeenOn.Service.AZURE, date = "2020 to 2023")
  void anEmptyBlobHasNoRanges() {
    container.stored("b", "");
    WireAnswer answer = container.get("b").header("x-ms-range", "bytes=0-4194303").send();
    refused(answer, 416, "InvalidRange");
    expect(answer).header("Content-Range", "bytes */0");
    expect(container.get("b").header("x-ms-range", "bytes=0--1").send())
        .status(200)
        .header("Content-Length", "0");
    expect(container.get("b").send())
        .status(200)
        .header("Content-Length", "0")
        .header("Content-MD5", "1B2M2Y8AsgTpgAmY7PhCfg==");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "bytes=0--1",
        "bytes=5-2",
        "pages=0-1",
        "bytes=0-1,3-4",
        "bytes=-5",
        "bytes=a-b",
        "0-4"
      })
  @Documented("blob-rest 10.2, 20.6: an invalid range is ignored")
  void aRangeThatIsNoneIsIgnored(String range) {
    container.stored("b", TEXT);
    WireAnswer answer = container.get("b").header("x-ms-range", range).send();
    expect(answer).status(200).lacksHeader("Content-Range").header("Content-MD5", MD5);
    assertThat(answer.text()).isEqualTo(TEXT);
  }

  @Test
  @Documented("blob-rest 10.2: x-ms-range overrides Range")
  void theRangeOfTheServiceWins() {
    container.stored("b", TEXT);
    WireAnswer answer =
        container.get("b").header("Range", "bytes=0-1").header("x-ms-range", "bytes=2-3").send();
    assertThat(answer.text()).isEqualTo("ll");
  }

  @Test
  @Documented("blob-rest 10.2, 19: the MD5 of a range")
  void theMd5OfARangeIsGivenWhenAsked() {
    container.stored("b", TEXT);
    expect(
            container
                .get("b")
                .header("x-ms-range", "bytes=6-99")
                .header("x-ms-range-get-content-md5", "true")
                .send())
        .status(206)
        .header("Content-MD5", "fXkwN6B2AYZXSwKC8vQ15w==")
        .header("x-ms-blob-content-md5", MD5);
  }

  @Test
  @Documented("blob-rest 10.2: the CRC64 of a range")
  @Differs("Azurite 3.37.0 supports CRC64 in some places only")
  void theCrc64OfARangeIsGivenWhenAsked() {
    container.stored("b", TEXT);
    expect(
            container
                .get("b")
                .header("x-ms-range", "bytes=6-99")
                .header("x-ms-range-get-content-crc64", "true")
                .send())
        .status(206)
        .header("x-ms-content-crc64", Checksums.crc64("world"))
        .lacksHeader("Content-MD5");
  }

  @ParameterizedTest
  @ValueSource(strings = {"x-ms-range-get-content-md5", "x-ms-range-get-content-crc64"})
  @Documented("blob-rest 10.2, 15, 20.6: do: a checksum needs a range of at most 4 MiB")
  void aChecksumNeedsAShortRange(String header) {
    expect(container.put("b", new byte[(4 << 20) + 1]).send()).status(201);
    refused(container.get("b").header(header, "true").send(), 400, "InvalidHeaderValue");
    refused(
        container.get("b").header("x-ms-range", "bytes=0-4194304").header(header, "true").send(),
        400,
        "InvalidHeaderValue");
    expect(container.get("b").header("x-ms-range", "bytes=0-4194303").header(header, "true").send())
        .status(206);
  }

  @Test
  @Documented("blob-rest 10.2, 20.6, 16: both checksums of a range")
  @SeenOn(value = SeenOn.Service.AZURE, date = "2020 to 2023")
  void bothChecksumsOfARangeAreRefused() {
    container.stored("b", TEXT);
    refused(
        container
            .get("b")
            .header("x-ms-range", "bytes=0-4")
            .header("x-ms-range-get-content-md5", "true")
            .header("x-ms-range-get-content-crc64", "true")
            .send(),
        400,
        "BothCrc64AndMd5RangeHeaderPresent",
        "Both x-ms-range-get-content-crc64 header and x-ms-range-get-content-md5 header are"
            + " present.");
  }

  @ParameterizedTest
  @ValueSource(strings = {"GET", "HEAD"})
  @Documented("blob-rest 10.2, 10.3: the headers of a block blob")
  @SeenOn(value = SeenOn.Service.AZURE, date = "2020 to 2023")
  void aReadTellsEverythingAboutABlockBlob(String verb) {
    WireAnswer stored = PutBlobConformanceTest.described(container.put("b", TEXT)).send();
    expect(container.on(verb, "b", "").send())
        .status(200)
        .header("Content-Length", "11")
        .header("Content-Type", "text/plain")
        .header("Content-Encoding", "gzip")
        .header("Content-Language", "de")
        .header("Content-Disposition", "attachment")
        .header("Cache-Control", "max-age=5")
        .header("Content-MD5", MD5)
        .header("ETag", stored.etag())
        .header("Last-Modified", stored.header("Last-Modified").orElse(""))
        .header("Accept-Ranges", "bytes")
        .header("x-ms-blob-type", "BlockBlob")
        .header("x-ms-lease-state", "available")
        .header("x-ms-lease-status", "unlocked")
        .header("x-ms-server-encrypted", "true")
        .header("x-ms-meta-owner", "ann")
        .hasHeader("x-ms-creation-time")
        .lacksHeader("x-ms-lease-duration")
        .lacksHeader("x-ms-copy-id")
        .lacksHeader("x-ms-blob-content-md5")
        .lacksHeader("x-ms-blob-committed-block-count");
  }

  @ParameterizedTest
  @ValueSource(strings = {"GET", "HEAD"})
  @Documented("blob-rest 10.2, 10.3: the headers of an append blob")
  @SeenOn(value = SeenOn.Service.AZURE, date = "2020 to 2023")
  void aReadTellsEverythingAboutAnAppendBlob(String verb) {
    container.storedLog("log");
    expect(container.append("log", TEXT).send()).status(201);
    expect(container.on(verb, "log", "").send())
        .status(200)
        .header("Content-Length", "11")
        .header("x-ms-blob-type", "AppendBlob")
        .header("x-ms-blob-committed-block-count", "1")
        .lacksHeader("Content-MD5")
        .lacksHeader("x-ms-blob-sealed")
        .lacksHeader("x-ms-access-tier");
  }

  @Test
  @Documented("blob-features 4.5, 10.2 A20: GET returns the tier since version 2026-10-06")
  void newVersionsReturnTheTierWithTheContent() {
    container.stored("b", TEXT);
    expect(container.get("b").send()).lacksHeader("x-ms-access-tier");
    expect(container.get("b").header("x-ms-version", "2026-10-06").send())
        .status(200)
        .header("x-ms-access-tier", "Hot")
        .header("x-ms-access-tier-inferred", "true");
    expect(container.put("b", TEXT).header("x-ms-access-tier", "Cool").send()).status(201);
    WireRequest part = container.get("b").header("x-ms-range", "bytes=0-3");
    expect(part.header("x-ms-version", "2026-10-06").send())
        .status(206)
        .header("x-ms-access-tier", "Cool")
        .hasHeader("x-ms-access-tier-change-time")
        .lacksHeader("x-ms-access-tier-inferred");
    container.storedLog("log");
    expect(container.get("log").header("x-ms-version", "2026-10-06").send())
        .status(200)
        .lacksHeader("x-ms-access-tier");
  }

  @Test
  @Documented("blob-rest 10.2: a stored encoding is echoed, and the body is not changed")
  void anEncodedBodyIsLeftAlone() {
    expect(container.put("b", TEXT).header("x-ms-blob-content-encoding", "gzip").send())
        .status(201);
    WireAnswer answer = container.get("b").header("Accept-Encoding", "gzip, br").send();
    expect(answer).header("Content-Encoding", "gzip").header("Content-Length", "11");
    assertThat(answer.text()).isEqualTo(TEXT);
  }

  @Test
  @Documented("blob-rest 10.2, 10.3, 16: a blob that does not exist")
  @SeenOn(value = SeenOn.Service.AZURE, date = "2020 to 2023")
  void aMissingBlobIsNotFound() {
    refused(container.get("b").send(), 404, "BlobNotFound", "The specified blob does not exist.");
    WireAnswer head = container.head("b").send();
    refused(head, 404, "BlobNotFound");
    expect(head).emptyBody();
    ScratchContainer missing = ScratchContainer.named(ScratchContainer.freshName());
    refused(missing.get("b").send(), 404, "ContainerNotFound");
    refused(missing.head("b").send(), 404, "ContainerNotFound");
  }

  @Test
  @Documented("blob-rest 10.2, 11.1: a blob with uncommitted blocks only")
  void aBlobOfUncommittedBlocksIsNotFound() {
    expect(container.block("b", "1", "one").send()).status(201);
    refused(container.get("b").send(), 404, "BlobNotFound");
    refused(container.head("b").send(), 404, "BlobNotFound");
    refused(container.on("GET", "b", "comp=metadata").send(), 404, "BlobNotFound");
  }

  @Test
  @Documented("blob-rest 10.2: an invalid snapshot time")
  void aTimeOfASnapshotMustBeOne() {
    container.stored("b", TEXT);
    WireAnswer answer = container.on("GET", "b", "snapshot=yesterday").send();
    refused(answer, 400, "InvalidQueryParameterValue");
    assertThat(answer.text())
        .contains("<QueryParameterName>snapshot</QueryParameterName>")
        .contains("<Reason>Must be in the specific snapshot date time format.</Reason>");
    refused(
        container.on("GET", "b", "snapshot=2020-01-01T00:00:00.0000000Z").send(),
        404,
        "BlobNotFound");
  }

  @Test
  @Documented("blob-rest 2.3: a read that has begun returns one version")
  void aReadThatHasBegunReturnsOneVersion() {
    byte[] first = new byte[8 << 20];
    Arrays.fill(first, (byte) 'a');
    byte[] second = new byte[6 << 20];
    Arrays.fill(second, (byte) 'b');
    expect(container.put("b", first).send()).status(201);
    assertThat(SlowReader.read(container.get("b"), () -> overwrite(second))).isEqualTo(first);
    assertThat(container.get("b").send().body()).isEqualTo(second);
  }

  private void overwrite(byte[] content) {
    expect(container.put("b", content).send()).status(201);
  }
}
