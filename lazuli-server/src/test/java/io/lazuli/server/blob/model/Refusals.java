package io.lazuli.server.blob.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.lazuli.server.error.ServiceError;
import io.lazuli.server.error.ServiceException;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** Assertions on refused input: the error and its details. */
public final class Refusals {
  private Refusals() {}

  /** Asserts that the call is refused with that error. Returns the details. */
  public static Map<String, String> refused(ServiceError error, ThrowingCallable call) {
    ServiceException refusal = catchThrowableOfType(ServiceException.class, call);
    assertThat(refusal).isNotNull();
    assertThat(refusal.error()).isEqualTo(error);
    return refusal.details();
  }
}
