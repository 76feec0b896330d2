package io.lazuli.storage;

import org.jspecify.annotations.Nullable;

/** What a visitor answers to a record: go on, stop, or go on at another place. */
public final class Visit {
  /** Show the next record. */
  public static final Visit CONTINUE = new Visit(null);

  /** Show no more. */
  public static final Visit STOP = new Visit(null);

  private final @Nullable Position target;

  private Visit(@Nullable Position target) {
    this.target = target;
  }

  /**
   * Go on at the first record at or beyond the position, in the direction of the scan. A position
   * that lies behind the scan means {@link #CONTINUE}: a scan never shows a record twice.
   */
  public static Visit skipTo(Position position) {
    return new Visit(position);
  }

  /** The place to skip to; null if this is no skip. */
  public @Nullable Position target() {
    return target;
  }
}
