package io.lazuli.storage.hbase.cluster;

import io.lazuli.storage.Deadline;
import io.lazuli.storage.hbase.commit.ClusterClock;
import io.lazuli.storage.hbase.reclaim.Reclaimer;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/**
 * What a server does beside requests: it keeps or seeks the leadership and measures the cluster's
 * clock, each on a thread of its own, since neither may wait for anything else; and if it is the
 * leader it reclaims what was dropped, on a third.
 */
public final class Housekeeping implements AutoCloseable {
  private static final Duration CLOCK_EVERY = Duration.ofSeconds(30);
  private static final Duration RECLAIM_EVERY_MIN = Duration.ofSeconds(1);
  private static final Duration RECLAIM_EVERY_MAX = Duration.ofSeconds(60);

  private final RecurringTasks leaderTasks = new RecurringTasks("leader");
  private final RecurringTasks clockTasks = new RecurringTasks("clock");
  private final RecurringTasks reclaimTasks = new RecurringTasks("reclaimer");
  private final Leadership leadership;
  private final ClockMeasurement measurement;
  private final ClusterClock clock;
  private final Reclaimer reclaimer;
  private final Duration reclaimAfter;
  private final BooleanSupplier chunkReclaim;

  /**
   * @param chunkReclaim removes cells of deleted chunks, and tells if there may be more
   */
  public Housekeeping(
      Leadership leadership,
      ClockMeasurement measurement,
      ClusterClock clock,
      Reclaimer reclaimer,
      Duration reclaimAfter,
      BooleanSupplier chunkReclaim) {
    this.leadership = leadership;
    this.measurement = measurement;
    this.clock = clock;
    this.reclaimer = reclaimer;
    this.reclaimAfter = reclaimAfter;
    this.chunkReclaim = chunkReclaim;
  }

  public void start() {
    leaderTasks.every(Leadership.RENEWAL, Duration.ZERO, leadership::renew);
    clockTasks.every(CLOCK_EVERY, CLOCK_EVERY, this::measure);
    reclaimTasks.every(reclaimEvery(), Duration.ZERO, this::reclaim);
    reclaimTasks.every(RECLAIM_EVERY_MAX, RECLAIM_EVERY_MAX, this::reclaimChunks);
  }

  @Override
  public void close() {
    reclaimTasks.end();
    clockTasks.end();
    leaderTasks.endAfter(leadership::resign);
  }

  /** Why nothing is reclaimed; empty as far as it is, by this server or another. */
  public String fault() {
    return leadership.isLeader() ? reclaimer.fault() : "";
  }

  private void measure() {
    clock.correct(measurement.offsetMillis(Deadline.after(CLOCK_EVERY)));
  }

  /** One turn; chunks have theirs in between. */
  private void reclaim() {
    if (reclaimer.run(leadership::isLeader)) {
      reclaimTasks.soon(this::reclaim);
    }
  }

  private void reclaimChunks() {
    if (leadership.isLeader() && chunkReclaim.getAsBoolean()) {
      reclaimTasks.soon(this::reclaimChunks);
    }
  }

  /** Drops, whoever made them, are found by looking, the more often the sooner they are due. */
  private Duration reclaimEvery() {
    Duration capped =
        reclaimAfter.compareTo(RECLAIM_EVERY_MAX) > 0 ? RECLAIM_EVERY_MAX : reclaimAfter;
    return capped.compareTo(RECLAIM_EVERY_MIN) < 0 ? RECLAIM_EVERY_MIN : capped;
  }
}
