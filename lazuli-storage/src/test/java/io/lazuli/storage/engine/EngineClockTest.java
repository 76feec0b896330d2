package io.lazuli.storage.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.storage.Ticks;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class EngineClockTest {
  private static final long HOUR = 3_600 * Ticks.PER_SECOND;
  private static final long DAY = 24 * HOUR;

  private final AtomicLong ticks = new AtomicLong(100);

  @Test
  void timestampsRiseByOneWhileTheClockStandsOrGoesBack() {
    EngineClock clock = new EngineClock(ticks::get, 0);
    assertThat(clock.timestamp()).isEqualTo(100);
    assertThat(clock.timestamp()).isEqualTo(101);
    ticks.set(50);
    assertThat(clock.timestamp()).isEqualTo(102);
    assertThat(clock.now()).isEqualTo(102);
    ticks.set(200);
    assertThat(clock.now()).isEqualTo(200);
    assertThat(clock.timestamp()).isEqualTo(201);
    assertThat(clock.highest()).isEqualTo(201);
  }

  @Test
  void everythingIsAtOrAboveTheFloor() {
    assertThat(new EngineClock(ticks::get, 500).now()).isEqualTo(500);
    assertThat(new EngineClock(ticks::get, 500).timestamp()).isEqualTo(501);
  }

  /** Time that stands still would hide messages and keep leases for a day. */
  @Test
  void timeRunsAtHalfSpeedUntilAClockThatWasSetBackHasCaughtUp() {
    AtomicLong nanos = new AtomicLong();
    ticks.set(DAY);
    EngineClock clock = new EngineClock(ticks::get, 0, nanos::get);
    assertThat(clock.now()).isEqualTo(DAY);
    ticks.set(0);
    assertThat(clock.now()).isEqualTo(DAY);
    long last = DAY;
    for (int hour = 1; hour <= 45; hour++) {
      ticks.addAndGet(HOUR);
      nanos.addAndGet(HOUR * 100);
      long expected = DAY + hour * HOUR / 2;
      assertThat(clock.now()).isBetween(expected, expected + hour);
      long timestamp = clock.timestamp();
      assertThat(timestamp).isGreaterThan(last);
      last = timestamp;
    }
    ticks.addAndGet(4 * HOUR);
    assertThat(clock.now()).isEqualTo(49 * HOUR);
    ticks.addAndGet(-HOUR);
    assertThat(clock.now()).isEqualTo(49 * HOUR);
    nanos.addAndGet(HOUR * 100);
    assertThat(clock.now()).isEqualTo(49 * HOUR + HOUR / 2);
  }

  @Test
  void aRestartAfterTheClockWasSetBackDoesNotStopTime() {
    AtomicLong nanos = new AtomicLong(7);
    EngineClock clock = new EngineClock(() -> 0, DAY, nanos::get);
    assertThat(clock.now()).isEqualTo(DAY);
    nanos.addAndGet(200);
    assertThat(clock.now()).isEqualTo(DAY + 1);
  }
}
