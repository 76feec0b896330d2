package io.lazuli.storage.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class HistogramTest {
  @Test
  void aShareOfTheTimesIsWithinTheClassOfItsLargest() {
    Histogram times = Histogram.ofNanos();
    for (int i = 0; i < 99; i++) {
      times.record(70_000);
    }
    times.record(700_000_000);
    assertThat(Histogram.millisWithin(times.counts(), 0.5)).isBetween(0.05, 0.1);
    assertThat(Histogram.millisWithin(times.counts(), 0.99)).isCloseTo(0.1, within(1e-9));
    assertThat(Histogram.millisWithin(times.counts(), 1)).isCloseTo(1_000, within(1e-9));
  }

  @Test
  void timesBeyondTheLargestClassAreItsBound() {
    Histogram times = Histogram.ofNanos();
    assertThat(Histogram.millisWithin(times.counts(), 0.99)).isNaN();
    times.record(60_000_000_000L);
    assertThat(Histogram.millisWithin(times.counts(), 0.99)).isEqualTo(10_000);
  }
}
