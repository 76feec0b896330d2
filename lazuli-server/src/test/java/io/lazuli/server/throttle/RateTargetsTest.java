package io.lazuli.server.throttle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.lazuli.server.error.CommonErrors;
import io.lazuli.server.error.ServiceException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class RateTargetsTest {
  private long now = Long.MAX_VALUE - Duration.ofSeconds(5).toNanos();

  @Test
  void aSecondsWorthPassesAtOnceAndThenAsMuchAsTimeGives() {
    RateTargets<String> targets = targets(10);
    assertThat(admitted(targets, "a", 25)).isEqualTo(10);
    pass(Duration.ofMillis(300));
    assertThat(admitted(targets, "a", 25)).isEqualTo(3);
    pass(Duration.ofHours(1));
    assertThat(admitted(targets, "a", 25)).isEqualTo(10);
  }

  /** The clock starts shortly before it overflows, as {@link System#nanoTime} may. */
  @Test
  void theTargetIsKeptOverManySeconds() {
    RateTargets<String> targets = targets(100);
    int passed = 0;
    for (int i = 0; i < 1_000; i++) {
      passed += admitted(targets, "a", 3);
      pass(Duration.ofMillis(10));
    }
    assertThat(passed).isBetween(1_000, 1_100);
  }

  @Test
  void keysDoNotPayForEachOther() {
    RateTargets<String> targets = targets(5);
    assertThat(admitted(targets, "a", 9)).isEqualTo(5);
    assertThat(admitted(targets, "b", 9)).isEqualTo(5);
  }

  @Test
  void aRefusedOperationCostsNothing() {
    RateTargets<String> targets = targets(10);
    targets.charge("a", 8);
    for (int i = 0; i < 100; i++) {
      assertThat(retryAfter(targets, 5)).isEqualTo("1");
    }
    targets.charge("a", 2);
  }

  @Test
  void aTransactionLargerThanASecondsWorthIsPaidOffLater() {
    RateTargets<String> targets = targets(10);
    targets.charge("a", 35);
    assertThat(retryAfter(targets, 1)).isEqualTo("3");
    pass(Duration.ofMillis(2_500));
    assertThat(retryAfter(targets, 1)).isEqualTo("1");
    pass(Duration.ofMillis(100));
    targets.charge("a", 1);
  }

  @Test
  void operationsCountedAfterwardsAreAddedToTheDebt() {
    RateTargets<String> targets = targets(10);
    targets.charge("a", 1);
    targets.spend("a", 19);
    assertThat(retryAfter(targets, 1)).isEqualTo("2");
  }

  @Test
  void aDebtEndsAfterHalfAMinute() {
    RateTargets<String> targets = targets(1);
    targets.spend("a", 1_000_000);
    assertThat(retryAfter(targets, 1)).isEqualTo("30");
  }

  @Test
  void onlySoManyKeysAreRememberedAndIdleOnesAreForgotten() {
    RateTargets<String> targets = targets(1);
    for (int i = 0; i < 1_000; i++) {
      targets.charge("key" + i, 1);
    }
    assertThat(targets.keys()).isLessThanOrEqualTo(100);
    pass(Duration.ofMinutes(2));
    assertThat(targets.keys()).isZero();
  }

  @Test
  void withoutATargetNothingIsRememberedAndAllPasses() {
    RateTargets<String> targets = targets(0);
    assertThat(targets.isOn()).isFalse();
    assertThat(admitted(targets, "a", 1_000)).isEqualTo(1_000);
    targets.spend("a", 1_000);
    assertThat(targets.keys()).isZero();
  }

  @Test
  void manyThreadsGetNoMoreThanOne() throws InterruptedException {
    RateTargets<String> targets = targets(1_000);
    AtomicInteger passed = new AtomicInteger();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      threads.add(new Thread(() -> passed.addAndGet(admitted(targets, "a", 2_000))));
    }
    threads.forEach(Thread::start);
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(passed).hasValue(1_000);
  }

  private RateTargets<String> targets(int perSecond) {
    return new RateTargets<>(perSecond, 100, CommonErrors.SERVER_BUSY, () -> now);
  }

  private void pass(Duration time) {
    now += time.toNanos();
  }

  private static int admitted(RateTargets<String> targets, String key, int attempts) {
    int passed = 0;
    for (int i = 0; i < attempts; i++) {
      try {
        targets.charge(key, 1);
        passed++;
      } catch (ServiceException refused) {
        assertThat(refused.error()).isEqualTo(CommonErrors.SERVER_BUSY);
      }
    }
    return passed;
  }

  private static String retryAfter(RateTargets<String> targets, int operations) {
    ServiceException refused =
        catchThrowableOfType(ServiceException.class, () -> targets.charge("a", operations));
    assertThat(refused).isNotNull();
    return refused.details().get(RateTargets.RETRY_AFTER_SECONDS);
  }
}
