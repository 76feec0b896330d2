package io.lazuli.storage;

import org.jspecify.annotations.Nullable;

/** A visitor's answer to a record: continue, stop, or continue at another position. */
public final class Visit {
  /** Continues with the next record. */
  public static final Visit CONTINUE = new Visit(null);

  /** Ends the scan. */
  public static final Visit STOP = new Visit(null);

  private final @Nullable Position target;

  private Visit(@Nullable Position target) {
    this.target = target;
  }

  /**
   * Returns the answer that continues at the first record at or after the position, in the
   * direction of the scan. A position that the scan has already passed means {@link #CONTINUE},
   * because a scan never shows a record twice.
   */
  public static Visit skipTo(Position position) {
    return new Visit(position);
  }

  /** Returns the position to skip to; null if this is not a skip. */
  public @Nullable Position target() {
    return target;
  }
}
