package io.lazuli.storage.hbase;

import io.lazuli.storage.Deadline;
import io.lazuli.storage.StorageException;
import io.lazuli.storage.lane.Threads;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a server does beside requests, on one thread: it measures the cluster's clock, and if it is
 * the leader it reclaims what was dropped.
 */
final class Housekeeping implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Housekeeping.class);
  private static final Duration CLOCK_EVERY = Duration.ofSeconds(30);
  private static final Duration RECLAIM_EVERY_MIN = Duration.ofSeconds(1);
  private static final Duration RECLAIM_EVERY_MAX = Duration.ofSeconds(60);

  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(
          task -> Threads.daemon(task, "lazuli-hbase-housekeeping"));
  private final Leadership leadership;
  private final ClockMeasurement measurement;
  private final ClusterClock clock;
  private final Reclaimer reclaimer;
  private final Duration reclaimAfter;
  private final BooleanSupplier chunkReclaim;
  private final LastOutcome reclaimed = new LastOutcome();

  /**
   * @param chunkReclaim removes cells of deleted chunks, and tells if there may be more
   */
  Housekeeping(
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

  void start() {
    every(Leadership.RENEWAL, Duration.ZERO, leadership::renew);
    every(CLOCK_EVERY, CLOCK_EVERY, this::measure);
    every(reclaimEvery(), Duration.ZERO, this::reclaim);
    every(RECLAIM_EVERY_MAX, RECLAIM_EVERY_MAX, this::reclaimChunks);
  }

  @Override
  public void close() {
    thread.shutdownNow();
    try {
      if (!thread.awaitTermination(5, TimeUnit.SECONDS)) {
        log.warn("housekeeping did not end in time");
      }
      leadership.resign();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (StorageException e) {
      log.info("the leadership ends by itself: {}", e.getMessage());
    }
  }

  /** Why nothing is reclaimed; empty as far as it is, by this server or another. */
  String fault() {
    return leadership.isLeader() ? reclaimed.fault() : "";
  }

  private void measure() {
    clock.correct(measurement.offsetMillis(Deadline.after(CLOCK_EVERY)));
  }

  private void reclaim() {
    if (leadership.isLeader()) {
      reclaimed.of(reclaimer::run);
    }
  }

  /** Steps in between what else is due: the clock must not go unmeasured for long. */
  private void reclaimChunks() {
    if (leadership.isLeader() && chunkReclaim.getAsBoolean()) {
      again(this::reclaimChunks);
    }
  }

  private void again(Runnable task) {
    try {
      thread.execute(guarded(task));
    } catch (RejectedExecutionException e) {
      // Closing: what is to be done is recorded, the next leader finds it.
      return;
    }
  }

  /** Drops, whoever made them, are found by looking, the more often the sooner they are due. */
  private Duration reclaimEvery() {
    Duration capped =
        reclaimAfter.compareTo(RECLAIM_EVERY_MAX) > 0 ? RECLAIM_EVERY_MAX : reclaimAfter;
    return capped.compareTo(RECLAIM_EVERY_MIN) < 0 ? RECLAIM_EVERY_MIN : capped;
  }

  private void every(Duration period, Duration delay, Runnable task) {
    ScheduledFuture<?> unused =
        thread.scheduleWithFixedDelay(
            guarded(task), delay.toMillis(), period.toMillis(), TimeUnit.MILLISECONDS);
  }

  /** A task that fails is tried again at its next turn; an executor would never run it again. */
  private static Runnable guarded(Runnable task) {
    return () -> {
      try {
        task.run();
      } catch (StorageException e) {
        if (e.kind() != StorageException.Kind.CLOSED) {
          log.warn("housekeeping: {}", e.getMessage());
        }
      } catch (RuntimeException e) {
        log.error("housekeeping failed", e);
      }
    };
  }
}
