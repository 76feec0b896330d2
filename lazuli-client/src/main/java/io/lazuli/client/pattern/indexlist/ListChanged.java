package io.lazuli.client.pattern.indexlist;

import java.time.Duration;
import reactor.util.retry.Retry;

/** Others changed a list between reading and writing it; after many attempts, for good. */
final class ListChanged extends RuntimeException {
  private static final long serialVersionUID = 1;
  private static final int ATTEMPTS_MAX = 20;
  private static final Duration BACKOFF_MIN = Duration.ofMillis(5);
  private static final Duration BACKOFF_MAX = Duration.ofMillis(500);
  private static final double JITTER = 0.9;

  ListChanged() {
    super("others changed the list at every attempt");
  }

  /** Begins anew, with growing, random pauses. */
  static Retry again() {
    return Retry.backoff(ATTEMPTS_MAX - 1L, BACKOFF_MIN)
        .maxBackoff(BACKOFF_MAX)
        .jitter(JITTER)
        .filter(ListChanged.class::isInstance)
        .onRetryExhaustedThrow((spec, signal) -> signal.failure());
  }
}
