package io.lazuli.storage.hbase.commit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lazuli.storage.StorageException;
import io.lazuli.storage.Ticks;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** The cluster's time on a server whose clock the test sets. */
class ClusterClockTest {
  private static final long START_MILLIS = 1_700_000_000_000L;
  private static final long START = START_MILLIS * (Ticks.PER_SECOND / 1_000);

  private final AtomicLong millis = new AtomicLong(START_MILLIS);
  private final AtomicLong nanos = new AtomicLong();
  private final ClusterClock clock = clock(0, 0);

  private ClusterClock clock(long floor, long offsetMillis) {
    return new ClusterClock(
        () -> millis.get() * (Ticks.PER_SECOND / 1_000),
        millis::get,
        floor,
        offsetMillis,
        nanos::get);
  }

  @Test
  void theTimeIsOurClockPlusTheOffset() {
    ClusterClock ahead = clock(0, 1_500);
    assertThat(ahead.now()).isEqualTo(START + 3 * Ticks.PER_SECOND / 2);
    assertThat(ahead.cellMillis()).isEqualTo(START_MILLIS + 1_500);
  }

  @Test
  void theTimeDoesNotGoBackWhenTheOffsetDoes() {
    clock.correct(10_000);
    long before = clock.now();
    clock.correct(-10_000);
    assertThat(clock.now()).isEqualTo(before);
    assertThat(clock.cellMillis()).isEqualTo(START_MILLIS - 10_000);
  }

  @Test
  void timestampsRiseAboveTheRowAndAllEarlierOnes() {
    long first = clock.timestampAbove(0);
    long second = clock.timestampAbove(0);
    long third = clock.timestampAbove(second + 100);
    assertThat(second).isGreaterThan(first);
    assertThat(third).isGreaterThan(second + 100);
    assertThat(clock.timestampAbove(0)).isGreaterThan(second);
  }

  @Test
  void theTimeStartsWhereTheLastServerEnded() {
    assertThat(clock(START + 5, 0).now()).isEqualTo(START + 5);
    assertThat(clock(START + 5, 0).highest()).isEqualTo(START + 5);
  }

  @Test
  void anImplausibleOffsetIsRejectedAndTheTimeIsUnavailable() {
    clock.correct(Duration.ofDays(1).toMillis());
    assertThat(clock.cellMillis()).isEqualTo(START_MILLIS);
    assertThat(clock.highest()).isLessThan(START + Ticks.PER_SECOND);
    assertThat(clock.fault())
        .isEqualTo("the cluster's clock differs from this machine's by 86400 s");
    assertThatThrownBy(clock::now)
        .isInstanceOfSatisfying(
            StorageException.class,
            e -> assertThat(e.kind()).isEqualTo(StorageException.Kind.UNAVAILABLE));
    clock.correct(-Duration.ofDays(1).toMillis());
    assertThat(clock.cellMillis()).isEqualTo(START_MILLIS);
    assertThat(clock.fault()).isNotEmpty();
  }

  @Test
  void theTimeIsAvailableAgainOnceTheClocksAgree() {
    clock.correct(61_000);
    clock.correct(60_000);
    assertThat(clock.fault()).isEmpty();
    assertThat(clock.now()).isEqualTo(START + 60 * Ticks.PER_SECOND);
  }

  @Test
  void withoutAMeasurementTheTimeIsUnavailable() {
    nanos.set(Duration.ofMinutes(2).toNanos());
    assertThat(clock.fault()).isEmpty();
    nanos.incrementAndGet();
    assertThat(clock.fault()).isEqualTo("the cluster's time is not known");
    assertThatThrownBy(clock::now).isInstanceOf(StorageException.class);
    clock.correct(0);
    assertThat(clock.now()).isEqualTo(START);
  }
}
