package io.lazuli.server.queue.service;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.lazuli.server.catalog.Catalog;
import io.lazuli.server.catalog.CatalogEntry;
import io.lazuli.server.catalog.ServiceHome;
import io.lazuli.server.error.Futures;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.SpaceKind;
import io.lazuli.storage.StorageException;
import io.lazuli.storage.metrics.MetricVisitor;
import io.lazuli.storage.thread.BackgroundThread;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes expired messages from queues that nobody uses any more. Walks over all queues in slow
 * rounds: a bounded number of queues and messages at a time, then a pause. A queue in which nothing
 * has expired costs one seek. Thread-safe; starts one thread.
 */
public final class QueueSweeper implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(QueueSweeper.class);

  private static final Duration BETWEEN_ROUNDS = Duration.ofMinutes(1);
  private static final Duration BETWEEN_STEPS = Duration.ofSeconds(1);
  private static final Duration STEP_TIME_MAX = Duration.ofSeconds(30);
  private static final int QUEUES_PER_STEP = 100;

  /** 10,240 messages. A queue that has more is visited again in the next step. */
  private static final int BATCHES_PER_VISIT = 160;

  private final Catalog catalog;
  private final QueueService service;
  private final QueueDepths depths = new QueueDepths();
  private final BackgroundThread thread = new BackgroundThread("queue-sweeper", LOG::warn);

  /** The homes that this round has not finished; the first one is being visited. */
  @GuardedBy("this")
  private final Deque<ServiceHome> homes = new ArrayDeque<>();

  /** The first queue of the first home that this round has not visited. */
  @GuardedBy("this")
  private String next = "";

  public QueueSweeper(Catalog catalog, QueueService service) {
    this.catalog = catalog;
    this.service = service;
  }

  /** Starts the thread. */
  public void start() {
    thread.repeat(BETWEEN_ROUNDS, BETWEEN_ROUNDS, () -> step() ? BETWEEN_STEPS : BETWEEN_ROUNDS);
    thread.start();
  }

  /** Returns one line about a step that failed; empty if the last one succeeded. */
  public String trouble() {
    return thread.trouble();
  }

  /**
   * Visits some queues. Begins a round if none is under way.
   *
   * @return false when the round is over
   */
  synchronized boolean step() {
    Deadline deadline = Deadline.after(STEP_TIME_MAX);
    if (homes.isEmpty()) {
      homes.addAll(Futures.await(catalog.homes(SpaceKind.QUEUE, deadline)));
    }
    ServiceHome home = homes.peek();
    if (home == null) {
      depths.endRound();
      return false;
    }
    List<String> names = names(home, deadline);
    for (int i = 0; i < Math.min(names.size(), QUEUES_PER_STEP); i++) {
      next = names.get(i);
      if (!visit(home, next, deadline)) {
        return true;
      }
    }
    if (names.size() > QUEUES_PER_STEP) {
      next = names.get(QUEUES_PER_STEP);
    } else {
      next = "";
      homes.poll();
    }
    if (homes.isEmpty()) {
      depths.endRound();
    }
    return !homes.isEmpty();
  }

  /** Shows the queues with the most messages, as the last round counted them. */
  public void metrics(MetricVisitor visitor) {
    depths.show(visitor);
  }

  @GuardedBy("this")
  private List<String> names(ServiceHome home, Deadline deadline) {
    List<String> names = new ArrayList<>();
    return Futures.await(
        catalog
            .list(
                home,
                next,
                deadline,
                row -> {
                  names.add(row.name());
                  return names.size() <= QUEUES_PER_STEP;
                })
            .thenApply(listed -> names));
  }

  /**
   * Removes expired messages from one queue. Returns false if more are left than one visit may
   * remove.
   */
  private boolean visit(ServiceHome home, String queue, Deadline deadline) {
    CatalogEntry entry = Futures.await(catalog.find(home, queue, deadline));
    if (entry == null) {
      return true;
    }
    try {
      CompletableFuture<Integer> swept = service.sweep(entry.space(), BATCHES_PER_VISIT, deadline);
      boolean done = Futures.await(swept) < QueueSweep.BATCH;
      depths.note(home.account(), queue, Futures.await(service.count(entry.space(), deadline)));
      return done;
    } catch (StorageException | IllegalStateException e) {
      // The queue was cleared or deleted in between, or the engine is busy. The next round tries
      // again.
      LOG.debug(
          "expired messages of queue {} were not removed; the next round tries again", queue, e);
      return true;
    }
  }

  @Override
  public void close() {
    thread.close();
  }
}
