package io.lazuli.client.pattern.logtail;

import java.time.Instant;

/**
 * Times as text that sorts the newest first: the number of ticks of 100 nanoseconds until the end
 * of the year 9999, in 19 digits. Finer parts of a time are truncated.
 */
public final class InvertedTicks {
  /** {@code DateTime.MaxValue.Ticks} of .NET. */
  private static final long TICKS_MAX = 3_155_378_975_999_999_999L;

  private static final long SECONDS_BEFORE_1970 = 62_135_596_800L;
  private static final long TICKS_PER_SECOND = 10_000_000L;
  private static final int NANOS_PER_TICK = 100;
  private static final int DIGITS = 19;

  private InvertedTicks() {}

  /**
   * Returns the digits of a time.
   *
   * @throws IllegalArgumentException if the time is not in the years 1 to 9999
   */
  public static String of(Instant time) {
    return digits(left(time));
  }

  /** Returns the digits of the previous tick, which sort after those of the time itself. */
  static String before(Instant time) {
    return digits(left(time) + 1);
  }

  private static long left(Instant time) {
    long seconds = time.getEpochSecond() + SECONDS_BEFORE_1970;
    if (seconds < 0 || seconds > TICKS_MAX / TICKS_PER_SECOND) {
      throw new IllegalArgumentException("the time is not in the years 1 to 9999: " + time);
    }
    return TICKS_MAX - seconds * TICKS_PER_SECOND - time.getNano() / NANOS_PER_TICK;
  }

  private static String digits(long left) {
    String digits = Long.toString(left);
    return "0".repeat(DIGITS - digits.length()) + digits;
  }

  /**
   * Returns the time that the first digits of a text stand for. The text may be a row key, for
   * example.
   *
   * @throws IllegalArgumentException if the text does not begin with the digits of a time
   */
  public static Instant time(String text) {
    if (text.length() < DIGITS || !text.substring(0, DIGITS).matches("[0-9]+")) {
      throw new IllegalArgumentException("the text does not begin with 19 digits: " + text);
    }
    long left = Long.parseLong(text.substring(0, DIGITS));
    if (left > TICKS_MAX) {
      throw new IllegalArgumentException("the time is before the year 1: " + text);
    }
    long ticks = TICKS_MAX - left;
    return Instant.ofEpochSecond(
        ticks / TICKS_PER_SECOND - SECONDS_BEFORE_1970, ticks % TICKS_PER_SECOND * NANOS_PER_TICK);
  }
}
