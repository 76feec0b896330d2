package io.lazuli.storage.hbase;

import java.util.concurrent.Semaphore;

/**
 * Whether region servers evaluate conditions, and the bound of the pages that all scans of this
 * server read ahead. Thread-safe.
 */
final class Pushdown {
  /** When a region server is asked to evaluate a condition. */
  enum Mode {
    /** From the second page of a scan on. */
    ON,
    /** From the first page on, which is then no snapshot. For tests. */
    ALWAYS,
    /** Never. */
    OFF
  }

  /** The number of pages that are read ahead, or wait for their turn, at most. */
  static final int AHEAD_MAX = 16;

  private final Mode mode;
  private final Semaphore ahead = new Semaphore(AHEAD_MAX);

  Pushdown(Mode mode) {
    this.mode = mode;
  }

  boolean isOn() {
    return mode != Mode.OFF;
  }

  boolean isAlways() {
    return mode == Mode.ALWAYS;
  }

  boolean tryAhead() {
    return ahead.tryAcquire();
  }

  void endAhead() {
    ahead.release();
  }

  /** Returns the number of pages that are read ahead now. */
  int aheadCount() {
    return AHEAD_MAX - ahead.availablePermits();
  }
}
