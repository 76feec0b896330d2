package io.lazuli.storage.hbase.commit;

import io.lazuli.storage.StorageException;
import io.lazuli.storage.Ticks;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The time of the cluster as this server knows it: its own clock plus an offset, which is measured
 * regularly. The time never goes back. An implausible measurement is therefore rejected, and the
 * time is unavailable until a plausible one arrives. Thread-safe.
 */
public final class ClusterClock {
  /**
   * The largest accepted offset. With clocks further apart, the timestamps of an entity could go
   * back.
   */
  static final Duration DISTANCE_MAX = Duration.ofSeconds(60);

  private static final Logger log = LoggerFactory.getLogger(ClusterClock.class);

  /** How long a measurement is valid. */
  private static final Duration TRUSTED = Duration.ofMinutes(2);

  private final LongSupplier ticks;
  private final LongSupplier millis;
  private final LongSupplier nanoTime;
  private final AtomicLong lastNow;
  private final AtomicLong lastTimestamp;
  private volatile long offsetMillis;
  private volatile long measuredNanos;

  /** The offset of the last measurement, if it was rejected. */
  private volatile OptionalLong rejectedMillis = OptionalLong.empty();

  /**
   * Creates a clock that was just measured.
   *
   * @param ticks the clock of this server
   * @param millis the same clock, for the timestamps of cells
   * @param floor a time at or above every time that was given before the last orderly shutdown
   */
  public ClusterClock(
      LongSupplier ticks,
      LongSupplier millis,
      long floor,
      long offsetMillis,
      LongSupplier nanoTime) {
    this.ticks = ticks;
    this.millis = millis;
    this.nanoTime = nanoTime;
    this.lastNow = new AtomicLong(floor);
    this.lastTimestamp = new AtomicLong(floor);
    this.offsetMillis = offsetMillis;
    this.measuredNanos = nanoTime.getAsLong();
  }

  /** Returns true if the offset is too large to trust either clock. */
  public static boolean isTooFar(long offsetMillis) {
    return Math.abs(offsetMillis) > DISTANCE_MAX.toMillis();
  }

  /**
   * Applies a new measurement.
   *
   * @param newOffsetMillis how far the cluster's clock is ahead of ours
   */
  public void correct(long newOffsetMillis) {
    if (isTooFar(newOffsetMillis)) {
      if (rejectedMillis.isEmpty()) {
        log.warn(
            "the clock of the catalogue's region server differs from this machine's by {} s:"
                + " operations that need the time are refused until they agree",
            newOffsetMillis / 1_000);
      }
      rejectedMillis = OptionalLong.of(newOffsetMillis);
      return;
    }
    offsetMillis = newOffsetMillis;
    measuredNanos = nanoTime.getAsLong();
    rejectedMillis = OptionalLong.empty();
  }

  /** Returns why the time is unavailable; empty if it is available. */
  public String fault() {
    OptionalLong rejected = rejectedMillis;
    if (rejected.isPresent()) {
      return "the cluster's clock differs from this machine's by "
          + rejected.getAsLong() / 1_000
          + " s";
    }
    return nanoTime.getAsLong() - measuredNanos > TRUSTED.toNanos()
        ? "the cluster's time is not known"
        : "";
  }

  /** Returns the time in ticks. */
  public long now() {
    String fault = fault();
    if (!fault.isEmpty()) {
      throw new StorageException(StorageException.Kind.UNAVAILABLE, fault);
    }
    long clock = clock();
    return lastNow.accumulateAndGet(clock, Math::max);
  }

  /** Returns a time above a row's timestamp and above every timestamp that this clock has given. */
  long timestampAbove(long floor) {
    long clock = clock();
    return Math.max(floor + 1, lastTimestamp.updateAndGet(last -> Math.max(clock, last + 1)));
  }

  /** Returns the highest time given so far. */
  public long highest() {
    return Math.max(lastNow.get(), lastTimestamp.get());
  }

  /**
   * Returns the timestamp for new cells. It must be near the servers' clocks, because servers
   * expire cells by it.
   */
  public long cellMillis() {
    return millis.getAsLong() + offsetMillis;
  }

  private long clock() {
    return ticks.getAsLong() + offsetMillis * (Ticks.PER_SECOND / 1_000);
  }
}
