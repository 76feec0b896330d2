package io.lazuli.storage.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class EngineClockTest {
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
}
