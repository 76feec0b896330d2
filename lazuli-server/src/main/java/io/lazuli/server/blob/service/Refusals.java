package io.lazuli.server.blob.service;

import io.lazuli.server.error.ServiceError;
import org.jspecify.annotations.Nullable;

/** Turns refusals, which are values inside the service, into exceptions for its callers. */
final class Refusals {
  private Refusals() {}

  static void check(@Nullable ServiceError refusal) {
    if (refusal != null) {
      throw refusal.exception();
    }
  }
}
