package io.lazuli.conformance.wire;

import org.assertj.core.api.AbstractAssert;
import org.assertj.core.api.Assertions;

/** Assertions about an answer. A failure shows the whole answer. */
public final class AnswerAssert extends AbstractAssert<AnswerAssert, WireAnswer> {

  private AnswerAssert(WireAnswer answer) {
    super(answer, AnswerAssert.class);
    as("%s", answer);
  }

  public static AnswerAssert expect(WireAnswer answer) {
    return new AnswerAssert(answer);
  }

  public AnswerAssert status(int status) {
    Assertions.assertThat(actual.status()).as(descriptionText()).isEqualTo(status);
    return this;
  }

  public AnswerAssert header(String name, String value) {
    Assertions.assertThat(actual.header(name)).as(descriptionText()).hasValue(value);
    return this;
  }

  public AnswerAssert hasHeader(String name) {
    Assertions.assertThat(actual.header(name)).as(name + " in " + descriptionText()).isPresent();
    return this;
  }

  public AnswerAssert lacksHeader(String name) {
    Assertions.assertThat(actual.header(name)).as(name + " in " + descriptionText()).isEmpty();
    return this;
  }

  public AnswerAssert emptyBody() {
    Assertions.assertThat(actual.body()).as(descriptionText()).isEmpty();
    return this;
  }

  /** Expects an error with this code and any message. */
  public AnswerAssert error(int status, String code) {
    status(status);
    Assertions.assertThat(actual.errorCode()).as(descriptionText()).isEqualTo(code);
    return this;
  }

  public AnswerAssert error(int status, String code, String message) {
    error(status, code);
    Assertions.assertThat(actual.errorMessage()).as(descriptionText()).isEqualTo(message);
    return this;
  }

  /** Expects an error of the client: a status from 400 to 499 and an error body with a code. */
  public AnswerAssert refused() {
    Assertions.assertThat(actual.status()).as(descriptionText()).isBetween(400, 499);
    Assertions.assertThat(actual.errorCode()).as(descriptionText()).isNotEmpty();
    return this;
  }
}
