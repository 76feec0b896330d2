package io.lazuli.server.access;

import org.jspecify.annotations.Nullable;

/**
 * The part of a table that a shared access signature is for (auth 6.2): all entities from the first
 * pair of keys to the last, both included. It is one interval in key order, not a rectangle. A row
 * is given only together with its partition.
 */
public record KeyLimits(
    @Nullable String firstPartition,
    @Nullable String firstRow,
    @Nullable String lastPartition,
    @Nullable String lastRow) {
  /** No limits. */
  public static final KeyLimits NONE = new KeyLimits(null, null, null, null);

  public KeyLimits {
    if ((firstPartition == null && firstRow != null)
        || (lastPartition == null && lastRow != null)) {
      throw new IllegalArgumentException("a row needs its partition");
    }
  }
}
