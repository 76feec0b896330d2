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
import io.lazuli.conformance.blob.BlobListing;
import io.lazuli.conformance.blob.ScratchContainer;
import io.lazuli.conformance.support.Waiting;
import io.lazuli.conformance.wire.WireAnswer;
import io.lazuli.conformance.wire.WireRequest;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Put Blob: the properties that are stored with the content, and the effects of overwriting. */
@Covers(value = Area.OPERATIONS, service = StorageService.BLOB)
class PutBlobConformanceTest {

  private final ScratchContainer container = ScratchContainer.create();

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 4095, 65_536, 1 << 20, 5_000_001})
  @Documented("blob-rest 20.2, 2.3: bytes are returned unchanged")
  void contentComesBackAsItWentIn(int length) {
    byte[] content = new byte[length];
    new Random(length).nextBytes(content);
    expect(container.put("b", content).send()).status(201);
    WireAnswer answer = container.get("b").send();
    expect(answer).status(200).header("Content-Length", String.valueOf(length));
    assertThat(answer.body()).isEqualTo(content);
  }

  @Test
  @Documented("blob-rest 10.1: the headers of the answer")
  @SeenOn(value = SeenOn.Service.AZURE, date = "2020 to 2023")
  void theAnswerHasWhatClientsRead() {
    WireAnswer answer = container.stored("b", "hello world");
    expect(answer)
        .hasHeader("ETag")
        .hasHeader("Last-Modified")
        .header("x-ms-request-server-encrypted", "true")
        .header("Content-Length", "0")
        .header("Content-MD5", "XrY7u+Ae7tCTyyK7j1rNww==")
        .header("x-ms-content-crc64", "vo7q9sPVKY0=")
        .emptyBody();
    assertThat(answer.etag()).matches("\"0x[0-9A-F]+\"");
  }

  @Test
  @Documented("blob-rest 10.1: an append blob has no checksums")
  void theAnswerForAnAppendBlobHasNoChecksums() {
    expect(container.storedLog("log"))
        .hasHeader("ETag")
        .header("x-ms-request-server-encrypted", "true")
        .lacksHeader("Content-MD5")
        .lacksHeader("x-ms-content-crc64");
  }

  @Test
  @Documented("blob-rest 10.1: the type of the blob must be given")
  void aBlobNeedsAType() {
    WireAnswer answer = container.put("b", "x").without("x-ms-blob-type").send();
    refused(answer, 400, "MissingRequiredHeader");
    headerRefused(
        container.put("b", "x").header("x-ms-blob-type", "Book").send(), "x-ms-blob-type", "Book");
    refused(container.get("b").send(), 404, "BlobNotFound");
  }

  @Test
  @Documented("blob-rest 10.1: an append blob starts empty")
  void anAppendBlobHasNoContentAtFirst() {
    refused(
        container.put("b", "x").header("x-ms-blob-type", "AppendBlob").send(),
        400,
        "InvalidHeaderValue");
  }

  @Test
  @Documented("blob-rest 3.4: the length must be known")
  void aBodyWithoutItsLengthIsRefused() {
    refused(container.put("b", "hello").chunked(2).send(), 411, "MissingContentLengthHeader");
  }

  @Test
  @Documented("blob-rest 10.1, 16: the container must exist")
  @SeenOn(value = SeenOn.Service.AZURE, date = "2020 to 2023")
  void theContainerMustBeThere() {
    ScratchContainer missing = ScratchContainer.named(ScratchContainer.freshName());
    refused(
        missing.put("b", "x").send(),
        404,
        "ContainerNotFound",
        "The specified container does not exist.");
  }

  @Test
  @Documented("blob-rest 20.4, 10.1: default type")
  void theDefaultTypeIsOctetStream() {
    container.stored("b", "x");
    expect(container.get("b").send()).header("Content-Type", "application/octet-stream");
    expect(container.head("b").send()).header("Content-Type", "application/octet-stream");
  }

  @ParameterizedTest
  @CsvSource({
    "Content-Type, x-ms-blob-content-type, text/plain, text/html",
    "Content-Encoding, x-ms-blob-content-encoding, gzip, br",
    "Content-Language, x-ms-blob-content-language, de, en",
    "Cache-Control, x-ms-blob-cache-control, no-store, max-age=5"
  })
  @Documented("blob-rest 20.4, 10.1: the plain header applies if its x-ms-blob- form is absent")
  void thePlainHeaderCountsWhenItsTwinIsAbsent(
      String plain, String twin, String first, String second) {
    expect(container.put("b", "x").header(plain, first).send()).status(201);
    expect(container.get("b").send()).header(plain, first);
    expect(container.put("b", "x").header(plain, first).header(twin, second).send()).status(201);
    expect(container.get("b").send()).header(plain, second);
  }

  @Test
  @Documented("blob-rest 10.1: stored properties, metadata and tags")
  void headersOfPutBlobAreStored() {
    expect(
            described(container.put("b", "x"))
                .header("x-ms-tags", "colour=blue&size=10")
                .header("x-ms-access-tier", "Cool")
                .send())
        .status(201);
    expect(container.head("b").send())
        .status(200)
        .header("Content-Type", "text/plain")
        .header("Content-Encoding", "gzip")
        .header("Content-Language", "de")
        .header("Content-Disposition", "attachment")
        .header("Cache-Control", "max-age=5")
        .header("x-ms-meta-owner", "ann")
        .header("x-ms-tag-count", "2")
        .header("x-ms-access-tier", "Cool")
        .lacksHeader("x-ms-access-tier-inferred");
  }

  static WireRequest described(WireRequest request) {
    return request
        .header("x-ms-blob-content-type", "text/plain")
        .header("x-ms-blob-content-encoding", "gzip")
        .header("x-ms-blob-content-language", "de")
        .header("x-ms-blob-content-disposition", "attachment")
        .header("x-ms-blob-cache-control", "max-age=5")
        .header("x-ms-meta-owner", "ann");
  }

  @Test
  @Documented("blob-rest 2.2: content, properties and metadata are replaced together")
  void overwritingReplacesEverythingThatBelongsToTheContent() {
    expect(described(container.put("b", "first")).header("x-ms-tags", "a=1").send()).status(201);
    container.stored("b", "second");
    WireAnswer answer = container.get("b").send();
    expect(answer)
        .header("Content-Type", "application/octet-stream")
        .header("Content-MD5", Checksums.md5("second"))
        .lacksHeader("Content-Encoding")
        .lacksHeader("Content-Language")
        .lacksHeader("Content-Disposition")
        .lacksHeader("x-ms-meta-owner")
        .lacksHeader("x-ms-tag-count");
    assertThat(answer.text()).isEqualTo("second");
  }

  @Test
  @Documented("blob-rest 20.16, 2.1: overwriting keeps Creation-Time")
  @SeenOn(value = SeenOn.Service.AZURE, date = "2020 to 2023")
  void overwritingKeepsTheTimeOfCreation() {
    container.stored("b", "1");
    String created = container.property("b", "x-ms-creation-time");
    Waiting.forTheNextSecond();
    container.stored("b", "2");
    assertThat(container.property("b", "x-ms-creation-time")).isEqualTo(created);
    expect(container.block("b", "1", "3").send()).status(201);
    expect(container.commit("b", "Latest:1").send()).status(201);
    assertThat(container.property("b", "x-ms-creation-time")).isEqualTo(created);
    expect(container.delete("b").send()).status(202);
    container.stored("b", "4");
    assertThat(container.property("b", "x-ms-creation-time")).isNotEqualTo(created);
  }

  @Test
  @Documented("blob-rest 2.2: the tier stays unless the request names one")
  @Differs("Azurite 3.37.0 falls back to Hot")
  void overwritingKeepsTheTier() {
    expect(container.put("b", "1").header("x-ms-access-tier", "Cool").send()).status(201);
    container.stored("b", "2");
    assertThat(container.property("b", "x-ms-access-tier")).isEqualTo("Cool");
  }

  @Test
  @Documented("blob-rest 2.2: uncommitted blocks are dropped")
  void overwritingDropsUncommittedBlocks() {
    expect(container.block("b", "1", "one").send()).status(201);
    container.stored("b", "whole");
    refused(container.commit("b", "Latest:1").send(), 400, "InvalidBlockList");
    assertThat(container.content("b")).isEqualTo("whole");
  }

  @Test
  @Documented("blob-rest 2.2: a blob of another type is not overwritten: do")
  void aBlobOfAnotherTypeIsNotOverwritten() {
    container.storedLog("log");
    refused(container.put("log", "x").send(), 409, "InvalidBlobType");
    container.stored("b", "x");
    refused(container.putLog("b").send(), 409, "InvalidBlobType");
    assertThat(container.content("b")).isEqualTo("x");
  }

  @Test
  @Documented("blob-rest 12.1: creating an append blob again empties it")
  void creatingAnAppendBlobAgainEmptiesIt() {
    container.storedLog("log");
    expect(container.append("log", "line").send()).status(201);
    container.storedLog("log");
    assertThat(container.content("log")).isEmpty();
    assertThat(container.property("log", "x-ms-blob-committed-block-count")).isEqualTo("0");
  }

  @Test
  @Documented("blob-rest 10.1, 20.2: a body that ends early stores nothing")
  void anUploadThatEndsEarlyLeavesNothing() {
    AbortedUpload.send(container.put("b", new byte[1000]).header("Content-Length", "100000"));
    refused(container.get("b").send(), 404, "BlobNotFound");
    assertThat(BlobListing.of(container, "include=uncommittedblobs").items()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"Hot", "Cool", "Cold", "Archive"})
  @Documented("blob-rest 10.10, 10.3: the tier is remembered")
  void theTierIsRemembered(String tier) {
    container.stored("b", "x");
    expect(container.head("b").send())
        .header("x-ms-access-tier", "Hot")
        .header("x-ms-access-tier-inferred", "true");
    String before = container.property("b", "ETag");
    expect(tier(tier).send()).status(200).emptyBody();
    expect(container.head("b").send())
        .header("x-ms-access-tier", tier)
        .header("ETag", before)
        .hasHeader("x-ms-access-tier-change-time")
        .lacksHeader("x-ms-access-tier-inferred");
    expect(container.get("b").send()).lacksHeader("x-ms-access-tier");
    assertThat(BlobListing.of(container, "").properties("b").text("AccessTier")).isEqualTo(tier);
  }

  @ParameterizedTest
  @ValueSource(strings = {"COOL", "cool", "cOOL"})
  @Documented("blob-features 10.2 A1: the suite of azure-storage 8 for Java sends COOL and HIGH")
  void theLetterCaseOfATierDoesNotMatter(String cool) {
    expect(container.put("b", "x").header("x-ms-access-tier", "archive").send()).status(201);
    assertThat(container.property("b", "x-ms-access-tier")).isEqualTo("Archive");
    WireAnswer set = tier(cool).header("x-ms-rehydrate-priority", "HIGH").send();
    assertThat(set.status()).as("%s", set).isIn(200, 202);
    container.stored("b", "x");
    expect(tier(cool).send()).status(200);
    assertThat(container.property("b", "x-ms-access-tier")).isEqualTo("Cool");
    assertThat(BlobListing.of(container, "").properties("b").text("AccessTier")).isEqualTo("Cool");
  }

  @Test
  @Documented("blob-rest 10.10; blob-features 10.3: refused tiers; append blobs have none")
  @SeenOn(value = SeenOn.Service.AZURE, date = "2020 to 2023")
  void aTierMustBeOneOfThem() {
    container.stored("b", "x");
    headerRefused(tier("Lukewarm").send(), "x-ms-access-tier", "Lukewarm");
    refused(tier("P10").send(), 400, "InvalidHeaderValue");
    container.storedLog("log");
    expect(container.head("log").send()).lacksHeader("x-ms-access-tier");
    refused(
        container.on("PUT", "log", "comp=tier").header("x-ms-access-tier", "Cool").send(),
        400,
        "AccessTierNotSupportedForBlobType");
  }

  private WireRequest tier(String tier) {
    return container.on("PUT", "b", "comp=tier").header("x-ms-access-tier", tier);
  }
}
