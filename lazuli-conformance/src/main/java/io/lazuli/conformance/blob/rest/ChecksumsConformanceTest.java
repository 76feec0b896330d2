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
import io.lazuli.conformance.wire.WireAnswer;
import io.lazuli.conformance.wire.WireRequest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** MD5 and CRC64 of bodies: they are checked, returned and stored. */
@Covers(value = Area.OPERATIONS, service = StorageService.BLOB)
class ChecksumsConformanceTest {

  private static final String TEXT = "hello world";
  private static final String MD5 = "XrY7u+Ae7tCTyyK7j1rNww==";
  private static final String CRC64 = "vo7q9sPVKY0=";

  private final ScratchContainer container = ScratchContainer.create();

  /** The operations that send a body. Each uses a blob that is named after the operation. */
  enum Body {
    PUT_BLOB,
    PUT_BLOCK,
    APPEND_BLOCK;

    WireRequest of(ScratchContainer container, String text) {
      return switch (this) {
        case PUT_BLOB -> container.put("b", text);
        case PUT_BLOCK -> container.block("b", "1", text);
        case APPEND_BLOCK -> {
          container.storedLog("log");
          yield container.append("log", text);
        }
      };
    }

    void expectNothingIn(ScratchContainer container) {
      switch (this) {
        case PUT_BLOB, PUT_BLOCK -> refused(container.get("b").send(), 404, "BlobNotFound");
        case APPEND_BLOCK -> assertThat(container.content("log")).isEmpty();
      }
      assertThat(BlobListing.of(container, "include=uncommittedblobs").items()).doesNotContain("b");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "'', AAAAAAAAAAA=",
    "hello world, vo7q9sPVKY0=",
    "default, 6RYQPwaVsyQ=",
    "123456789, iJh5CoYUi64="
  })
  @Documented("blob-rest 6, 20.3: the test values of CRC64")
  @SeenOn(value = SeenOn.Service.AZURE, date = "2020 to 2023")
  @Differs("Azurite 3.37.0 supports CRC64 in some places only")
  void crc64IsThatOfTheReference(String text, String crc) {
    assertThat(Checksums.crc64(text)).isEqualTo(crc);
    expect(container.stored("b", text)).header("x-ms-content-crc64", crc);
    expect(container.put("b", text).header("x-ms-content-crc64", crc).send())
        .status(201)
        .header("x-ms-content-crc64", crc);
  }

  @ParameterizedTest
  @EnumSource
  @Documented("blob-rest 6, 20.3: correct checksums")
  void rightChecksumsAreAccepted(Body body) {
    expect(body.of(container, TEXT).header("Content-MD5", MD5).send())
        .status(201)
        .header("Content-MD5", MD5);
    expect(body.of(container, TEXT).header("x-ms-content-crc64", CRC64).send())
        .status(201)
        .header("x-ms-content-crc64", CRC64);
  }

  @ParameterizedTest
  @EnumSource(names = {"PUT_BLOCK", "APPEND_BLOCK"})
  @Documented("blob-features 10.2 A20: both checksums since version 2026-10-06")
  void newVersionsAnswerWithBothChecksums(Body body) {
    expect(body.of(container, TEXT).header("Content-MD5", MD5).send())
        .header("Content-MD5", MD5)
        .lacksHeader("x-ms-content-crc64");
    expect(
            body.of(container, TEXT)
                .header("x-ms-version", "2026-10-06")
                .header("Content-MD5", MD5)
                .send())
        .status(201)
        .header("Content-MD5", MD5)
        .header("x-ms-content-crc64", CRC64);
    expect(body.of(container, TEXT).header("x-ms-version", "2026-10-06").send())
        .status(201)
        .header("x-ms-content-crc64", CRC64)
        .lacksHeader("Content-MD5");
  }

  @ParameterizedTest
  @EnumSource
  @Documented("blob-rest 6, 20.3: wrong checksums")
  @SeenOn(value = SeenOn.Service.AZURE, date = "2020 to 2023")
  void aWrongMd5IsRefusedAndNothingIsKept(Body body) {
    String wrong = Checksums.md5("other");
    WireAnswer answer = body.of(container, TEXT).header("Content-MD5", wrong).send();
    refused(
        answer,
        400,
        "Md5Mismatch",
        "The MD5 value specified in the request did not match with the MD5 value calculated by the"
            + " server.");
    assertThat(answer.text())
        .contains("<UserSpecifiedMd5>" + wrong + "</UserSpecifiedMd5>")
        .contains("<ServerCalculatedMd5>" + MD5 + "</ServerCalculatedMd5>");
    body.expectNothingIn(container);
  }

  @ParameterizedTest
  @EnumSource
  @Documented("blob-rest 6, 20.3: wrong checksums")
  @SeenOn(value = SeenOn.Service.AZURE, date = "2020 to 2023")
  @Differs("Azurite 3.37.0 supports CRC64 in some places only")
  void aWrongCrc64IsRefusedAndNothingIsKept(Body body) {
    String wrong = Checksums.crc64("other");
    WireAnswer answer = body.of(container, TEXT).header("x-ms-content-crc64", wrong).send();
    refused(
        answer,
        400,
        "Crc64Mismatch",
        "The CRC64 value specified in the request did not match with the CRC64 value calculated by"
            + " the server.");
    assertThat(answer.text())
        .contains("<UserSpecifiedCrc>" + wrong + "</UserSpecifiedCrc>")
        .contains("<ServerCalculatedCrc>" + CRC64 + "</ServerCalculatedCrc>");
    body.expectNothingIn(container);
  }

