package io.lazuli.storage;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.storage.fuzz.Fuzz;
import io.lazuli.storage.fuzz.Values;
import java.time.Instant;
import org.junit.jupiter.api.Test;

final class TicksTest {
  @Test
  void ticksComeBack() {
    Fuzz.forAll(
        1_000,
        Values.longs(0, Long.MAX_VALUE),
        ticks -> assertThat(Ticks.of(Ticks.toInstant(ticks))).isEqualTo(ticks));
  }

  @Test
  void knownMomentsHaveKnownTicks() {
    assertThat(Ticks.of(Instant.parse("1601-01-01T00:00:00Z"))).isZero();
    assertThat(Ticks.of(Instant.EPOCH)).isEqualTo(116_444_736_000_000_000L);
    assertThat(Ticks.of(Instant.parse("1970-01-01T00:00:00.0000001Z")))
        .isEqualTo(116_444_736_000_000_001L);
    assertThat(Ticks.toInstant(Ticks.PER_SECOND)).isEqualTo(Instant.parse("1601-01-01T00:00:01Z"));
  }

  @Test
  void fractionsOfATickAreCutOff() {
    assertThat(Ticks.of(Instant.ofEpochSecond(0, 199))).isEqualTo(116_444_736_000_000_001L);
  }
}
