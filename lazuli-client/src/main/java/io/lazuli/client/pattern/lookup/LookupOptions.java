package io.lazuli.client.pattern.lookup;

import java.time.Duration;

/**
 * How long a lookup table is kept, and how much of it. Immutable.
 *
 * @param refreshEvery after this time it is fetched again, while the old rows are used
 * @param staleMax so much longer the old rows may be used; then lookups wait, or fail
 * @param rowsMax a table with more rows is refused
 */
public record LookupOptions(Duration refreshEvery, Duration staleMax, int rowsMax) {
  /** Five minutes, five more, and 10,000 rows. */
  public static final LookupOptions DEFAULT =
      new LookupOptions(Duration.ofMinutes(5), Duration.ofMinutes(5), 10_000);

  /** Refuses a cache that could hold nothing. */
  public LookupOptions {
    if (rowsMax < 1 || refreshEvery.isNegative() || staleMax.isNegative()) {
      throw new IllegalArgumentException("a cache holds something for some time");
    }
  }

  /** These with other times. */
  public LookupOptions withTimes(Duration refresh, Duration stale) {
    return new LookupOptions(refresh, stale, rowsMax);
  }

  /** These with another bound. */
  public LookupOptions withRowsMax(int rows) {
    return new LookupOptions(refreshEvery, staleMax, rows);
  }
}
