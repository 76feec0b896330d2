package io.lazuli.server.backup;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * Counts the bytes that a backup or a restore moves, limits their rate, and ends it when somebody
 * cancels it. One thread moves; any thread may read the counts and cancel.
 */
public final class Meter {
  /** The pause at which a waiting thread checks whether it was cancelled. */
  private static final long PAUSE_NANOS_MAX = TimeUnit.MILLISECONDS.toNanos(100);

  private final long bytesPerSecondMax;
  private final long begunNanos = System.nanoTime();
  private volatile long total;
  private final AtomicLong done = new AtomicLong();
  private final AtomicLong added = new AtomicLong();
  private volatile boolean cancelled;
  private long dueNanos = begunNanos;

  /**
   * @param bytesPerSecondMax 0 for no limit
   */
  public Meter(long bytesPerSecondMax) {
    this.bytesPerSecondMax = bytesPerSecondMax;
  }

  /** Sets the number of bytes that will be moved. */
  void expect(long bytes) {
    total = bytes;
  }

  /**
   * Counts bytes that were moved, and waits as long as the rate requires.
   *
   * @throws BackupException if somebody has cancelled
   */
  void moved(long bytes) {
    done.addAndGet(bytes);
    pace(bytes);
  }

  /** Waits as long as the rate requires for bytes that were read but do not count yet. */
  void pace(long bytes) {
    check();
    if (bytesPerSecondMax > 0) {
      long now = System.nanoTime();
      dueNanos = Math.max(dueNanos, now) + bytes * 1_000_000_000 / bytesPerSecondMax;
      while (dueNanos - now > 0) {
        LockSupport.parkNanos(Math.min(dueNanos - now, PAUSE_NANOS_MAX));
        check();
        now = System.nanoTime();
      }
    }
  }

  /** Counts bytes that the target did not have. */
  void added(long bytes) {
    added.addAndGet(bytes);
  }

  /**
   * Counts bytes that were moved at whatever rate the store takes them.
   *
   * @throws BackupException if somebody has cancelled
   */
  public void count(long bytes) {
    check();
    done.addAndGet(bytes);
  }

  private void check() {
    if (cancelled) {
      throw new BackupException("cancelled");
    }
  }

  /** Makes the next step fail. */
  public void cancel() {
    cancelled = true;
  }

  public long totalBytes() {
    return total;
  }

  public long doneBytes() {
    return done.get();
  }

  /** Returns the bytes that the target did not have. */
  public long addedBytes() {
    return added.get();
  }

  public long bytesPerSecond() {
    long nanos = Math.max(1, System.nanoTime() - begunNanos);
    return (long) (done.get() * 1e9 / nanos);
  }
}
