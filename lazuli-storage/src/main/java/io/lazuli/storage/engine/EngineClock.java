package io.lazuli.storage.engine;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * The clock of one engine, in ticks. It never goes back, even if the underlying clock does, and it
 * never gives the same timestamp twice. Thread-safe.
 */
public final class EngineClock {
  private final LongSupplier ticks;
  private final AtomicLong highest;

  /**
   * Makes a clock that continues where an earlier one ended.
   *
   * @param ticks the underlying clock
   * @param floor a time at or above every time that was ever given for the same data
   */
  public EngineClock(LongSupplier ticks, long floor) {
    this.ticks = ticks;
    this.highest = new AtomicLong(floor);
  }

  /** Returns the time: max(clock, highest given). */
  public long now() {
    long clock = ticks.getAsLong();
    long last = highest.get();
    return clock <= last ? last : highest.accumulateAndGet(clock, Math::max);
  }

  /** Returns a time above every time given before: max(clock, highest given + 1). */
  public long timestamp() {
    long clock = ticks.getAsLong();
    return highest.updateAndGet(last -> Math.max(clock, last + 1));
  }

  /** Returns the highest time given so far, or the floor. */
  public long highest() {
    return highest.get();
  }
}
