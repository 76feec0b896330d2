package io.lazuli.conformance.queue;

import java.time.Duration;
import java.util.concurrent.Callable;
import org.awaitility.Awaitility;

/** Waits for time to pass on the other side: a period that ends, a message that expires. */
final class Waiting {

  private static final Duration MAX = Duration.ofMinutes(2);

  private Waiting() {}

  static void until(Callable<Boolean> condition) {
    Awaitility.await()
        .atMost(MAX)
        .pollDelay(Duration.ofMillis(100))
        .pollInterval(Duration.ofMillis(100))
        .until(condition);
  }
}
