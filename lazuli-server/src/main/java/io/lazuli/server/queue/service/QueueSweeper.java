package io.lazuli.server.queue.service;

import io.lazuli.server.catalog.Catalog;
import io.lazuli.server.catalog.CatalogEntry;
import io.lazuli.server.catalog.NameWalk;
import io.lazuli.server.catalog.ServiceHome;
import io.lazuli.server.error.Futures;
import io.lazuli.storage.Bytes;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.SpaceKind;
import io.lazuli.storage.StorageException;
import io.lazuli.storage.metrics.MetricVisitor;
import io.lazuli.storage.thread.BackgroundThread;
import io.lazuli.storage.work.Pace;
import io.lazuli.storage.work.SharedWalk;
import io.lazuli.storage.work.WorkBoard;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes expired messages from queues that nobody uses any more. Walks over all queues in slow
 * rounds: a bounded number of queues and messages at a time, then a pause. A queue in which nothing
 * has expired costs one seek. The servers of a store share the queues. Thread-safe; starts one
 * thread.
 */
public final class QueueSweeper implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(QueueSweeper.class);

  private static final Duration BETWEEN_ROUNDS = Duration.ofMinutes(1);
  private static final Duration BETWEEN_STEPS = Duration.ofSeconds(1);
  private static final Duration STEP_TIME_MAX = Duration.ofSeconds(30);
  private static final int SHARDS = 4;
  private static final int QUEUES_PER_STEP = 100;

  /** 10,240 messages. A queue that has more is visited again in the next step. */
  private static final int BATCHES_PER_VISIT = 160;

  private static final Bytes AGAIN = Bytes.of(new byte[] {1});

  private final Catalog catalog;
  private final NameWalk names;
  private final QueueService service;
  private final SharedWalk walk;
  private final List<QueueDepths> depths = new ArrayList<>();
  private final BackgroundThread thread = new BackgroundThread("queue-sweeper", LOG::warn);

  public QueueSweeper(Catalog catalog, QueueService service, WorkBoard board) {
    this.catalog = catalog;
    this.names = new NameWalk(catalog, SpaceKind.QUEUE, SharedWalk.PIECE);
    this.service = service;
    this.walk = board.walk("queues", SHARDS, Pace.every(BETWEEN_ROUNDS));
    for (int shard = 0; shard < SHARDS; shard++) {
      depths.add(new QueueDepths());
    }
  }

  /** Starts the thread. */
  public void start() {
    thread.repeat(BETWEEN_ROUNDS, BETWEEN_ROUNDS, this::step);
    thread.start();
  }

  /**
   * Visits some queues, if a round of a shard of this server is due. Returns the pause after it.
   */
  Duration step() throws Exception {
    return walk.step(BETWEEN_STEPS, (shard, from, full) -> sweep(shard, from));
  }

  /** Returns one line about a step that failed; empty if the last one succeeded. */
  public String trouble() {
    return thread.trouble();
  }

  /**
   * Visits some queues of a shard.
   *
   * @return where the next call continues; null after the last queue
   */
  @Nullable Bytes sweep(int shard, Bytes from) {
    Deadline deadline = Deadline.after(STEP_TIME_MAX);
    Bytes next =
        names.piece(
            from,
            QUEUES_PER_STEP * SHARDS,
            deadline,
            (home, queue, within, until) -> {
              boolean mine = walk.shardOf(home.account() + "/" + queue) == shard;
              return !mine || visit(home, queue, shard, deadline) ? null : AGAIN;
            });
    if (next == null) {
      depths.get(shard).endRound();
    }
    return next;
  }

  /** Shows the queues with the most messages, as the last rounds of this server counted them. */
  public void metrics(MetricVisitor visitor) {
    List<QueueDepths> held = new ArrayList<>();
    for (int shard = 0; shard < SHARDS; shard++) {
      if (walk.isHeld(shard)) {
        held.add(depths.get(shard));
      }
    }
    QueueDepths.show(held, visitor);
  }

  /**
   * Removes expired messages from one queue. Returns false if more are left than one visit may
   * remove.
   */
  private boolean visit(ServiceHome home, String queue, int shard, Deadline deadline) {
    CatalogEntry entry = Futures.await(catalog.find(home, queue, deadline));
    if (entry == null) {
      return true;
    }
    try {
      CompletableFuture<Integer> swept = service.sweep(entry.space(), BATCHES_PER_VISIT, deadline);
      boolean done = Futures.await(swept) < QueueSweep.BATCH;
      depths
          .get(shard)
          .note(home.account(), queue, Futures.await(service.count(entry.space(), deadline)));
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
