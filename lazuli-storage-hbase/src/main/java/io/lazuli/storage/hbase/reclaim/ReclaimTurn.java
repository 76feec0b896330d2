package io.lazuli.storage.hbase.reclaim;

import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * What one turn of reclaiming may do: so many drops and rows, for so long, at a steady rate, and
 * only while this server leads and its thread is not told to end. Mutable, used by one thread.
 */
final class ReclaimTurn {
  static final Duration TIME_MAX = Duration.ofSeconds(10);
  static final int ROWS_MAX = 100_000;
  static final int DROPS_MAX = 1_000;

  private final BooleanSupplier leader;
  private final LongSupplier nanoTime;
  private final Consumer<Duration> pause;
  private final int rowsPerSecond;
  private final long beganNanos;
  private long rows;
  private int drops;

  ReclaimTurn(
      BooleanSupplier leader, LongSupplier nanoTime, Consumer<Duration> pause, int rowsPerSecond) {
    this.leader = leader;
    this.nanoTime = nanoTime;
    this.pause = pause;
    this.rowsPerSecond = rowsPerSecond;
    this.beganNanos = nanoTime.getAsLong();
  }

  /** True if another drop may be taken up. */
  boolean takesMore() {
    return drops < DROPS_MAX && goesOn();
  }

  /** True if the drop in hand may go on. */
  boolean goesOn() {
    return mayLead() && rows < ROWS_MAX && elapsedNanos() < TIME_MAX.toNanos();
  }

  /** False if somebody else is to go on. */
  boolean mayLead() {
    return leader.getAsBoolean() && !Thread.currentThread().isInterrupted();
  }

  /** A drop is worked on. */
  void countDrop() {
    drops++;
  }

  /** Rows were deleted; rests as long as they were too fast. */
  void countRows(int count) {
    rows += count;
    long dueNanos = rows * Duration.ofSeconds(1).toNanos() / rowsPerSecond;
    long early = Math.min(dueNanos, TIME_MAX.toNanos()) - elapsedNanos();
    if (early > 0) {
      pause.accept(Duration.ofNanos(early));
    }
  }

  private long elapsedNanos() {
    return nanoTime.getAsLong() - beganNanos;
  }
}
