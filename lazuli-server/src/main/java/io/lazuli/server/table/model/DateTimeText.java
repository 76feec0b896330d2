package io.lazuli.server.table.model;

import io.lazuli.storage.Ticks;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Times as the protocol writes them: {@code 2022-05-06T00:31:36.0741007Z}, trailing zeros of the
 * fraction removed, and the point with them (table-rest 4.5).
 */
public final class DateTimeText {
  /** The longest text that {@link #write} gives. */
  public static final int LENGTH_MAX = 28;

  /** First tick after 9999-12-31. */
  private static final long TICKS_END = Ticks.of(Instant.parse("+10000-01-01T00:00:00Z"));

  private static final long TICKS_PER_DAY = 86_400 * Ticks.PER_SECOND;

  /** Days from 0000-03-01 to 1601-01-01 in the proleptic Gregorian calendar. */
  private static final int DAYS_TO_1601 = 584_694;

  private static final Pattern FORM =
      Pattern.compile(
          "(\\d{4})-(\\d{2})-(\\d{2})(?:T(\\d{2}):(\\d{2})(?::(\\d{2})(?:\\.(\\d{1,9}))?)?)?"
              + "(Z|[+-]\\d{2}:\\d{2})?");

  private DateTimeText() {}

  /** Reads any of the accepted forms; null if the text is none. May lie before tick 0. */
  public static @Nullable Long parse(String text) {
    Matcher form = FORM.matcher(text);
    if (!form.matches()) {
      return null;
    }
    try {
      LocalDateTime local =
          LocalDateTime.of(
              number(form.group(1)),
              number(form.group(2)),
              number(form.group(3)),
              number(form.group(4)),
              number(form.group(5)),
              number(form.group(6)),
              nanos(form.group(7)));
      Instant instant = local.toInstant(zone(form.group(8)));
      long ticks = Ticks.of(instant);
      return ticks >= TICKS_END ? null : ticks;
    } catch (DateTimeException e) {
      return null;
    }
  }

  /** The text of a time. */
  public static String format(long ticks) {
    byte[] bytes = new byte[LENGTH_MAX];
    int length = write(ticks, bytes, 0);
    return new String(bytes, 0, length, StandardCharsets.US_ASCII);
  }

  /**
   * Writes the text of a time between 1601 and 9999.
   *
   * @return the offset behind it
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
   * Civil date from a day number, counted from 0000-03-01 so that the leap day is a year's last:
   * the usual era arithmetic of the Gregorian calendar.
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

  private static int number(@Nullable String digits) {
    return digits == null ? 0 : Integer.parseInt(digits);
  }

  private static int nanos(@Nullable String fraction) {
    return fraction == null ? 0 : Integer.parseInt((fraction + "00000000").substring(0, 9));
  }

  private static ZoneOffset zone(@Nullable String text) {
    return text == null ? ZoneOffset.UTC : ZoneOffset.of(text);
  }
}
