package io.lazuli.client.pattern.lookup;

import java.time.Duration;

/**
 * How long a lookup keeps its rows, and how many it accepts. Immutable.
 *
 * @param refreshEvery after this time the rows are fetched again, while the old ones are still used
 * @param staleMax how much longer the old rows may be used; after that, lookups wait or fail
 * @param rowsMax a table with more rows is rejected
 */
public record LookupOptions(Duration refreshEvery, Duration staleMax, int rowsMax) {
  /**
   * Fetches the rows again after five minutes, uses old rows for at most five minutes more, and
   * accepts 10,000 rows.
   */
  public static final LookupOptions DEFAULT =
      new LookupOptions(Duration.ofMinutes(5), Duration.ofMinutes(5), 10_000);

  /** Rejects negative times and a limit below 1. */
  public LookupOptions {
    if (rowsMax < 1 || refreshEvery.isNegative() || staleMax.isNegative()) {
      throw new IllegalArgumentException("rowsMax must be at least 1, and no time may be negative");
    }
  }

  /** Returns these options with other times. */
  public LookupOptions withTimes(Duration refresh, Duration stale) {
    return new LookupOptions(refresh, stale, rowsMax);
  }

  /** Returns these options with another limit. */
  public LookupOptions withRowsMax(int rows) {
    return new LookupOptions(refreshEvery, staleMax, rows);
  }
}
