package io.lazuli.benchmarks.report;

/**
 * The median of some ratios, and the limits of their middle half.
 *
 * @param low a quarter of the ratios are below
 * @param high a quarter of the ratios are above
 */
public record Spread(double median, double low, double high) {

  /** Returns the range for a table: {@code 0.98 - 1.03}. */
  public String middleHalf() {
    return Figures.number(low) + " - " + Figures.number(high);
  }
}
