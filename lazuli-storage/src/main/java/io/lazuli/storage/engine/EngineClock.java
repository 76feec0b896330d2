package io.lazuli.storage.engine;

import io.lazuli.storage.Ticks;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The clock of one engine, in ticks. It never goes back, even if the underlying clock does, and it
 * never gives the same timestamp twice. Thread-safe.
 *
 * <p>If the underlying clock was set back, this clock runs at half speed until the other one has
 * caught up. If it stood still, leases would not end and messages would stay hidden for as long as
 * the clock was set back.
 */
public final class EngineClock {
  /**
   * The underlying clock was set back if it is behind by more than this. After a quick restart it
   * is behind by a second or two, because a stored floor is ahead of the last time that was given.
   */
  private static final long BEHIND_TICKS_MIN = 10 * Ticks.PER_SECOND;

  private static final int NANOS_PER_TICK = 100;

  private final LongSupplier ticks;
  private final LongSupplier nanos;
  private final AtomicLong highest;

  /** The moment since which this clock runs at half speed; null while it follows the other one. */
  private volatile @Nullable Start slow;

  /** A time of this clock and of the monotonic clock at the same moment. */
  private record Start(long ticks, long nanos) {}

  /**
   * Makes a clock that continues where an earlier one ended.
   *
   * @param ticks the underlying clock
   * @param floor a time at or above every time that was ever given for the same data
   */
  public EngineClock(LongSupplier ticks, long floor) {
    this(ticks, floor, System::nanoTime);
  }

  /** Makes a clock with a monotonic clock of a test. */
  EngineClock(LongSupplier ticks, long floor, LongSupplier nanos) {
    this.ticks = ticks;
    this.nanos = nanos;
    this.highest = new AtomicLong(floor);
  }

  /** Returns the time: max(clock, highest given). */
  public long now() {
    long clock = clock();
    long last = highest.get();
    return clock <= last ? last : highest.accumulateAndGet(clock, Math::max);
  }

  /** Returns the time of the underlying clock, which may be before times that were given. */
  public long underlying() {
    return Math.min(ticks.getAsLong(), now());
  }

  /** Returns a time above every time given before: max(clock, highest given + 1). */
  public long timestamp() {
    long clock = clock();
    return highest.updateAndGet(last -> Math.max(clock, last + 1));
  }

  /**
   * Returns the time at which a write is stored, for people: the underlying clock, or a slow time
   * if that clock was set back. It may be a few seconds before times that were given.
   */
  public long wall() {
    return clock();
  }

  /** Returns the highest time given so far, or the floor. */
  public long highest() {
    return highest.get();
  }

  /** Returns the time of the underlying clock, or a slow time if that clock was set back. */
  private long clock() {
    long clock = ticks.getAsLong();
    long last = highest.get();
    Start start = slow;
    if (last - clock <= BEHIND_TICKS_MIN) {
      if (start != null) {
        slow = null;
      }
      return clock;
    }
    long now = nanos.getAsLong();
    if (start == null) {
      slow = new Start(last, now);
      return last;
    }
    return start.ticks + (now - start.nanos) / NANOS_PER_TICK / 2;
  }
}
