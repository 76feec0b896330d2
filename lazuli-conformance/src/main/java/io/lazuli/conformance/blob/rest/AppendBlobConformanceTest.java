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
import io.lazuli.conformance.blob.Refusal;
import io.lazuli.conformance.blob.ScratchContainer;
import io.lazuli.conformance.wire.WireAnswer;
import io.lazuli.conformance.wire.WireRequest;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Append blobs: the answers and conditions of appends, and sealing. */
@Covers(value = Area.OPERATIONS, service = StorageService.BLOB)
class AppendBlobConformanceTest {

  private final ScratchContainer container = ScratchContainer.create();

  @Test
  @Documented("blob-rest 12.2, 19: offset and count")
  @SeenOn(value = SeenOn.Service.AZURE, date = "2020 to 2023")
  void anAppendTellsWhereItWent() {
    String before = container.storedLog("log").etag();
    WireAnswer first = container.append("log", "line1\n").send();
    expect(first)
        .status(201)
        .header("x-ms-blob-append-offset", "0")
        .header("x-ms-blob-committed-block-count", "1")
        .header("x-ms-request-server-encrypted", "true")
        .hasHeader("Last-Modified")
        .emptyBody();
    WireAnswer second = container.append("log", "line2\n").send();
    expect(second)
        .header("x-ms-blob-append-offset", "6")
        .header("x-ms-blob-committed-block-count", "2");
    assertThat(List.of(before, first.etag(), second.etag())).doesNotHaveDuplicates();
    assertThat(container.content("log")).isEqualTo("line1\nline2\n");
    assertThat(container.property("log", "ETag")).isEqualTo(second.etag());
  }

  @Test
  @Documented("blob-rest 12.2, 19, 20.8, 16: the position")
  @SeenOn(value = SeenOn.Service.AZURE, date = "2020 to 2023")
  void anAppendMayDemandAPosition() {
    container.storedLog("log");
    expect(at("line1\n", 0).send()).status(201);
    expect(at("line2\n", 6).send()).status(201).header("x-ms-blob-append-offset", "6");
    refused(
        at("line3\n", 6).send(),
        412,
        "AppendPositionConditionNotMet",
        "The append position condition specified was not met.");
    assertThat(container.content("log")).isEqualTo("line1\nline2\n");
  }

  private WireRequest at(String text, int position) {
    return container
        .append("log", text)
        .header("x-ms-blob-condition-appendpos", String.valueOf(position));
  }

  @Test
  @Documented("blob-rest 12.2, 20.8, 16: the size")
  @SeenOn(value = SeenOn.Service.AZURE, date = "2020 to 2023")
  void anAppendMayLimitTheSize() {
    container.storedLog("log");
    expect(upTo("12345", 5).send()).status(201);
    refused(
        upTo("6", 5).send(),
        412,
        "MaxBlobSizeConditionNotMet",
        "The max blob size condition specified was not met.");
    refused(upTo("6", 3).send(), 412, "MaxBlobSizeConditionNotMet");
    expect(upTo("67890", 10).send()).status(201);
    assertThat(container.content("log")).isEqualTo("1234567890");
  }

  private WireRequest upTo(String text, int size) {
    return container
        .append("log", text)
        .header("x-ms-blob-condition-maxsize", String.valueOf(size));
  }

  @Test
  @Documented("blob-rest 12.2: conditions that are not numbers")
  void theConditionsAreNumbers() {
    container.storedLog("log");
    for (String header : List.of("x-ms-blob-condition-appendpos", "x-ms-blob-condition-maxsize")) {
      refused(container.append("log", "x").header(header, "end").send(), 400, "InvalidHeaderValue");
      refused(container.append("log", "x").header(header, "-1").send(), 400, "InvalidHeaderValue");
    }
  }

  @Test
  @Documented("blob-rest 12.2: blobs that cannot be appended to")
  @SeenOn(value = SeenOn.Service.AZURE, date = "2020 to 2023")
  void onlyAppendBlobsGrow() {
    refused(container.append("log", "x").send(), 404, "BlobNotFound");
    container.stored("b", "x");
    refused(
        container.append("b", "x").send(),
        409,
        "InvalidBlobType",
        "The blob type is invalid for this operation.");
  }

  @Test
  @Documented("blob-rest 12.2: an append has at least one byte")
  @SeenOn(value = SeenOn.Service.AZURE, date = "2020 to 2023")
  void anAppendIsNotEmpty() {
    container.storedLog("log");
    Refusal.headerRefused(container.append("log", "").send(), "Content-Length", "0");
  }

