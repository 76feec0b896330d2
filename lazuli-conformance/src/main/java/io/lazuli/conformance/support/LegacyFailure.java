package io.lazuli.conformance.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.microsoft.azure.storage.StorageException;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** Checks the errors that the legacy client throws. */
public final class LegacyFailure {
  private LegacyFailure() {}

  public static void expectError(ThrowingCallable call, int status, String code) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            StorageException.class,
            e -> {
              assertThat(e.getHttpStatusCode()).isEqualTo(status);
              assertThat(e.getErrorCode()).isEqualTo(code);
            });
  }
}
