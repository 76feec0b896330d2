package io.lazuli.conformance.wire;

import io.lazuli.conformance.AccountUnderTest;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.awaitility.core.ThrowingRunnable;

/**
 * Waits for what the live service does within 30 seconds and others do at once: a changed access
 * policy (auth.md 6.1), changed service properties (table-rest.md 6.6), a name that is free again.
 */
public final class Patience {

  private static final Duration ELSEWHERE_MAX = Duration.ofSeconds(90);
  private static final Duration HERE_MAX = Duration.ofSeconds(2);

  private Patience() {}

  /** Repeats what asserts something until it holds; fails with its last complaint. */
  public static void eventually(ThrowingRunnable assertion) {
    boolean elsewhere = AccountUnderTest.isElsewhere();
    Awaitility.await()
        .atMost(elsewhere ? ELSEWHERE_MAX : HERE_MAX)
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofMillis(elsewhere ? 1000 : 100))
        .untilAsserted(assertion);
  }
}
