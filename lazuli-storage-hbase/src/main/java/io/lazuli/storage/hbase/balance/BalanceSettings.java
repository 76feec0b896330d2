package io.lazuli.storage.hbase.balance;

import java.time.Duration;

/**
 * When ranges are split and merged.
 *
 * @param round how often the load is looked at
 * @param hotRate requests per second below which no range is hot, as the cluster counts them
 * @param hotRounds for how many rounds in a row a range is hot before it is split
 * @param coldTime for how long two neighbours are cold before they are merged
 * @param pause how long a range is left alone after it was opened or moved, or an operation failed
 * @param operationsPerHour splits and merges of all tables
 * @param mergeBytesMax what a range may hold after a merge; HBase would split a larger one again
 * @param rangesMin how many ranges of a table merges leave at least; never fewer than servers
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
  /** What comes of a plan. */
  public enum Mode {
    /** It is carried out. */
    ON,
    /** It is told and not carried out. */
    DRY_RUN,
    /** There is none. */
    OFF
  }

  /** How much colder than hot a range is for a merge: two of them stay far from hot. */
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

  /** Requests per second below which a range is cold. */
  public double coldRate() {
    return hotRate * COLD_FRACTION;
  }
}
