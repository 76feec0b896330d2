package io.lazuli.storage.hbase.cluster;

import io.lazuli.storage.Deadline;
import io.lazuli.storage.hbase.call.Steps;
import io.lazuli.storage.hbase.commit.ClusterClock;
import io.lazuli.storage.hbase.commit.CutRow;
import io.lazuli.storage.hbase.reclaim.Reclaimer;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The background work of a server: it renews or seeks the leadership, and measures the cluster's
 * clock. Each of these two tasks has its own thread, because neither may wait for other work. If
 * the server is the leader, a third thread removes the data of dropped spaces and deleted chunks.
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
  private final CutRow cut;

  /**
   * @param cut no records of dropped spaces are removed while it holds
   * @param chunkReclaim removes cells of deleted chunks, and returns true if there may be more
   */
  public Housekeeping(
      Leadership leadership,
      ClockMeasurement measurement,
      ClusterClock clock,
      Reclaimer reclaimer,
      Duration reclaimAfter,
      CutRow cut,
      BooleanSupplier chunkReclaim) {
    this.leadership = leadership;
    this.measurement = measurement;
    this.clock = clock;
    this.reclaimer = reclaimer;
    this.reclaimAfter = reclaimAfter;
    this.cut = cut;
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

  /**
   * Returns which threads fail, and why dropped spaces are not reclaimed if this server leads;
   * empty if nothing is wrong.
   */
  public String fault() {
    return Stream.of(
            leaderTasks.trouble(),
            clockTasks.trouble(),
            reclaimTasks.trouble(),
            leadership.isLeader() ? reclaimer.fault() : "")
        .filter(trouble -> !trouble.isEmpty())
        .collect(Collectors.joining("; "));
  }

  /** Returns true if this server removes what was deleted. */
  public boolean leads() {
    return leadership.isLeader();
  }

  /**
   * Returns the number of dropped spaces that still have records; 0 if another server leads, which
   * then knows it.
   */
  public int dropsWaiting() {
    return leadership.isLeader() ? reclaimer.waiting() : 0;
  }

  private void measure() {
    clock.correct(measurement.offsetMillis(Deadline.after(CLOCK_EVERY)));
  }

  /** Runs one turn for dropped spaces. Turns for chunks run between these turns. */
  private void reclaim() {
    if (reclaimer.run(this::mayReclaim)) {
      reclaimTasks.soon(this::reclaim);
    }
  }

  /** The reclaimer asks after it has read a drop, as {@link CutRow} requires. */
  private boolean mayReclaim() {
    return leadership.isLeader() && !Steps.await(cut.isHeld());
  }

  private void reclaimChunks() {
    if (leadership.isLeader() && chunkReclaim.getAsBoolean()) {
      reclaimTasks.soon(this::reclaimChunks);
    }
  }

  /** Returns the time between two searches for new drops. It is shorter if drops are due sooner. */
  private Duration reclaimEvery() {
    Duration capped =
        reclaimAfter.compareTo(RECLAIM_EVERY_MAX) > 0 ? RECLAIM_EVERY_MAX : reclaimAfter;
    return capped.compareTo(RECLAIM_EVERY_MIN) < 0 ? RECLAIM_EVERY_MIN : capped;
  }
}