  @ParameterizedTest
  @EnumSource
  @Documented("blob-rest 6, 20.3: malformed checksums")
  @SeenOn(value = SeenOn.Service.AZURE, date = "2020 to 2023")
  void anMd5OfAnotherLengthIsRefused(Body body) {
    refused(
        body.of(container, TEXT).header("Content-MD5", "AAAA").send(),
        400,
        "InvalidMd5",
        "The MD5 value specified in the request is invalid. MD5 value must be 128 bits and base64"
            + " encoded.");
    body.expectNothingIn(container);
  }

  @ParameterizedTest
  @EnumSource
  @Documented("blob-rest 6, 20.3: both checksums")
  void bothAtOnceAreRefused(Body body) {
    refused(
        body.of(container, TEXT)
            .header("Content-MD5", MD5)
            .header("x-ms-content-crc64", CRC64)
            .send(),
        400,
        "BothCrc64AndMd5HeaderPresent",
        "Both x-ms-content-crc64 header and Content-MD5 header are present.");
    body.expectNothingIn(container);
  }

  @ParameterizedTest
  @EnumSource(names = {"PUT_BLOCK", "APPEND_BLOCK"})
  @Documented("blob-rest 6: the answer has MD5 if the request had it, or else CRC64")
  @SeenOn(value = SeenOn.Service.AZURE, date = "2020 to 2023")
  @Differs("Azurite 3.37.0 supports CRC64 in some places only")
  void blocksAreAnsweredWithOneChecksum(Body body) {
    expect(body.of(container, TEXT).send())
        .header("x-ms-content-crc64", CRC64)
        .lacksHeader("Content-MD5");
    expect(body.of(container, TEXT).header("Content-MD5", MD5).send())
        .header("Content-MD5", MD5)
        .lacksHeader("x-ms-content-crc64");
  }

  @Test
  @Documented("blob-rest 6: the checksum of Put Block List is that of its own body")
  @SeenOn(value = SeenOn.Service.AZURE, date = "2020 to 2023")
  @Differs("Azurite 3.37.0 supports CRC64 in some places only")
  void aBlockListIsAnsweredWithTheChecksumOfItsBody() {
    expect(container.block("b", "1", TEXT).send()).status(201);
    String body = "<BlockList><Latest>" + ScratchContainer.blockId("1") + "</Latest></BlockList>";
    expect(container.on("PUT", "b", "comp=blocklist").body(body).send())
        .status(201)
        .header("x-ms-content-crc64", Checksums.crc64(body))
        .lacksHeader("Content-MD5");
    expect(
            container
                .on("PUT", "b", "comp=blocklist")
                .body(body)
                .header("Content-MD5", Checksums.md5(body))
                .send())
        .status(201)
        .header("Content-MD5", Checksums.md5(body))
        .header("x-ms-content-crc64", Checksums.crc64(body));
    refused(
        container
            .on("PUT", "b", "comp=blocklist")
            .body(body)
            .header("Content-MD5", Checksums.md5(TEXT))
            .send(),
        400,
        "Md5Mismatch");
  }

  @Test
  @Documented("blob-rest 6, 20.3; blob-features 10.2: x-ms-blob-content-md5 of Put Blob")
  @SeenOn(value = SeenOn.Service.AZURE, date = "2020 to 2023")
  void theStoredMd5IsVerifiedOnPutBlob() {
    refused(
        container.put("b", TEXT).header("x-ms-blob-content-md5", Checksums.md5("other")).send(),
        400,
        "Md5Mismatch");
    refused(container.get("b").send(), 404, "BlobNotFound");
    expect(container.put("b", TEXT).header("x-ms-blob-content-md5", MD5).send()).status(201);
    refused(
        container
            .put("b", TEXT)
            .header("x-ms-blob-content-md5", MD5)
            .header("Content-MD5", Checksums.md5("other"))
            .send(),
        400,
        "Md5Mismatch");
    assertThat(container.property("b", "Content-MD5")).isEqualTo(MD5);
  }

  @Test
  @Documented(
      "blob-rest 6: Put Block List and Set Properties store it unverified; otherwise there is none")
  void elsewhereTheStoredMd5IsTakenAsItIs() {
    String other = Checksums.md5("other");
    expect(container.block("b", "1", TEXT).send()).status(201);
    expect(container.commit("b", "Latest:1").send()).status(201);
    expect(container.head("b").send()).lacksHeader("Content-MD5");
    expect(container.commit("b", "Latest:1").header("x-ms-blob-content-md5", other).send())
        .status(201);
    assertThat(container.property("b", "Content-MD5")).isEqualTo(other);
    expect(container.on("PUT", "b", "comp=properties").header("x-ms-blob-content-md5", MD5).send())
        .status(200);
    assertThat(container.property("b", "Content-MD5")).isEqualTo(MD5);
  }

  @Test
  @Documented("blob-rest 6: Put Blob stores the MD5 that it computes; append blobs have none")
  void putBlobStoresTheMd5ThatItComputes() {
    container.stored("b", TEXT);
    assertThat(container.property("b", "Content-MD5")).isEqualTo(MD5);
    container.storedLog("log");
    expect(container.append("log", TEXT).header("Content-MD5", MD5).send()).status(201);
    expect(container.head("log").send()).lacksHeader("Content-MD5");
  }
}
