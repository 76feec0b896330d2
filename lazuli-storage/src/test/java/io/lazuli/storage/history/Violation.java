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
    DISORDER,
    /** A write that was visible gave way to an older one. */
    REORDERED,
    /** Two states of one entity or blob had the same ETag, or one state had two. */
    REPEATED_ETAG,
    /** No order of the operations explains an answer. */
    WRONG_ANSWER,
    /** A message was shown or handed out while another client held it. */
    HANDED_OUT_TWICE,
    /** A message was there after its deletion was acknowledged. */
    DELETED_RETURNED,
    /** A receipt was accepted after a newer one was issued. */
    OLD_RECEIPT,
    /** A message was gone, or its newest receipt was refused, although nobody deleted it. */
    LOST_MESSAGE,
    /** The number of messages was wrong while no operation was under way. */
    WRONG_COUNT,
    /** Two clients held the lease of one blob, or a write passed the lease of another client. */
    BROKEN_LEASE
  }

  @Override
  public String toString() {
    return kind + " " + what;
  }
}
