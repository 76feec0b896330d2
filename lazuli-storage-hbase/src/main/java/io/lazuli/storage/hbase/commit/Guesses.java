package io.lazuli.storage.hbase.commit;

import io.lazuli.storage.Space;
import java.util.concurrent.atomic.AtomicIntegerArray;

/**
 * Decides whether a transaction may take rows for absent without reading them. A wrong guess costs
 * a refused commit. After one, the next transactions of the same space read first: where one insert
 * finds a record, others often do too. Thread-safe.
 */
final class Guesses {
  /** The number of transactions that read first after a wrong guess. */
  static final int READS_AFTER_WRONG = 16;

  /** A power of two. Spaces that share a slot share their luck. */
  private static final int SLOTS = 1 << 8;

  private final AtomicIntegerArray readsLeft = new AtomicIntegerArray(SLOTS);

  boolean mayGuess(long space) {
    return readsLeft.get(slot(space)) == 0
        || readsLeft.getAndUpdate(slot(space), left -> Math.max(0, left - 1)) == 0;
  }

  void wrong(long space) {
    readsLeft.set(slot(space), READS_AFTER_WRONG);
  }

  private static int slot(long space) {
    return (int) Space.counter(space) & (SLOTS - 1);
  }
}
