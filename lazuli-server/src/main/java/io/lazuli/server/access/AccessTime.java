package io.lazuli.server.access;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Times in signatures and policies: UTC, from a plain date to seven fractional digits. */
public final class AccessTime {
  private static final Pattern FORM =
      Pattern.compile(
          "(\\d{4})-(\\d{2})-(\\d{2})(?:T(\\d{2}):(\\d{2})(?::(\\d{2})(?:\\.(\\d{1,9}))?)?Z)?");
  private static final DateTimeFormatter SEVEN_DIGITS =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSSS'Z'", Locale.ROOT)
          .withZone(ZoneOffset.UTC);

  private AccessTime() {}

  /** Parses any of the accepted forms; returns null if the text has none of them. */
  public static @Nullable Instant parse(String text) {
    Matcher form = FORM.matcher(text);
    if (!form.matches()) {
      return null;
    }
    try {
      return LocalDateTime.of(
              number(form.group(1)),
              number(form.group(2)),
              number(form.group(3)),
              number(form.group(4)),
              number(form.group(5)),
              number(form.group(6)),
              nanos(form.group(7)))
          .toInstant(ZoneOffset.UTC);
    } catch (DateTimeException e) {
      return null;
    }
  }

  /** Formats a time as Azure does, always with seven fractional digits. */
  public static String format(Instant time) {
    return SEVEN_DIGITS.format(time);
  }

  private static int number(@Nullable String digits) {
    return digits == null ? 0 : Integer.parseInt(digits);
  }

  /**
   * Returns the fraction in nanoseconds. Drops digits after the seventh, because {@link #format}
   * could not show them.
   */
  private static int nanos(@Nullable String fraction) {
    return fraction == null ? 0 : 100 * Integer.parseInt((fraction + "000000").substring(0, 7));
  }
}
