package io.lazuli.storage.memory;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Counts the bytes that an engine stores on the heap, records and chunks together, up to a bound.
 */
final class HeapBudget {
  private final long bytesMax;
  private final AtomicLong stored = new AtomicLong();

  HeapBudget(long bytesMax) {
    this.bytesMax = bytesMax;
  }

  /**
   * Adds to the count. Returns false, and adds nothing, if the count would grow beyond the bound.
   */
  boolean tryChange(long growth) {
    if (stored.addAndGet(growth) <= bytesMax || growth <= 0) {
      return true;
    }
    stored.addAndGet(-growth);
    return false;
  }

  long bytes() {
    return stored.get();
  }
}
