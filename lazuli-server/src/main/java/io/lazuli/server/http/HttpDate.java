package io.lazuli.server.http;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** HTTP dates. Reads RFC 1123 and RFC 850, writes RFC 1123. */
public final class HttpDate {
  private static final DateTimeFormatter RFC_1123 =
      DateTimeFormatter.ofPattern("EEE, dd MMM uuuu HH:mm:ss 'GMT'", Locale.US)
          .withZone(ZoneOffset.UTC);
  private static final List<String> MONTHS =
      List.of("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec");

  private HttpDate() {}

  public static String format(Instant time) {
    return RFC_1123.format(time);
  }

  /**
   * Reads {@code Mon, 15 Jan 2024 10:30:00 GMT} or {@code Monday, 15-Jan-24 10:30:00 GMT}. The day
   * of the week is ignored.
   *
   * @return null if the text has neither form
   */
  public static @Nullable Instant parse(String text) {
    int comma = text.indexOf(", ");
    if (comma < 0 || !text.endsWith(" GMT")) {
      return null;
    }
    int day = comma + 2;
    int dayEnd = isDigit(text, day + 1) ? day + 2 : day + 1;
    int month = dayEnd + 1;
    int year = month + 4;
    int yearEnd = text.indexOf(' ', year);
    boolean wellFormed =
        isSeparator(text, dayEnd)
            && isSeparator(text, month + 3)
            && (yearEnd == year + 4 || yearEnd == year + 2)
            && text.length() == yearEnd + 13
            && text.charAt(yearEnd + 3) == ':'
            && text.charAt(yearEnd + 6) == ':';
    return wellFormed ? instant(text, day, dayEnd, month, year, yearEnd) : null;
  }

  private static @Nullable Instant instant(
      String text, int day, int dayEnd, int month, int year, int yearEnd) {
    int yearNumber = number(text, year, yearEnd);
    try {
      return LocalDateTime.of(
              yearEnd - year == 2 ? fullYear(yearNumber) : yearNumber,
              MONTHS.indexOf(text.substring(month, month + 3)) + 1,
              number(text, day, dayEnd),
              number(text, yearEnd + 1, yearEnd + 3),
              number(text, yearEnd + 4, yearEnd + 6),
              number(text, yearEnd + 7, yearEnd + 9))
          .toInstant(ZoneOffset.UTC);
    } catch (DateTimeException e) {
      return null;
    }
  }

  /** Completes the two-digit year of RFC 850. No date that we compare is before 1970. */
  private static int fullYear(int twoDigits) {
    return twoDigits < 70 ? 2000 + twoDigits : 1900 + twoDigits;
  }

  /** Returns the number at that position, or -1, which no part of a date can be. */
  private static int number(String text, int from, int to) {
    int number = 0;
    for (int i = from; i < to; i++) {
      if (!isDigit(text, i)) {
        return -1;
      }
      number = number * 10 + text.charAt(i) - '0';
    }
    return number;
  }

  private static boolean isDigit(String text, int at) {
    return at < text.length() && text.charAt(at) >= '0' && text.charAt(at) <= '9';
  }

  private static boolean isSeparator(String text, int at) {
    return at < text.length() && (text.charAt(at) == ' ' || text.charAt(at) == '-');
  }
}
