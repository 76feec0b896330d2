package io.lazuli.server.blob.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.server.http.RawConnection.Answer;
import org.jspecify.annotations.Nullable;

/**
 * The answer that a model expects.
 *
 * @param code null for success, and for a refusal whose code the specification does not state
 */
record Expected(int status, @Nullable String code) {
  static Expected of(int status, @Nullable String code) {
    return new Expected(status, code);
  }

  boolean isSuccess() {
    return status < 300;
  }

  void verify(Answer answer) {
    String found = answer.header("x-ms-error-code");
    assertThat(answer.status()).as("%s: %s", found, answer.body()).isEqualTo(status);
    if (isSuccess()) {
      assertThat(found).isNull();
    } else if (code == null) {
      assertThat(found).isNotEmpty();
    } else {
      assertThat(found).isEqualTo(code);
    }
  }
}
