package io.lazuli.cluster.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** The clock, the histogram, the distribution of keys, and the log. */
final class PartsTest {
  private final Events events = new Events();
  private final SplittableRandom random = new SplittableRandom(11);

  @Test
  void eventsHappenInTheOrderOfTimeAndThenOfAddition() {
    List<Integer> seen = new ArrayList<>();
    List<Long> times = new ArrayList<>();
    for (int i = 0; i < 20_000; i++) {
      int number = i;
      events.at(
          random.nextLong(1_000),
          () -> {
            seen.add(number);
            times.add(events.now());
          });
    }
    events.run(1_000);
    assertThat(seen).hasSize(20_000);
    for (int i = 1; i < seen.size(); i++) {
      boolean later = times.get(i) > times.get(i - 1);
      assertThat(later || (times.get(i).equals(times.get(i - 1)) && seen.get(i) > seen.get(i - 1)))
          .isTrue();
    }
  }

  @Test
  void quantilesAreAtMostThreePercentTooHigh() {
    Histogram histogram = new Histogram();
    long[] values = random.longs(100_000, 0, 1L << 40).toArray();
    for (long value : values) {
      histogram.add(value);
    }
    java.util.Arrays.sort(values);
    for (double part : new double[] {0.001, 0.5, 0.99, 0.999}) {
      double exact = values[(int) Math.ceil(part * values.length) - 1];
      assertThat(histogram.quantile(part) / exact).isBetween(1.0, 1.0313);
    }
    assertThat(new Histogram().quantile(0.5)).isZero();
  }

  @Test
  void ranksHaveTheirProbabilities() {
    for (double exponent : new double[] {0, 0.6, 0.99, 1, 1.2}) {
      Zipf zipf = new Zipf(1_000, exponent);
      int[] counts = new int[1_001];
      int draws = 200_000;
      for (int i = 0; i < draws; i++) {
        counts[(int) zipf.next(random)]++;
      }
      for (int rank : new int[] {1, 2, 10, 100, 1_000}) {
        double wanted = zipf.probability(rank);
        double error = 4 * Math.sqrt(wanted / draws);
        assertThat(counts[rank] / (double) draws).isCloseTo(wanted, within(error));
      }
    }
  }

  @Test
  void writesThatComeDuringASyncShareTheNextOne() {
    Log log = new Log(events, done -> events.after(1_000, done));
    List<Long> ends = new ArrayList<>();
    log.sync(() -> ends.add(events.now()));
    for (int i = 0; i < 50; i++) {
      events.at(10L * i, () -> log.sync(() -> ends.add(events.now())));
    }
    events.run(10_000);
    assertThat(log.syncs()).isEqualTo(2);
    assertThat(ends).hasSize(51).startsWith(1_000L).endsWith(2_000L);
    assertThat(ends.subList(1, 51)).containsOnly(2_000L);
  }
}
