package io.lazuli.server.table.model;

import org.jspecify.annotations.Nullable;

/**
 * The condition of a write on the stored entity (table-rest 4.6, 6.10).
 *
 * @param kind which entities meet the condition
 * @param ticks the timestamp that the stored entity must have; 0 unless the kind is {@link
 *     Kind#TIMESTAMP}
 */
public record IfMatch(Kind kind, long ticks) {
  /** The kinds of conditions, by the entities that meet them. */
  enum Kind {
    /** There is no condition: the entity may be missing. */
    NONE,
    /** Any entity, but it must exist. */
    ANY,
    /** The entity with this timestamp. */
    TIMESTAMP,
    /** No entity: the tag is well-formed, but this service never creates such a tag. */
    NEVER
  }

  /** No condition: the entity may be missing. */
  public static final IfMatch NONE = new IfMatch(Kind.NONE, 0);

  /** The entity must exist. */
  public static final IfMatch ANY = new IfMatch(Kind.ANY, 0);

  private static final IfMatch NEVER = new IfMatch(Kind.NEVER, 0);

  /** Returns the condition that an entity with this timestamp meets. */
  public static IfMatch timestamp(long ticks) {
    return new IfMatch(Kind.TIMESTAMP, ticks);
  }

  /** Parses the header; null means that there is none. */
  public static IfMatch parse(@Nullable String header) {
    if (header == null) {
      return NONE;
    }
    String text = header.strip();
    if (text.equals("*") || text.equals("\"*\"")) {
      return ANY;
    }
    if (!ETag.isWeak(text)) {
      throw TableErrors.INVALID_ETAG.exception().with("value", text);
    }
    Long ticks = ETag.parse(text);
    return ticks == null ? NEVER : timestamp(ticks);
  }

  /** Returns true if the entity must exist. */
  public boolean present() {
    return kind != Kind.NONE;
  }

  /** Returns true if an entity with this timestamp meets the condition. */
  public boolean accepts(long storedTicks) {
    return switch (kind) {
      case NONE, ANY -> true;
      case TIMESTAMP -> ticks == storedTicks;
      case NEVER -> false;
    };
  }
}
