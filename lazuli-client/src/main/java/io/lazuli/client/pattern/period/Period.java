package io.lazuli.client.pattern.period;

import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** The length of periods; all begin and end in UTC. */
public enum Period {
  /** From one full hour to the next. */
  HOUR("uuuuMMddHH"),
  /** From midnight to midnight. */
  DAY("uuuuMMdd"),
  /** A calendar month. */
  MONTH("uuuuMM");

  private static final int YEAR_MAX = 9_999;

  private final DateTimeFormatter format;
  private final int digits;

  Period(String format) {
    this.format = DateTimeFormatter.ofPattern(format, Locale.ROOT);
    this.digits = format.length();
  }

  /**
   * Returns the name of the period of a time, such as {@code 20260731}. Names sort like the times.
   *
   * @throws IllegalArgumentException if the time is not in the years 0 to 9999
   */
  public String name(Instant time) {
    OffsetDateTime utc = time.atOffset(ZoneOffset.UTC);
    if (utc.getYear() < 0 || utc.getYear() > YEAR_MAX) {
      throw new IllegalArgumentException("the time is not in the years 0 to 9999: " + time);
    }
    return format.format(utc);
  }

  int digits() {
    return digits;
  }
}
