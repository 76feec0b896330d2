package io.lazuli.server.access;

import org.jspecify.annotations.Nullable;

/**
 * The part of a table that a shared access signature is for (auth.md 6.2): everything from the
 * first pair of keys to the last, both included. One interval in the order of the keys, not a
 * rectangle. A row is only given together with its partition.
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
      throw new IllegalArgumentException("a row without its partition limits nothing");
    }
  }
}
