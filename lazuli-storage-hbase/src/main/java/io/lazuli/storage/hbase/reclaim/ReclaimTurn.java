package io.lazuli.storage.hbase.reclaim;

import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * The limits of one turn of reclaiming: a number of drops, a number of rows, a duration and a rate.
 * A turn also ends if another server leads or its thread is interrupted. Mutable, used by one
 * thread.
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

  /** Returns true if the turn may begin another drop. */
  boolean mayBeginDrop() {
    return drops < DROPS_MAX && mayContinue();
  }

  /** Returns true if the turn may continue with the current drop. */
  boolean mayContinue() {
    return mayLead() && rows < ROWS_MAX && elapsedNanos() < TIME_MAX.toNanos();
  }

  /** Returns false if this server must stop. */
  boolean mayLead() {
    return leader.getAsBoolean() && !Thread.currentThread().isInterrupted();
  }

  /** Counts a drop that was begun. */
  void countDrop() {
    drops++;
  }

  /** Counts deleted rows, and pauses if the rate is too high. */
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
