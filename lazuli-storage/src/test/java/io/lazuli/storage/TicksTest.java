package io.lazuli.storage;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;

final class TicksTest {
  @Property
  void ticksComeBack(@ForAll @LongRange(min = 0, max = Long.MAX_VALUE) long ticks) {
    assertThat(Ticks.of(Ticks.toInstant(ticks))).isEqualTo(ticks);
  }

  @Example
  void knownMomentsHaveKnownTicks() {
    assertThat(Ticks.of(Instant.parse("1601-01-01T00:00:00Z"))).isZero();
    assertThat(Ticks.of(Instant.EPOCH)).isEqualTo(116_444_736_000_000_000L);
    assertThat(Ticks.of(Instant.parse("1970-01-01T00:00:00.0000001Z")))
        .isEqualTo(116_444_736_000_000_001L);
    assertThat(Ticks.toInstant(Ticks.PER_SECOND)).isEqualTo(Instant.parse("1601-01-01T00:00:01Z"));
  }

  @Example
  void whatIsFinerThanATickIsCutOff() {
    assertThat(Ticks.of(Instant.ofEpochSecond(0, 199))).isEqualTo(116_444_736_000_000_001L);
  }
}
