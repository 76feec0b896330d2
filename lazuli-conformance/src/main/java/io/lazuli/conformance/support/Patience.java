package io.lazuli.conformance.support;

import io.lazuli.conformance.AccountUnderTest;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.awaitility.core.ThrowingRunnable;

/**
 * Waits for changes that take effect within 30 seconds on Azure and immediately on emulators: a
 * changed access policy (auth 6.1), changed service properties (table-rest 6.6), or a name that is
 * free again.
 */
public final class Patience {

  private static final Duration AZURE_MAX = Duration.ofSeconds(90);
  private static final Duration EMULATOR_MAX = Duration.ofSeconds(10);

  private Patience() {}

  /** Repeats an assertion until it holds; fails with the last error. */
  public static void eventually(ThrowingRunnable assertion) {
    boolean emulator = AccountUnderTest.isEmulator();
    Awaitility.await()
        .atMost(emulator ? EMULATOR_MAX : AZURE_MAX)
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofMillis(emulator ? 100 : 1000))
        .untilAsserted(assertion);
  }
}
