package io.lazuli.storage.hbase;

import io.lazuli.storage.StorageException;
import io.lazuli.storage.Ticks;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * The time of the cluster as this server sees it: its own clock, corrected by its distance from the
 * cluster's, which is measured again and again. Time never goes back here. Safe for any number of
 * threads.
 */
final class ClusterClock {
  /** Without a measurement for this long nobody can say what time it is. */
  private static final Duration TRUSTED = Duration.ofMinutes(2);

  private final LongSupplier ticks;
  private final LongSupplier nanoTime;
  private final AtomicLong lastNow;
  private final AtomicLong lastTimestamp;
  private volatile long offsetMillis;
  private volatile long measuredNanos;

  /**
   * A clock that was just measured.
   *
   * @param ticks this server's own clock
   * @param floor at or above what was given before the last orderly end
   */
  ClusterClock(LongSupplier ticks, long floor, long offsetMillis, LongSupplier nanoTime) {
    this.ticks = ticks;
    this.nanoTime = nanoTime;
    this.lastNow = new AtomicLong(floor);
    this.lastTimestamp = new AtomicLong(floor);
    this.offsetMillis = offsetMillis;
    this.measuredNanos = nanoTime.getAsLong();
  }

  /** Takes over a new measurement: how far the cluster's clock is ahead of ours. */
  void correct(long newOffsetMillis) {
    offsetMillis = newOffsetMillis;
    measuredNanos = nanoTime.getAsLong();
  }

  /** The time in ticks. */
  long now() {
    if (nanoTime.getAsLong() - measuredNanos > TRUSTED.toNanos()) {
      throw new StorageException(
          StorageException.Kind.UNAVAILABLE, "the cluster's time is not known");
    }
    long clock = clock();
    return lastNow.accumulateAndGet(clock, Math::max);
  }

  /** A time above one that a row had, and above every time that was given here before. */
  long timestampAbove(long floor) {
    long clock = clock();
    return Math.max(floor + 1, lastTimestamp.updateAndGet(last -> Math.max(clock, last + 1)));
  }

  /** The highest time given so far. */
  long highest() {
    return Math.max(lastNow.get(), lastTimestamp.get());
  }

  /** The time for cells, which has to be near that of the servers: they judge by it what is old. */
  long cellMillis() {
    return System.currentTimeMillis() + offsetMillis;
  }

  private long clock() {
    return ticks.getAsLong() + offsetMillis * (Ticks.PER_SECOND / 1_000);
  }
}
