package io.lazuli.server.load.real;

import java.util.Arrays;
import java.util.concurrent.ThreadLocalRandom;

/** Chooses numbers as people choose things: a few often, most seldom, as Zipf found. */
final class Skew {
  private final double[] sums;

  /**
   * Creates a choice of numbers from 0 on.
   *
   * @param exponent 0 for no skew; 1 for words of a language
   */
  Skew(int count, double exponent) {
    sums = new double[count];
    double sum = 0;
    for (int i = 0; i < count; i++) {
      sum += 1 / Math.pow(i + 1, exponent);
      sums[i] = sum;
    }
  }

  int next() {
    double x = ThreadLocalRandom.current().nextDouble() * sums[sums.length - 1];
    int at = Arrays.binarySearch(sums, x);
    int rank = at < 0 ? -at - 1 : at;
    // Neighbours in the order of keys are not equally popular. 7919 is prime to all counts.
    return (int) (rank * 7_919L % sums.length);
  }
}
