package io.lazuli.client.pattern.indexlist;

import java.time.Duration;
import reactor.util.retry.Retry;

/**
 * Another client changed a list after it was read. The operation starts over and fails only after
 * many attempts.
 */
final class ListChanged extends RuntimeException {
  private static final long serialVersionUID = 1;
  private static final int ATTEMPTS_MAX = 20;
  private static final Duration BACKOFF_MIN = Duration.ofMillis(5);
  private static final Duration BACKOFF_MAX = Duration.ofMillis(500);
  private static final double JITTER = 0.9;

  ListChanged() {
    super("other clients changed the list at every attempt");
  }

  /** Returns a retry that starts over, with growing random pauses. */
  static Retry again() {
    return Retry.backoff(ATTEMPTS_MAX - 1L, BACKOFF_MIN)
        .maxBackoff(BACKOFF_MAX)
        .jitter(JITTER)
        .filter(ListChanged.class::isInstance)
        .onRetryExhaustedThrow((spec, signal) -> signal.failure());
  }
}
