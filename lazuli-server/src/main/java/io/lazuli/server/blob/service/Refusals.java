package io.lazuli.server.blob.service;

import io.lazuli.server.error.CommonErrors;
import io.lazuli.server.error.ServiceError;
import io.lazuli.server.error.ServiceException;
import org.jspecify.annotations.Nullable;

/** Turns refusals, which are values inside of the service, into what its caller is thrown. */
final class Refusals {
  private Refusals() {}

  static void check(@Nullable ServiceError refusal) {
    if (refusal != null) {
      throw refusal.exception();
    }
  }

  /** Of something that did not take place; without a refusal that is nobody's fault but ours. */
  static ServiceException exception(@Nullable ServiceError refusal) {
    return (refusal == null ? CommonErrors.INTERNAL_ERROR : refusal).exception();
  }
}
