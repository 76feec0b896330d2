package io.lazuli.storage.engine;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * The time of one engine, in ticks. It never goes back, whatever the clock under it does, and no
 * timestamp is given twice. Safe for any number of threads.
 */
public final class EngineClock {
  private final LongSupplier ticks;
  private final AtomicLong highest;

  /**
   * A clock that goes on where an earlier one ended.
   *
   * @param ticks the clock under it
   * @param floor at or above everything that was ever given for the same data
   */
  public EngineClock(LongSupplier ticks, long floor) {
    this.ticks = ticks;
    this.highest = new AtomicLong(floor);
  }

  /** The time: max(clock, highest given). */
  public long now() {
    long clock = ticks.getAsLong();
    long last = highest.get();
    return clock <= last ? last : highest.accumulateAndGet(clock, Math::max);
  }

  /** A time above everything given before: max(clock, highest given + 1). */
  public long timestamp() {
    long clock = ticks.getAsLong();
    return highest.updateAndGet(last -> Math.max(clock, last + 1));
  }

  /** The highest time given so far, or the floor. */
  public long highest() {
    return highest.get();
  }
}
