package io.lazuli.server.load.usage;

/**
 * Asks for the operations of an account.
 *
 * @param from in seconds since 1970, at the start of a period
 * @param columns the number of periods
 * @param columnSeconds the length of a period: an hour or a day
 */
public record UsageQuery(String account, long from, int columns, int columnSeconds) {
  /** The periods of an answer. */
  public static final int COLUMNS_MAX = 400;

  public static final int HOUR = 3_600;
  public static final int DAY = 24 * HOUR;

  public UsageQuery {
    if (columns < 1
        || columns > COLUMNS_MAX
        || (columnSeconds != HOUR && columnSeconds != DAY)
        || from % columnSeconds != 0
        || account.isEmpty()) {
      throw new IllegalArgumentException("the window is not possible");
    }
  }

  /** Returns the end in seconds since 1970, exclusive. */
  public long to() {
    return from + (long) columns * columnSeconds;
  }
}
