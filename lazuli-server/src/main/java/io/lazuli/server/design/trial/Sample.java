package io.lazuli.server.design.trial;

import io.lazuli.server.design.EntityType;
import io.lazuli.server.design.KeyPart;
import io.lazuli.server.design.Names;
import io.lazuli.server.design.Property;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.stream.Collectors;

/**
 * A made-up entity. Its values follow from its number, so the same number is always the same
 * entity. Numbers in keys differ from entity to entity.
 */
record Sample(EntityType type, int number) {
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
  private static final long HOUR = 3_600;

  /** The ticks of 9999-12-31T23:59:59.9999999Z, from the year 1 on. */
  private static final long TICKS_MAX = 3_155_378_975_999_999_999L;

  /** The ticks of 1970-01-01. */
  private static final long TICKS_1970 = 621_355_968_000_000_000L;

  /** How many different values a property has that many entities share. */
  private static final int SHARED = 7;

  /** The different values of each part of a compound identity but the first. */
  private static final int PARTS = 5;

  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("uuuuMMdd'T'HHmmssSSSSSSS").withZone(ZoneOffset.UTC);
  private static final DateTimeFormatter DAY =
      DateTimeFormatter.ofPattern("uuuuMMdd").withZone(ZoneOffset.UTC);

  private int index(Property property) {
    int part = type.key().indexOf(property.name());
    if (part >= 0 && type.key().size() > 1) {
      int rest = number;
      for (int i = type.key().size() - 1; i > part; i--) {
        rest /= PARTS;
      }
      return part == 0 ? rest : rest % PARTS;
    }
    if (type.isUnique(property.name())) {
      return number;
    }
    return (int) (number % Math.max(1, Math.min(SHARED, type.distinct(property.name()))));
  }

  /** Returns a value: String, Integer, Long, Double, Boolean, Instant, UUID or byte[]. */
  Object value(Property property) {
    int index = index(property);
    return switch (property.type()) {
      case STRING -> Names.component(property.name()).toLowerCase(Locale.ROOT) + index;
      case INT32 -> index;
      case INT64 -> (long) index;
      case DOUBLE -> index / 2.0;
      case BOOLEAN -> index % 2 == 0;
      case DATETIME -> START.plusSeconds(HOUR * number);
      case GUID -> new UUID(0x4000L, 0x8000000000000000L + index);
      case BINARY -> new byte[] {(byte) index};
    };
  }

  private Object value(KeyPart part) {
    return value(type.property(part.name()));
  }

  /** Returns a part of a key. */
  String text(KeyPart part) {
    return switch (part.form()) {
      case LITERAL -> part.name();
      case TEXT -> String.valueOf(value(part));
      case PADDED ->
          String.format(
              Locale.ROOT, "%0" + part.digits() + "d", ((Number) value(part)).longValue());
      case TIME -> TIME.format((Instant) value(part));
      case DAY -> DAY.format((Instant) value(part));
      case REVERSED_TICKS -> {
        Instant time = (Instant) value(part);
        long ticks = TICKS_1970 + time.getEpochSecond() * 10_000_000 + time.getNano() / 100;
        yield String.format(Locale.ROOT, "%019d", TICKS_MAX - ticks);
      }
    };
  }

  /** Returns a key. */
  String key(List<KeyPart> parts) {
    return parts.stream().map(this::text).collect(Collectors.joining("_"));
  }
}
