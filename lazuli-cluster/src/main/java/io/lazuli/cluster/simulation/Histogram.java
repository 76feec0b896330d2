package io.lazuli.cluster.simulation;

/**
 * Counts of times in nanoseconds. Each power of two has 32 classes of the same width, so a quantile
 * is at most 3 % above the true one. Used by one thread.
 */
final class Histogram {
  private static final int BITS = 5;
  private static final int CLASSES = 1 << BITS;

  private final long[] counts = new long[(Long.SIZE - BITS + 1) << BITS];
  private long total;
  private double sum;

  void add(long nanos) {
    counts[place(nanos)]++;
    total++;
    sum += nanos;
  }

  long total() {
    return total;
  }

  double mean() {
    return sum / Math.max(1, total);
  }

  /** Returns the upper end of the class that contains a quantile; 0 without times. */
  long quantile(double part) {
    long wanted = (long) Math.ceil(part * total);
    long seen = 0;
    for (int place = 0; place < counts.length; place++) {
      seen += counts[place];
      if (seen >= wanted && seen > 0) {
        return end(place);
      }
    }
    return 0;
  }

  /** Returns the part of the times that are above a bound, which counts as the end of its class. */
  double partAbove(long nanos) {
    long above = 0;
    for (int place = place(nanos) + 1; place < counts.length; place++) {
      above += counts[place];
    }
    return above / (double) Math.max(1, total);
  }

  private static int place(long nanos) {
    if (nanos < CLASSES) {
      return (int) nanos;
    }
    int shift = Long.SIZE - 1 - Long.numberOfLeadingZeros(nanos) - BITS;
    return ((shift + 1) << BITS) + (int) (nanos >>> shift) - CLASSES;
  }

  private static long end(int place) {
    int shift = (place >>> BITS) - 1;
    if (shift < 0) {
      return place;
    }
    return (((place & (CLASSES - 1)) + CLASSES + 1L) << shift) - 1;
  }
}
