package io.lazuli.storage.hbase.balance;

import java.time.Duration;

/**
 * The settings for splitting and merging ranges.
 *
 * @param round the time between two checks of the load
 * @param hotRate requests per second, as the cluster counts them, below which no range is hot
 * @param hotRounds the number of rounds in a row that a range must be hot before it is split
 * @param coldTime how long two neighbours must be cold before they are merged
 * @param pause how long a range is left alone after it was opened or moved, or an operation failed
 * @param operationsPerHour the limit of splits and merges of all tables
 * @param mergeBytesMax the maximum size of a merged range; HBase would split a larger range again
 * @param rangesMin the number of ranges that merges leave in a table; at least one for each server
 *     is left anyway
 */
public record BalanceSettings(
    Mode mode,
    Duration round,
    double hotRate,
    int hotRounds,
    Duration coldTime,
    Duration pause,
    int operationsPerHour,
    long mergeBytesMax,
    int rangesMin) {
  /** The use that is made of a plan. */
  public enum Mode {
    /** The plan is carried out. */
    ON,
    /** The plan is reported and not carried out. */
    DRY_RUN,
    /** There is no plan. */
    OFF
  }

  /** The cold rate as a fraction of the hot rate, so that two merged ranges are far from hot. */
  private static final double COLD_FRACTION = 1.0 / 8;

  public static final BalanceSettings DEFAULT =
      new BalanceSettings(
          Mode.ON,
          Duration.ofSeconds(10),
          2_000,
          3,
          Duration.ofHours(1),
          Duration.ofMinutes(3),
          60,
          256L << 20,
          1);

  public BalanceSettings {
    boolean sound =
        round.toMillis() > 0
            && hotRate > 0
            && hotRounds > 0
            && !coldTime.isNegative()
            && !coldTime.isZero()
            && !pause.isNegative()
            && operationsPerHour >= 0
            && mergeBytesMax >= 0
            && rangesMin > 0;
    if (!sound) {
      throw new IllegalArgumentException("a setting of the balancer is out of bounds");
    }
  }

  /** Returns the requests per second below which a range is cold. */
  public double coldRate() {
    return hotRate * COLD_FRACTION;
  }
}
