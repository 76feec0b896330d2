package io.lazuli.storage.metrics;

import java.util.Arrays;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts recorded values by size. Any number of threads may record and read at the same time; a
 * reader may see a value in the sum that it does not see in the counts yet. Memory and the cost of
 * a value do not depend on the number of values.
 */
public final class Histogram {
  private static final long[] NANOS = {
    50_000L,
    100_000L,
    250_000L,
    500_000L,
    1_000_000L,
    2_500_000L,
    5_000_000L,
    10_000_000L,
    25_000_000L,
    50_000_000L,
    100_000_000L,
    250_000_000L,
    500_000_000L,
    1_000_000_000L,
    2_500_000_000L,
    10_000_000_000L
  };
  private static final long[] COUNTS = {1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1_024};

  private final long[] bounds;
  private final double unit;
  private final LongAdder[] counts;
  private final LongAdder sum = new LongAdder();

  private Histogram(long[] bounds, double unit) {
    this.bounds = bounds;
    this.unit = unit;
    this.counts = new LongAdder[bounds.length + 1];
    Arrays.setAll(counts, i -> new LongAdder());
  }

  /** Creates a histogram of times, which are recorded in nanoseconds and read in seconds. */
  public static Histogram ofNanos() {
    return new Histogram(NANOS, 1e-9);
  }

  /** Creates a histogram of small numbers, such as the length of a batch. */
  public static Histogram ofCounts() {
    return new Histogram(COUNTS, 1);
  }

  /** Records a value; never blocks. */
  public void record(long value) {
    int at = Arrays.binarySearch(bounds, value);
    counts[at >= 0 ? at : -at - 1].increment();
    sum.add(value);
  }

  /** Returns the largest value of each class, in ascending order; the last one is infinite. */
  public double[] upperBounds() {
    double[] upper = new double[counts.length];
    Arrays.setAll(upper, i -> i < bounds.length ? bounds[i] * unit : Double.POSITIVE_INFINITY);
    return upper;
  }

  /** Returns the number of values in each class. */
  public long[] counts() {
    return Arrays.stream(counts).mapToLong(LongAdder::sum).toArray();
  }

  /** Returns the sum of all values, in the unit of the bounds. */
  public double sum() {
    return sum.sum() * unit;
  }

  /**
   * Returns about the time in milliseconds within which a share of requests ended.
   *
   * @param counts of a histogram of times, or the difference of two
   * @return {@link Double#NaN} if nothing was counted; at most the largest bound
   */
  public static double millisWithin(long[] counts, double share) {
    double wanted = share * Arrays.stream(counts).sum();
    long below = 0;
    for (int i = 0; i < NANOS.length; i++) {
      if (counts[i] > 0 && below + counts[i] >= wanted) {
        long from = i == 0 ? 0 : NANOS[i - 1];
        return (from + (NANOS[i] - from) * (wanted - below) / counts[i]) / 1e6;
      }
      below += counts[i];
    }
    return wanted > 0 ? NANOS[NANOS.length - 1] / 1e6 : Double.NaN;
  }
}