  @Test
  @Documented("blob-rest 12.2, 20.8: metadata and properties survive")
  void appendingKeepsThePropertiesAndMetadata() {
    expect(
            container
                .putLog("log")
                .header("x-ms-blob-content-type", "text/csv")
                .header("x-ms-meta-owner", "ann")
                .send())
        .status(201);
    expect(container.append("log", "x").send()).status(201);
    expect(container.head("log").send())
        .header("Content-Type", "text/csv")
        .header("x-ms-meta-owner", "ann");
    expect(container.on("PUT", "log", "comp=metadata").header("x-ms-meta-to", "9").send())
        .status(200);
    expect(container.append("log", "y").send()).status(201);
    expect(container.head("log").send()).header("x-ms-meta-to", "9");
    assertThat(container.content("log")).isEqualTo("xy");
  }

  @Test
  @Documented("blob-rest 12.2, 15: a block of 8 MiB in one append")
  void anAppendMayBeLarge() {
    container.storedLog("log");
    expect(container.append("log", "x".repeat(8 << 20)).send())
        .status(201)
        .header("x-ms-blob-committed-block-count", "1");
    assertThat(container.property("log", "Content-Length")).isEqualTo("8388608");
  }

  @Test
  @Documented("blob-rest 12.2: a body that ends early is not appended")
  void anAppendThatEndsEarlyLeavesNothing() {
    container.storedLog("log");
    expect(container.append("log", "whole").send()).status(201);
    AbortedUpload.send(
        container.append("log", "x".repeat(1000)).header("Content-Length", "100000"));
    assertThat(container.content("log")).isEqualTo("whole");
  }

  @Test
  @Documented("blob-rest 12.4, 20.8, 16; blob-features 10.3: sealing changes the ETag")
  @SeenOn(value = SeenOn.Service.AZURE, date = "2020 to 2023")
  @Differs("Azurite 3.37.0 has another text")
  void aSealedBlobGrowsNoMore() {
    container.storedLog("log");
    WireAnswer last = container.append("log", "last").send();
    WireAnswer sealed = container.on("PUT", "log", "comp=seal").send();
    expect(sealed).status(200).header("x-ms-blob-sealed", "true").hasHeader("Last-Modified");
    assertThat(sealed.etag()).isNotEqualTo(last.etag());
    expect(container.head("log").send()).header("ETag", sealed.etag());
    expect(container.on("PUT", "log", "comp=seal").send())
        .status(200)
        .header("x-ms-blob-sealed", "true");
    refused(
        container.append("log", "more").send(),
        409,
        "BlobIsSealed",
        "The blob is sealed and its contents cannot be modified.");
    expect(container.head("log").send()).header("x-ms-blob-sealed", "true");
    expect(container.get("log").send()).header("x-ms-blob-sealed", "true");
    assertThat(BlobListing.of(container, "").properties("log").text("Sealed")).isEqualTo("true");
    expect(container.on("PUT", "log", "comp=metadata").send()).status(200);
    expect(container.on("PUT", "log", "comp=properties").send()).status(200);
    container.storedLog("log");
    expect(container.append("log", "new").send()).status(201);
  }

  @Test
  @Documented("blob-rest 12.4: sealing at a position, and blobs that cannot be sealed")
  @Differs("Azurite 3.37.0 seals at any position")
  void onlyAppendBlobsAreSealed() {
    container.storedLog("log");
    expect(container.append("log", "last").send()).status(201);
    refused(
        container.on("PUT", "log", "comp=seal").header("x-ms-blob-condition-appendpos", "3").send(),
        412,
        "AppendPositionConditionNotMet");
    expect(
            container
                .on("PUT", "log", "comp=seal")
                .header("x-ms-blob-condition-appendpos", "4")
                .send())
        .status(200);
    container.stored("b", "x");
    refused(container.on("PUT", "b", "comp=seal").send(), 409, "InvalidBlobType");
    refused(container.on("PUT", "none", "comp=seal").send(), 404, "BlobNotFound");
  }

  @Test
  @Tag("long")
  @Documented("blob-rest 12.2, 15, 16: 50,000 blocks and no more")
  void anAppendBlobHasAtMost50000Blocks() {
    container.storedLog("log");
    for (int i = 0; i < 50_000; i++) {
      expect(container.append("log", "x").send()).status(201);
    }
    refused(
        container.append("log", "x").send(),
        409,
        "BlockCountExceedsLimit",
        "The committed block count cannot exceed the maximum limit of 50,000 blocks.");
  }
}
