package io.lazuli.server.load.fact;

import io.lazuli.server.load.count.Tally;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;

/**
 * Counts by ranges of keys. Nobody may write to the arrays.
 *
 * @param bounds the first keys of the ranges, sorted; the first one is empty
 * @param counts the counts of each range, by {@link Tally}
 */
public record Ranges(List<String> bounds, long[][] counts) {
  public Ranges {
    bounds = List.copyOf(bounds);
  }

  public static Ranges of(SpaceLoad space) {
    return new Ranges(space.bounds(), space.byRange());
  }

  /** Returns the requests of a range. */
  public static long requests(long[] counts) {
    return counts[Tally.READS] + counts[Tally.WRITES];
  }

  /**
   * Adds other counts. The result has the bounds of both. The counts of a range that the other side
   * divides are divided as the other side's are; equally if the other side has none there.
   */
  public Ranges plus(Ranges other) {
    if (bounds.equals(other.bounds)) {
      long[][] sum = new long[counts.length][];
      for (int i = 0; i < sum.length; i++) {
        sum[i] = plus(counts[i].clone(), other.counts[i]);
      }
      return new Ranges(bounds, sum);
    }
    TreeSet<String> union = new TreeSet<>(bounds);
    union.addAll(other.bounds);
    List<String> all = new ArrayList<>(union);
    double[] mine = weights(all);
    double[] theirs = other.weights(all);
    long[][] sum = spread(all, theirs);
    long[][] added = other.spread(all, mine);
    for (int i = 0; i < sum.length; i++) {
      sum[i] = plus(sum[i], added[i]);
    }
    return new Ranges(all, sum);
  }

  private static long[] plus(long[] to, long[] from) {
    for (int i = 0; i < to.length; i++) {
      to[i] += from[i];
    }
    return to;
  }

  /** Returns the requests in each of the finer ranges that is a range here; 0 in others. */
  public double[] weights(List<String> finer) {
    double[] weights = new double[finer.size()];
    for (int i = 0; i < bounds.size(); i++) {
      int first = Math.max(0, place(finer, bounds.get(i)));
      int end = i + 1 < bounds.size() ? place(finer, bounds.get(i + 1)) : finer.size();
      if (end == first + 1) {
        weights[first] = requests(counts[i]);
      }
    }
    return weights;
  }

  /**
   * Divides the counts over finer ranges. Sums stay the same.
   *
   * @param finer has all bounds of these ranges
   * @param weights the parts in which a range is divided; equal ones if all are 0
   */
  public long[][] spread(List<String> finer, double[] weights) {
    long[][] spread = new long[finer.size()][Tally.RANGE_SIZE];
    for (int i = 0; i < bounds.size(); i++) {
      int first = place(finer, bounds.get(i));
      int end = i + 1 < bounds.size() ? place(finer, bounds.get(i + 1)) : finer.size();
      for (int count = 0; count < Tally.RANGE_SIZE; count++) {
        divide(counts[i][count], weights, first, end, count, spread);
      }
    }
    return spread;
  }

  private static void divide(
      long amount, double[] weights, int first, int end, int count, long[][] to) {
    double all = 0;
    for (int i = first; i < end; i++) {
      all += weights[i];
    }
    long left = amount;
    for (int i = first; i < end; i++) {
      double part = all == 0 ? 1.0 / (end - first) : weights[i] / all;
      long share = i == end - 1 ? left : Math.min(left, Math.round(amount * part));
      to[i][count] += share;
      left -= share;
    }
  }

  /** Returns the range of a key. */
  static int place(List<String> bounds, String key) {
    int found = java.util.Collections.binarySearch(bounds, key);
    return found >= 0 ? found : -found - 2;
  }

  /** Merges the neighbours with the fewest requests until there are few enough ranges. */
  public Ranges atMost(int max) {
    if (bounds.size() <= max) {
      return this;
    }
    List<String> left = new ArrayList<>(bounds);
    List<long[]> sums = new ArrayList<>(Arrays.asList(counts));
    while (left.size() > Math.max(1, max)) {
      int least = 0;
      for (int i = 1; i + 1 < left.size(); i++) {
        least = together(sums, i) < together(sums, least) ? i : least;
      }
      sums.set(least, plus(sums.get(least).clone(), sums.remove(least + 1)));
      left.remove(least + 1);
    }
    return new Ranges(left, sums.toArray(new long[0][]));
  }

  private static long together(List<long[]> sums, int first) {
    return requests(sums.get(first)) + requests(sums.get(first + 1));
  }
}
