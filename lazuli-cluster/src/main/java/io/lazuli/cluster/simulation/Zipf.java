package io.lazuli.cluster.simulation;

import java.util.SplittableRandom;

/**
 * Ranks from 1 to n whose probabilities are proportional to {@code 1 / rank^exponent}; an exponent
 * of 0 makes all equal. Needs no table: it is rejection-inversion by W. Hörmann and G. Derflinger
 * (1996).
 */
final class Zipf {
  private final long ranks;
  private final double exponent;
  private final double first;
  private final double last;
  private final double accepted;

  Zipf(long ranks, double exponent) {
    this.ranks = ranks;
    this.exponent = exponent;
    this.first = area(1.5) - 1;
    this.last = area(ranks + 0.5);
    this.accepted = 2 - inverse(area(2.5) - density(2));
  }

  long next(SplittableRandom random) {
    while (true) {
      double place = last + random.nextDouble() * (first - last);
      double x = inverse(place);
      long rank = Math.min(ranks, Math.max(1, Math.round(x)));
      if (rank - x <= accepted || place >= area(rank + 0.5) - density((double) rank)) {
        return rank;
      }
    }
  }

  /** Returns the probability of a rank. */
  double probability(long rank) {
    return density((double) rank) / sum(ranks);
  }

  /** Returns the sum of the first densities; the far ones as an integral. */
  double sum(long count) {
    long exact = Math.min(count, 100_000);
    double sum = 0;
    for (long rank = exact; rank >= 1; rank--) {
      sum += density((double) rank);
    }
    return sum + (count > exact ? area(count + 0.5) - area(exact + 0.5) : 0);
  }

  private double density(double x) {
    return Math.exp(-exponent * Math.log(x));
  }

  /** The integral of the density, whose zero does not matter. */
  private double area(double x) {
    double log = Math.log(x);
    double rest = (1 - exponent) * log;
    return (Math.abs(rest) > 1e-8 ? Math.expm1(rest) / rest : 1 + rest / 2) * log;
  }

  private double inverse(double area) {
    double rest = Math.max(-1, area * (1 - exponent));
    double log = Math.abs(rest) > 1e-8 ? Math.log1p(rest) / rest : 1 - rest / 2;
    return Math.exp(log * area);
  }
}
