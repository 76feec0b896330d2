package io.lazuli.storage.hbase.call;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.LongSupplier;

/**
 * Remembers for a minute which spaces had many tombstones, so that their scans use a filter from
 * the start. Spaces share slots; a wrong hint only costs time. Thread-safe.
 */
final class TombstoneHints {
  private static final int SLOTS = 1 << 10;
  private static final long KEPT_NANOS = Duration.ofMinutes(1).toNanos();

  private final LongSupplier nanoTime;

  /** When the hint of a slot ends; 0 if it never had one. */
  private final AtomicLongArray ends = new AtomicLongArray(SLOTS);

  TombstoneHints(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  boolean areMany(long space) {
    long end = ends.get(slot(space));
    return end != 0 && end - nanoTime.getAsLong() > 0;
  }

  void note(long space) {
    long end = nanoTime.getAsLong() + KEPT_NANOS;
    ends.set(slot(space), end == 0 ? 1 : end);
  }

  private static int slot(long space) {
    return Math.floorMod(Long.hashCode(space), SLOTS);
  }
}
