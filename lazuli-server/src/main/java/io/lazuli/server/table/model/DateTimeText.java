package io.lazuli.server.table.model;

import io.lazuli.storage.Ticks;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import org.jspecify.annotations.Nullable;

/**
 * Writes and parses times in the form of the protocol, such as {@code
 * 2022-05-06T00:31:36.0741007Z}. Writing omits trailing zeros of the fraction, and the decimal
 * point if no digit is left (table-rest 4.5).
 */
public final class DateTimeText {
  /** The length of the longest result of {@link #write}. */
  public static final int LENGTH_MAX = 28;

  /** The first tick after 9999-12-31. */
  private static final long TICKS_END = Ticks.of(Instant.parse("+10000-01-01T00:00:00Z"));

  private static final long TICKS_PER_DAY = 86_400 * Ticks.PER_SECOND;

  /** The days from 0000-03-01 to 1601-01-01 in the proleptic Gregorian calendar. */
  private static final int DAYS_TO_1601 = 584_694;

  /** The result of parsing text that is not the expected number or zone. */
  private static final int BROKEN = Integer.MIN_VALUE;

  private DateTimeText() {}

  /**
   * Parses all accepted forms: a date, optionally followed by hours and minutes, then seconds, then
   * a fraction of up to nine digits; each form may end with a zone.
   *
   * @return null if the text has another form; the time may be before tick 0
   */
  public static @Nullable Long parse(String text) {
    int year = number(text, 0, 4);
    int month = number(text, 5, 2);
    int day = number(text, 8, 2);
    if (year < 0 || month < 0 || day < 0 || at(text, 4) != '-' || at(text, 7) != '-') {
      return null;
    }
    if (at(text, 10) != 'T') {
      return ticks(text, 10, year, month, day, 0, 0);
    }
    int hour = number(text, 11, 2);
    int minute = number(text, 14, 2);
    if (hour < 0 || hour > 23 || minute < 0 || minute > 59 || at(text, 13) != ':') {
      return null;
    }
    int seconds = hour * 3600 + minute * 60;
    if (at(text, 16) != ':') {
      return ticks(text, 16, year, month, day, seconds, 0);
    }
    int second = number(text, 17, 2);
    if (second < 0 || second > 59) {
      return null;
    }
    if (at(text, 19) != '.') {
      return ticks(text, 19, year, month, day, seconds + second, 0);
    }
    int end = 20;
    while (at(text, end) >= '0' && at(text, end) <= '9') {
      end++;
    }
    int digits = end - 20;
    return digits == 0 || digits > 9
        ? null
        : ticks(text, end, year, month, day, seconds + second, fraction(text, digits));
  }

  /** Returns the text of a time. */
  public static String format(long ticks) {
    byte[] bytes = new byte[LENGTH_MAX];
    int length = write(ticks, bytes, 0);
    return new String(bytes, 0, length, StandardCharsets.US_ASCII);
  }

  /**
   * Writes the text of a time between 1601 and 9999.
   *
   * @return the offset after the text
   */
  public static int write(long ticks, byte[] out, int offset) {
    int at = writeDate((int) (ticks / TICKS_PER_DAY), out, offset);
    long inDay = ticks % TICKS_PER_DAY;
    int seconds = (int) (inDay / Ticks.PER_SECOND);
    out[at++] = 'T';
    at = digits(seconds / 3600, 2, out, at);
    out[at++] = ':';
    at = digits(seconds / 60 % 60, 2, out, at);
    out[at++] = ':';
    at = digits(seconds % 60, 2, out, at);
    int fraction = (int) (inDay % Ticks.PER_SECOND);
    if (fraction != 0) {
      out[at++] = '.';
      at = digits(fraction, 7, out, at);
      while (out[at - 1] == '0') {
        at--;
      }
    }
    out[at++] = 'Z';
    return at;
  }

  /**
   * Writes the date of a day number. Counts years from 0000-03-01, so that a leap day is the last
   * day of its year, as is usual in calendar arithmetic.
   */
  private static int writeDate(int daysSince1601, byte[] out, int offset) {
    int days = daysSince1601 + DAYS_TO_1601;
    int era = days / 146_097;
    int dayOfEra = days % 146_097;
    int yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365;
    int dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100);
    int shiftedMonth = (5 * dayOfYear + 2) / 153;
    int day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1;
    int month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9;
    int year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0);
    int at = digits(year, 4, out, offset);
    out[at++] = '-';
    at = digits(month, 2, out, at);
    out[at++] = '-';
    return digits(day, 2, out, at);
  }

  private static int digits(int value, int count, byte[] out, int at) {
    int rest = value;
    for (int i = at + count - 1; i >= at; i--) {
      out[i] = (byte) ('0' + rest % 10);
      rest /= 10;
    }
    return at + count;
  }

  /**
   * Parses the zone, which begins at the given index, and returns the time; null if the zone or the
   * date is invalid.
   */
  private static @Nullable Long ticks(
      String text, int zoneFrom, int year, int month, int day, int seconds, int fraction) {
    int zone = zoneSeconds(text, zoneFrom);
    if (zone == BROKEN) {
      return null;
    }
    try {
      long days = LocalDate.of(year, month, day).toEpochDay();
      long ticks = Ticks.of(Instant.ofEpochSecond(days * 86_400 + seconds - zone)) + fraction;
      return ticks >= TICKS_END ? null : ticks;
    } catch (DateTimeException e) {
      return null;
    }
  }

  private static int zoneSeconds(String text, int from) {
    char sign = at(text, from);
    if (from == text.length() || (sign == 'Z' && from + 1 == text.length())) {
      return 0;
    }
    int hours = number(text, from + 1, 2);
    int minutes = number(text, from + 4, 2);
    boolean formed =
        (sign == '+' || sign == '-') && at(text, from + 3) == ':' && from + 6 == text.length();
    if (!formed || hours < 0 || hours > 18 || minutes < 0 || minutes > 59) {
      return BROKEN;
    }
    return (sign == '-' ? -1 : 1) * (hours * 3600 + minutes * 60);
  }

  /**
   * Returns the fraction in ticks, which are seven digits. Further digits are ignored; missing ones
   * count as zeros.
   */
  private static int fraction(String text, int digits) {
    int value = number(text, 20, Math.min(digits, 7));
    for (int i = digits; i < 7; i++) {
      value *= 10;
    }
    return value;
  }

  private static int number(String text, int from, int count) {
    int value = 0;
    for (int i = from; i < from + count; i++) {
      char c = at(text, i);
      if (c < '0' || c > '9') {
        return BROKEN;
      }
      value = value * 10 + c - '0';
    }
    return value;
  }

  private static char at(String text, int index) {
    return index < text.length() ? text.charAt(index) : 0;
  }
}
