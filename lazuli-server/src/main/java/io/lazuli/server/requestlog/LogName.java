package io.lazuli.server.requestlog;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The names of log blobs, such as {@code table/2026/07/31/1800/000001.log}. Their order is the
 * order of time.
 */
final class LogName {
  private static final DateTimeFormatter HOUR =
      DateTimeFormatter.ofPattern("yyyy/MM/dd/HH'00/'", Locale.ROOT);
  private static final Pattern COUNTER = Pattern.compile("/(\\d{6,9})\\.log$");
  private static final int SECONDS_PER_HOUR = 3_600;

  private LogName() {}

  /** Returns the prefix of the names of all blobs of an hour. */
  static String prefix(String service, long epochHour) {
    LocalDateTime hour =
        LocalDateTime.ofEpochSecond(epochHour * SECONDS_PER_HOUR, 0, ZoneOffset.UTC);
    return service + "/" + HOUR.format(hour);
  }

  static String of(String service, long epochHour, int counter) {
    return String.format(Locale.ROOT, "%s%06d.log", prefix(service, epochHour), counter);
  }

  /** Returns the counter in a name; -1 if the name has another form. */
  static int counter(String name) {
    Matcher matcher = COUNTER.matcher(name);
    return matcher.find() ? Integer.parseInt(matcher.group(1)) : -1;
  }

  static long epochHour(Instant time) {
    return Math.floorDiv(time.getEpochSecond(), (long) SECONDS_PER_HOUR);
  }

  static long epochHour(long ticks) {
    return Math.floorDiv(ticks, SECONDS_PER_HOUR * 10_000_000L);
  }
}
