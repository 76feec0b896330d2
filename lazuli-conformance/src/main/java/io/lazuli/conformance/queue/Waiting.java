package io.lazuli.conformance.queue;

import java.time.Duration;
import java.util.concurrent.Callable;
import org.awaitility.Awaitility;

/** Waits for time to pass on the other side: a period that ends, a message that expires. */
final class Waiting {

  private static final Duration USUAL_MAX = Duration.ofSeconds(20);

  private Waiting() {}

  static void until(Callable<Boolean> condition) {
    until(USUAL_MAX, condition);
  }

  static void until(Duration max, Callable<Boolean> condition) {
    Awaitility.await()
        .atMost(max)
        .pollDelay(Duration.ofMillis(100))
        .pollInterval(Duration.ofMillis(100))
        .until(condition);
  }
}
