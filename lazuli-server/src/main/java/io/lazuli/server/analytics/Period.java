package io.lazuli.server.analytics;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.Locale;

/** The partition keys of metrics tables: the start of a period in UTC (logs-and-metrics 6). */
final class Period {
  private static final DateTimeFormatter KEY =
      DateTimeFormatter.ofPattern("uuuuMMdd'T'HHmm", Locale.ROOT).withZone(ZoneOffset.UTC);

  private Period() {}

  static String minute(Instant time) {
    return KEY.format(time);
  }

  static String hour(Instant time) {
    return KEY.format(time.truncatedTo(ChronoUnit.HOURS));
  }

  static String day(Instant time) {
    return KEY.format(time.truncatedTo(ChronoUnit.DAYS));
  }
}
