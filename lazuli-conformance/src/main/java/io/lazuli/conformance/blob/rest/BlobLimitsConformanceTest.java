package io.lazuli.conformance.blob.rest;

import static io.lazuli.conformance.blob.Refusal.refused;
import static io.lazuli.conformance.wire.AnswerAssert.expect;
import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.conformance.Area;
import io.lazuli.conformance.Covers;
import io.lazuli.conformance.Documented;
import io.lazuli.conformance.StorageService;
import io.lazuli.conformance.blob.ScratchContainer;
import io.lazuli.conformance.wire.WireAnswer;
import io.lazuli.conformance.wire.WireRequest;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The limits on the sizes of bodies and header values. */
@Covers(value = Area.LIMITS, service = StorageService.BLOB)
class BlobLimitsConformanceTest {

  private final ScratchContainer container = ScratchContainer.create();

  /**
   * Sends a request that announces the length of its body, and waits for the answer without sending
   * the body.
   */
  private WireAnswer announced(WireRequest request, long length) {
    return request
        .header("Content-Length", String.valueOf(length))
        .header("Expect", "100-continue")
        .send();
  }

  @Test
  @Documented("blob-rest 15, 10.1, 16: a blob of more than 5,000 MiB in one request")
  void putBlobHasALimit() {
    WireAnswer answer = announced(container.put("b", new byte[0]), 5_000L * (1 << 20) + 1);
    refused(answer, 413, "RequestBodyTooLarge");
    assertThat(answer.text()).contains("<MaxLimit>5242880000</MaxLimit>");
  }

  @Test
  @Documented("blob-rest 15, 11.1, 16: a block of more than 4,000 MiB")
  void aBlockHasALimit() {
    WireAnswer answer = announced(container.block("b", "1", ""), 4_000L * (1 << 20) + 1);
    refused(answer, 413, "RequestBodyTooLarge");
    assertThat(answer.text()).contains("<MaxLimit>4194304000</MaxLimit>");
  }

  @Test
  @Documented("blob-rest 15, 12.2, 16: an append of more than 100 MiB")
  void anAppendHasALimit() {
    container.storedLog("log");
    WireAnswer answer = announced(container.append("log", ""), 100L * (1 << 20) + 1);
    refused(answer, 413, "RequestBodyTooLarge");
    assertThat(answer.text()).contains("<MaxLimit>104857600</MaxLimit>");
  }

  @Test
  @Documented("blob-rest 15: a source of more than 2 KiB")
  void aCopySourceHasALimit() {
    String source = container.url("x".repeat(900)) + "?a=" + "y".repeat(1_500);
    expect(container.copy("b", source).send()).refused();
  }

  @Test
  @Documented("blob-rest 15, 10.1: tags in a header have a limit")
  void tagsInAHeaderHaveALimit() {
    String eleven = String.join("&", IntStream.range(0, 11).mapToObj(i -> "k" + i + "=v").toList());
    expect(container.put("b", "x").header("x-ms-tags", eleven).send()).refused();
    refused(container.get("b").send(), 404, "BlobNotFound");
  }
}
