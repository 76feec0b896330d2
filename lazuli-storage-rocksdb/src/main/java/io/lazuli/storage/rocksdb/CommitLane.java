package io.lazuli.storage.rocksdb;

import io.lazuli.storage.Deadline;
import io.lazuli.storage.Durability;
import io.lazuli.storage.EngineConfig;
import io.lazuli.storage.EngineState;
import io.lazuli.storage.Partition;
import io.lazuli.storage.StorageException;
import io.lazuli.storage.TransactionBody;
import io.lazuli.storage.engine.DroppedSpaces;
import io.lazuli.storage.engine.LaneQueue;
import io.lazuli.storage.engine.Threads;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBatch;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one thread that runs transactions and writes the log. Bodies run one after another, so there
 * are no conflicts and no retries; what they changed goes to the log in one batch with one sync.
 * Safe for any number of submitting threads.
 *
 * <h2>One drain</h2>
 *
 * The lane takes out what has queued, up to 1,024 operations or 4 MiB, and never waits for more:
 * while one sync runs the next drain collects by itself. It runs the bodies in order against the
 * drain's changes so far and the store below them, writes one batch, syncs once, and completes the
 * futures. A second lane on the same log would mean more and smaller syncs that wait for each
 * other; it measured 0.4 to 0.8 of one.
 *
 * <h2>When an answer may leave</h2>
 *
 * An operation is completed only after the write of its own drain returned. A body reads two
 * things: the overlay, which is part of that same write, and the store. The store shows a batch
 * only after its log was synced (RocksDB syncs first, then makes the batch visible), and the lane
 * begins no drain before the write of the last one returned. So whatever an answer rests on is
 * durable when the answer leaves, also when its body wrote nothing; and a drain in which nobody
 * wrote has nothing to sync: all it read was synced before. For the same reason readers beside the
 * lane never see what a power cut could take back. What a body came to in a drain whose write
 * failed may rest on changes that are lost: all of that drain end with an unknown outcome. Only an
 * operation whose deadline had passed before its turn is answered at once, as it read nothing.
 *
 * <h2>After a failed write</h2>
 *
 * The log is in an unknown state, so nothing is tried again: the lane refuses what is queued and
 * what comes later with {@code UNAVAILABLE}. Reads go on. Opening the store again reads the log up
 * to its last whole batch.
 */
final class CommitLane {
  static final int DRAIN_OPERATIONS_MAX = 1_024;
  static final long DRAIN_BYTES_MAX = 4 << 20;

  private static final Logger LOG = LoggerFactory.getLogger(CommitLane.class);

  private final LaneQueue<Operation<?>> queue;
  private final Drain drain;
  private final DroppedSpaces dropped;
  private final LogWriter log;
  private final Consumer<Drop> onDrop;
  private final Thread thread = Threads.daemon(this::run, "lazuli-commit-lane");
  private final EngineState writable;
  private volatile @Nullable String failure;

  /**
   * A lane that does not run yet.
   *
   * @param onDrop hears of each drop once it is durable
   */
  CommitLane(
      EngineConfig config,
      Drain drain,
      DroppedSpaces dropped,
      LogWriter log,
      Consumer<Drop> onDrop) {
    this.queue =
        new LaneQueue<>(
            config.queuedOperationsMax(), config.queuedBytesMax(), Operation::weightBytes);
    this.writable =
        new EngineState(
            true,
            config.durability() == Durability.DISK
                ? "every write is synced"
                : "relaxed: a power cut may lose the last writes");
    this.drain = drain;
    this.dropped = dropped;
    this.log = log;
    this.onDrop = onDrop;
  }

  void start() {
    thread.start();
  }

  <R> CompletableFuture<R> submit(Partition partition, Deadline deadline, TransactionBody<R> body) {
    Operation<R> operation = new Operation<>(partition, deadline, body);
    switch (queue.offer(operation)) {
      case TAKEN -> {}
      case FULL -> operation.refuse(StorageException.Kind.UNAVAILABLE, "the queue is full");
      case CLOSED -> refuseClosed(operation);
    }
    return operation.future();
  }

  EngineState state() {
    String reason = failure;
    return reason == null ? writable : new EngineState(false, reason);
  }

  /** Takes nothing more, ends what is queued, and waits for that. */
  void close() {
    queue.close();
    Threads.join(thread);
  }

  private void run() {
    try (WriteBatch batch = new WriteBatch()) {
      for (List<Operation<?>> taken = drainQueue(); !taken.isEmpty(); taken = drainQueue()) {
        commitAll(taken, batch);
      }
      keepTime(batch);
    }
  }

  /** The last thing the lane writes: the time, so that it does not go back over a restart. */
  private void keepTime(WriteBatch batch) {
    if (failure == null) {
      try {
        batch.clear();
        if (drain.addMarkTo(batch)) {
          log.write(batch);
        }
      } catch (RocksDBException e) {
        fail(e, List.of());
      }
    }
  }

  private List<Operation<?>> drainQueue() {
    return queue.drain(DRAIN_OPERATIONS_MAX, DRAIN_BYTES_MAX);
  }

  private void commitAll(List<Operation<?>> operations, WriteBatch batch) {
    int begin = 0;
    while (begin < operations.size() && failure == null) {
      begin = commitFrom(operations, begin, batch);
    }
    operations.subList(begin, operations.size()).forEach(this::refuseClosed);
  }

  /**
   * Commits the operations from one on, as many as fit: bodies may write more than they weighed.
   *
   * @return the first operation that did not run
   */
  private int commitFrom(List<Operation<?>> operations, int begin, WriteBatch batch) {
    int end = begin;
    try {
      while (end < operations.size() && drain.overlay().bytes() < DRAIN_BYTES_MAX) {
        operations.get(end++).run(drain);
      }
      write(batch);
    } catch (RocksDBException | RuntimeException | Error e) {
      fail(e, operations.subList(begin, end));
      return end;
    }
    for (Drop drop : drain.drops()) {
      dropped.add(drop.space());
      onDrop.accept(drop);
    }
    drain.clear();
    operations.subList(begin, end).forEach(Operation::complete);
    return end;
  }

  private void write(WriteBatch batch) throws RocksDBException {
    if (drain.hasChanges()) {
      batch.clear();
      drain.addTo(batch);
      log.write(batch);
    }
  }

  private void fail(Throwable cause, List<Operation<?>> operations) {
    String reason = "read-only since a write to the log failed: " + cause.getMessage();
    failure = reason;
    queue.close();
    LOG.error("the store is read-only until a restart", cause);
    for (Operation<?> operation : operations) {
      operation.refuse(StorageException.Kind.UNKNOWN_OUTCOME, reason);
    }
  }

  private void refuseClosed(Operation<?> operation) {
    String reason = failure;
    if (reason == null) {
      operation.refuse(StorageException.Kind.CLOSED, "the engine is closed");
    } else {
      operation.refuse(StorageException.Kind.UNAVAILABLE, reason);
    }
  }
}
