package io.lazuli.benchmarks.report;

import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The rounds of one measurement. Rounds of compared measurements were taken in alternation. */
public record Series(String name, List<Sample> rounds) {
  public Series {
    rounds = List.copyOf(rounds);
    if (rounds.isEmpty()) {
      throw new IllegalArgumentException("there are no rounds of " + name);
    }
  }

  /**
   * Returns a series with the rounds of this series and of a repetition of the same measurement.
   */
  public Series and(Series more) {
    return new Series(
        name, Stream.concat(rounds.stream(), more.rounds.stream()).collect(Collectors.toList()));
  }

  public double median(ToDoubleFunction<Sample> figure) {
    return median(rounds.stream().mapToDouble(figure).toArray());
  }

  /**
   * Returns the median of the ratios of the rounds. A temporary disturbance of the machine affects
   * both sides of a ratio, so the ratio stays meaningful.
   */
  public double ratioTo(Series other, ToDoubleFunction<Sample> figure) {
    return median(ratios(other, figure));
  }

  /** Returns the median of {@link #ratioTo} and the limits of the middle half of the ratios. */
  public Spread ratiosTo(Series other, ToDoubleFunction<Sample> figure) {
    double[] ratios = ratios(other, figure);
    Arrays.sort(ratios);
    return new Spread(
        median(ratios), ratios[ratios.length / 4], ratios[ratios.length - 1 - ratios.length / 4]);
  }

  private double[] ratios(Series other, ToDoubleFunction<Sample> figure) {
    if (rounds.size() != other.rounds.size()) {
      throw new IllegalArgumentException(
          name + " and " + other.name + " were not measured in alternation");
    }
    return IntStream.range(0, rounds.size())
        .mapToDouble(
            i -> figure.applyAsDouble(rounds.get(i)) / figure.applyAsDouble(other.rounds.get(i)))
        .toArray();
  }

  static double median(double... values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }
}
