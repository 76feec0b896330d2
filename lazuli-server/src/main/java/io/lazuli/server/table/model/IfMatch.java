package io.lazuli.server.table.model;

import org.jspecify.annotations.Nullable;

/**
 * The condition of a write on the stored entity: none (an upsert), any entity ({@code *}), or the
 * entity with a given timestamp.
 */
public record IfMatch(boolean present, long ticks) {
  /** No condition: the entity may be missing. */
  public static final IfMatch NONE = new IfMatch(false, 0);

  /** The entity must exist. */
  public static final IfMatch ANY = new IfMatch(true, -1);

  /** Parses the header; null means that there is none. */
  public static IfMatch parse(@Nullable String header) {
    if (header == null) {
      return NONE;
    }
    String text = header.strip();
    if (text.equals("*") || text.equals("\"*\"")) {
      return ANY;
    }
    Long ticks = ETag.parse(text);
    if (ticks == null) {
      throw TableErrors.INVALID_ETAG.exception().with("value", text);
    }
    return new IfMatch(true, ticks);
  }

  /** True if an entity with this timestamp meets the condition. */
  public boolean accepts(long storedTicks) {
    return !present || ticks == -1 || ticks == storedTicks;
  }
}
