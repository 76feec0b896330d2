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
 * The time of the cluster as this server sees it: its own clock, corrected by its distance from the
 * cluster's, which is measured again and again. Time never goes back here, so a measurement that
 * cannot be right is not followed: nobody is told the time until one can. Safe for any number of
 * threads.
 */
public final class ClusterClock {
  /** Clocks further apart than this would let an entity's times go back. */
  static final Duration DISTANCE_MAX = Duration.ofSeconds(60);

  private static final Logger log = LoggerFactory.getLogger(ClusterClock.class);

  /** Without a measurement for this long nobody can say what time it is. */
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
   * A clock that was just measured.
   *
   * @param ticks this server's own clock
   * @param millis the same for the times of cells
   * @param floor at or above what was given before the last orderly end
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

  /** True if the cluster's clock is too far from ours for either to be believed. */
  public static boolean isTooFar(long offsetMillis) {
    return Math.abs(offsetMillis) > DISTANCE_MAX.toMillis();
  }

  /** Takes in a new measurement: how far the cluster's clock is ahead of ours. */
  public void correct(long newOffsetMillis) {
    if (isTooFar(newOffsetMillis)) {
      if (rejectedMillis.isEmpty()) {
        log.warn(
            "the clock of the region server that has the catalogue is {} s off this machine's:"
                + " until they agree, what needs the time is refused",
            newOffsetMillis / 1_000);
      }
      rejectedMillis = OptionalLong.of(newOffsetMillis);
      return;
    }
    offsetMillis = newOffsetMillis;
    measuredNanos = nanoTime.getAsLong();
    rejectedMillis = OptionalLong.empty();
  }

  /** Why nobody is told the time; empty while it is known. */
  public String fault() {
    OptionalLong rejected = rejectedMillis;
    if (rejected.isPresent()) {
      return "the cluster's clock is " + rejected.getAsLong() / 1_000 + " s off this machine's";
    }
    return nanoTime.getAsLong() - measuredNanos > TRUSTED.toNanos()
        ? "the cluster's time is not known"
        : "";
  }

  /** The time in ticks. */
  public long now() {
    String fault = fault();
    if (!fault.isEmpty()) {
      throw new StorageException(StorageException.Kind.UNAVAILABLE, fault);
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
  public long highest() {
    return Math.max(lastNow.get(), lastTimestamp.get());
  }

  /** The time for cells, which has to be near that of the servers: they judge by it what is old. */
  public long cellMillis() {
    return millis.getAsLong() + offsetMillis;
  }

  private long clock() {
    return ticks.getAsLong() + offsetMillis * (Ticks.PER_SECOND / 1_000);
  }
}
