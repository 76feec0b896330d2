package io.lazuli.storage.hbase;

import java.util.concurrent.Semaphore;

/**
 * Whether region servers evaluate conditions, and the bound of the pages that all scans of this
 * server read ahead. Thread-safe.
 */
final class Pushdown {
  /** The number of pages that are read ahead, or wait for their turn, at most. */
  static final int AHEAD_MAX = 16;

  private final boolean on;
  private final Semaphore ahead = new Semaphore(AHEAD_MAX);

  Pushdown(boolean on) {
    this.on = on;
  }

  boolean isOn() {
    return on;
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
