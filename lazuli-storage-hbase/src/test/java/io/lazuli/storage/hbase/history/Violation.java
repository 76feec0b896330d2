package io.lazuli.storage.hbase.history;

/** Something that must not have happened. */
record Violation(Kind kind, String what) {
  /** Which promise was broken. */
  enum Kind {
    /** An acknowledged write is not there. */
    LOST_WRITE,
    /** More was written than asked for. */
    COUNTED_TWICE,
    /** Something older was shown than somebody knew before. */
    STALE_READ,
    /** A scan of one partition showed a part of a transaction. */
    TORN_BATCH,
    /** A scan left out a row that was there throughout. */
    MISSING_ROW,
    /** A scan showed rows out of order, or twice. */
    DISORDER
  }
}
