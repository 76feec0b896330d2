package io.lazuli.storage.hbase.requests;

/** How a request ended. */
enum Outcome {
  /** With the right answer. */
  SERVED,

  /** With an answer that clients repeat: 500 {@code OperationTimedOut} or 503. */
  REFUSED,

  /** Without an answer. */
  BROKEN
}
