package io.lazuli.conformance.blob;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.Callable;
import org.awaitility.Awaitility;

/** Waits for time to pass on the other side: a second that dates tell apart, a lease that ends. */
final class Waiting {

  private static final Duration MAX = Duration.ofSeconds(90);

  private Waiting() {}

  static void until(Callable<Boolean> condition) {
    Awaitility.await()
        .atMost(MAX)
        .pollDelay(Duration.ofMillis(50))
        .pollInterval(Duration.ofMillis(100))
        .until(condition);
  }

  /** Until what happens from now on has another Last-Modified than what happened before. */
  static void forTheNextSecond() {
    long second = Instant.now().getEpochSecond();
    until(() -> Instant.now().getEpochSecond() > second);
  }
}
