package io.lazuli.benchmarks.report;

/**
 * The median of some ratios, with the middle half of them.
 *
 * @param low a quarter of the ratios is below
 * @param high a quarter of the ratios is above
 */
public record Spread(double median, double low, double high) {

  /** As it stands in a table: {@code 0.98 - 1.03}. */
  public String middleHalf() {
    return Figures.number(low) + " - " + Figures.number(high);
  }
}
