package io.lazuli.client.query;

import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HexFormat;
import java.util.UUID;

/**
 * A value in a filter.
 *
 * @param value the value as the caller gave it
 * @param text the value, quoted and typed in the syntax of the service
 */
record Literal(Object value, String text) {
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSSS'Z'", java.util.Locale.ROOT);

  static Literal of(Object value) {
    return new Literal(value, text(value));
  }

  private static String text(Object value) {
    if (value instanceof String text) {
      return "'" + text.replace("'", "''") + "'";
    }
    if (value instanceof Boolean || value instanceof Integer) {
      return value.toString();
    }
    if (value instanceof Long number) {
      return number + "L";
    }
    if (value instanceof Double number) {
      return number(number);
    }
    if (value instanceof Enum<?> constant) {
      return "'" + constant.name() + "'";
    }
    if (value instanceof UUID id) {
      return "guid'" + id + "'";
    }
    if (value instanceof byte[] bytes) {
      return "X'" + HexFormat.of().formatHex(bytes) + "'";
    }
    if (value instanceof Instant time) {
      return time(time.atOffset(ZoneOffset.UTC));
    }
    if (value instanceof OffsetDateTime time) {
      return time(time.withOffsetSameInstant(ZoneOffset.UTC));
    }
    throw new IllegalArgumentException(
        "a filter cannot contain a "
            + value.getClass().getName()
            + "; use String, Boolean, Integer, Long, Double, Instant, OffsetDateTime, UUID, byte[] or"
            + " an enum");
  }

  private static String number(Double number) {
    if (!Double.isFinite(number)) {
      throw new IllegalArgumentException("a filter cannot contain " + number);
    }
    return number.toString();
  }

  private static String time(OffsetDateTime utc) {
    return "datetime'" + TIME.format(utc) + "'";
  }
}
