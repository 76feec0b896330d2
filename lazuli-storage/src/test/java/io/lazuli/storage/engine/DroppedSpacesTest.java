package io.lazuli.storage.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class DroppedSpacesTest {
  private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 5);
  private final DroppedSpaces dropped = new DroppedSpaces(nanos::get);

  @Test
  void aDropIsRememberedForADayAndThenForgotten() {
    dropped.add(1);
    nanos.addAndGet(Duration.ofHours(24).toNanos());
    dropped.add(2);
    assertThat(dropped.contains(1)).isTrue();
    nanos.addAndGet(1);
    dropped.add(3);
    assertThat(dropped.contains(1)).isFalse();
    assertThat(dropped.contains(2)).isTrue();
    assertThat(dropped.contains(3)).isTrue();
  }

  @Test
  void aSpaceDroppedAgainIsStillKnown() {
    dropped.add(1);
    dropped.add(1);
    assertThat(dropped.contains(1)).isTrue();
    assertThat(dropped.contains(2)).isFalse();
  }
}
