package io.lazuli.conformance.blob;

import static io.lazuli.conformance.wire.AnswerAssert.expect;
import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.conformance.wire.WireAnswer;

/**
 * Checks errors as clients do: the code must be in a header and, if the answer has a body, in the
 * body too.
 */
public final class Refusal {

  private Refusal() {}

  public static void refused(WireAnswer answer, int status, String code) {
    expect(answer).status(status).header("x-ms-error-code", code);
    if (answer.body().length > 0) {
      expect(answer).error(status, code).header("Content-Type", "application/xml");
    }
  }

  public static void refused(WireAnswer answer, int status, String code, String message) {
    refused(answer, status, code);
    expect(answer).error(status, code, message);
  }

  /** Expects an error that names a header and its wrong value. */
  public static void headerRefused(WireAnswer answer, String header, String value) {
    refused(answer, 400, "InvalidHeaderValue");
    assertThat(answer.text())
        .contains("<HeaderName>" + header + "</HeaderName>")
        .contains("<HeaderValue>" + value + "</HeaderValue>");
  }
}
