package io.lazuli.storage.history;

/** A broken promise. */
public record Violation(Kind kind, String what) {
  /** The promise that was broken. */
  public enum Kind {
    /** An acknowledged write is missing. */
    LOST_WRITE,
    /** More was written than requested. */
    COUNTED_TWICE,
    /** A read returned something older than a client knew before. */
    STALE_READ,
    /** A scan of one partition showed a part of a transaction. */
    TORN_BATCH,
    /** A scan left out a row that always exists. */
    MISSING_ROW,
    /** A scan showed rows out of order, or twice. */
    DISORDER
  }
}
