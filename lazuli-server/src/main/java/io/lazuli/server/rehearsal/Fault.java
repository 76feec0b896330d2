package io.lazuli.server.rehearsal;

import java.util.Locale;

/** A kind of trouble that occurs in a share of the requests that it applies to. */
public enum Fault {
  /** 503 {@code ServerBusy}; the operation did not take place. */
  BUSY,
  /** 500 {@code OperationTimedOut}; the operation did not take place. */
  TIMEOUT_BEFORE,
  /** 500 {@code OperationTimedOut}, although the write took place. */
  TIMEOUT_AFTER,
  /** A page of entities ends earlier than necessary. */
  CUT_PAGES,
  /** A page has a continuation token but no entities. */
  EMPTY_PAGES,
  /** A page ends with its partition, and its token has no NextRowKey. */
  PARTITION_TOKENS;

  /** Returns the name that settings use for the fault. */
  String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
