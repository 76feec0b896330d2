package io.lazuli.server.rehearsal;

import java.util.Locale;

/** A kind of trouble that comes to a share of the requests it can come to. */
public enum Fault {
  /** 503 {@code ServerBusy}, and nothing was done. */
  BUSY,
  /** 500 {@code OperationTimedOut}, and nothing was done. */
  TIMEOUT_BEFORE,
  /** 500 {@code OperationTimedOut} to a write that took place. */
  TIMEOUT_AFTER,
  /** A page of entities ends earlier than it has to. */
  CUT_PAGES,
  /** A page without entities, and a token. */
  EMPTY_PAGES,
  /** A page ends with its partition, and the token has no NextRowKey. */
  PARTITION_TOKENS;

  /** How it is called in settings. */
  String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
