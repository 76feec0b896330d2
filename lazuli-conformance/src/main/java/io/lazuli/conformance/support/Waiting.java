package io.lazuli.conformance.support;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.Callable;
import org.awaitility.Awaitility;

/** Waits for time to pass on the server: for the next second, or for a period or a lease to end. */
public final class Waiting {

  private static final Duration USUAL_MAX = Duration.ofSeconds(30);

  private Waiting() {}

  public static void until(Callable<Boolean> condition) {
    until(USUAL_MAX, condition);
  }

  public static void until(Duration max, Callable<Boolean> condition) {
    Awaitility.await()
        .atMost(max)
        .pollDelay(Duration.ofMillis(50))
        .pollInterval(Duration.ofMillis(100))
        .until(condition);
  }

  /** Waits until a change has a later Last-Modified than the changes before this call. */
  public static void forTheNextSecond() {
    long second = Instant.now().getEpochSecond();
    until(() -> Instant.now().getEpochSecond() > second);
  }
}
