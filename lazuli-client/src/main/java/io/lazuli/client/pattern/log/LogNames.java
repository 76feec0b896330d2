package io.lazuli.client.pattern.log;

import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The names of the blobs of a log: {@code prefix/2026/07/31/1800/000001.log}, in UTC. */
final class LogNames {
  private static final String SUFFIX = ".log";
  private static final DateTimeFormatter YEAR = format("uuuu/");
  private static final DateTimeFormatter MONTH = format("uuuu/MM/");
  private static final DateTimeFormatter DAY = format("uuuu/MM/dd/");
  private static final DateTimeFormatter HOUR = format("uuuu/MM/dd/HH'00/'");

  private final String prefix;

  LogNames(String prefix) {
    if (prefix.isEmpty() || prefix.startsWith("/") || prefix.endsWith("/")) {
      throw new IllegalArgumentException("the prefix must be like app/web, not " + prefix);
    }
    this.prefix = prefix + "/";
  }

  private static DateTimeFormatter format(String pattern) {
    return DateTimeFormatter.ofPattern(pattern, Locale.ROOT);
  }

  static Instant hourOf(Instant time) {
    return time.truncatedTo(ChronoUnit.HOURS);
  }

  String of(Instant hour, int counter) {
    return "%s%06d%s".formatted(ofHour(hour), counter, SUFFIX);
  }

  /** Returns the prefix of all names of an hour. */
  String ofHour(Instant hour) {
    return prefix + HOUR.format(hour.atOffset(ZoneOffset.UTC));
  }

  /** Returns the counter in a name, or -1 if it is not the name of a log blob. */
  static int counterOf(String name) {
    String counter = name.substring(name.lastIndexOf('/') + 1);
    return counter.matches("\\d{6}\\.log") ? Integer.parseInt(counter.substring(0, 6)) : -1;
  }

  /**
   * Returns prefixes that cover all hours from one time, inclusive, to another, exclusive, in
   * order.
   */
  List<String> covering(Instant from, Instant to) {
    List<String> prefixes = new ArrayList<>();
    OffsetDateTime end = to.atOffset(ZoneOffset.UTC);
    OffsetDateTime at = hourOf(from).atOffset(ZoneOffset.UTC);
    while (at.isBefore(end)) {
      ChronoUnit unit = longestFrom(at, end);
      prefixes.add(prefix + format(unit).format(at));
      at = at.plus(1, unit);
    }
    return prefixes;
  }

  private static ChronoUnit longestFrom(OffsetDateTime at, OffsetDateTime end) {
    if (at.getHour() != 0 || at.plusDays(1).isAfter(end)) {
      return ChronoUnit.HOURS;
    }
    if (at.getDayOfMonth() != 1 || at.plusMonths(1).isAfter(end)) {
      return ChronoUnit.DAYS;
    }
    return at.getMonthValue() != 1 || at.plusYears(1).isAfter(end)
        ? ChronoUnit.MONTHS
        : ChronoUnit.YEARS;
  }

  private static DateTimeFormatter format(ChronoUnit unit) {
    return switch (unit) {
      case YEARS -> YEAR;
      case MONTHS -> MONTH;
      case DAYS -> DAY;
      default -> HOUR;
    };
  }
}
