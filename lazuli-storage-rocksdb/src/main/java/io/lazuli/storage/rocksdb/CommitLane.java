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
import io.lazuli.storage.metrics.Histogram;
import io.lazuli.storage.metrics.MetricVisitor;
import io.lazuli.storage.rocksdb.log.LogWriter;
import io.lazuli.storage.thread.OutOfMemory;
import io.lazuli.storage.thread.Threads;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBatch;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one thread that runs transactions and writes the log. Bodies run one after another, so there
 * are no conflicts and no retries. Their changes go to the log in one batch with one sync. Safe for
 * any number of submitting threads.
 *
 * <h2>One drain</h2>
 *
 * The lane takes the queued operations, up to 1,024 of them or 4 MiB, and never waits for more:
 * while one sync runs, the next drain fills up by itself. It runs the bodies in order. Each body
 * sees the store with the drain's changes so far on top. Then the lane writes one batch, syncs
 * once, and completes the futures. A second lane on the same log would mean more and smaller syncs
 * that wait for each other: two lanes reached 0.4 to 0.8 of the throughput of one.
 *
 * <h2>When an operation completes</h2>
 *
 * An operation completes only after the write of its own drain has returned. A body reads two
 * things: the overlay, which is part of that write, and the store. The store shows a batch only
 * after its log is synced (RocksDB syncs first, then makes the batch visible), and the lane begins
 * a drain only after the write of the previous one has returned. So everything that a result is
 * based on is durable when the operation completes, even if its body wrote nothing. A drain without
 * changes needs no sync, because everything that it read was synced before. For the same reason,
 * readers outside the lane never see changes that a power cut could undo. If the write of a drain
 * fails, the results of its bodies may be based on lost changes, so all its operations end with an
 * unknown outcome. Only an operation whose deadline passed before its turn ends immediately,
 * because it has read nothing.
 *
 * <h2>After a failed write</h2>
 *
 * The log is in an unknown state, so the lane does not try again. It refuses all queued and later
 * operations with {@code UNAVAILABLE}. Reads still work. Opening the store again reads the log up
 * to its last complete batch.
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
  private final Histogram batchLengths = Histogram.ofCounts();
  private final Histogram writeNanos = Histogram.ofNanos();
  private final LongAdder refused = new LongAdder();
  private volatile @Nullable String failure;

  /**
   * Makes a lane that does not run yet.
   *
   * @param onDrop called with each drop once it is durable
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
      case FULL -> {
        refused.increment();
        operation.refuse(StorageException.Kind.UNAVAILABLE, "the queue is full");
      }
      case CLOSED -> refuseClosed(operation);
    }
    return operation.future();
  }

  EngineState state() {
    String reason = failure;
    return reason == null ? writable : new EngineState(false, reason);
  }

  /** Shows the length of the queue, the batches, and the time that their writes took. */
  void metrics(MetricVisitor visitor) {
    visitor.gauge(
        "lazuli_lane_waiting", "Transactions that wait for the commit lane.", queue.size());
    visitor.histogram(
        "lazuli_lane_batch_transactions",
        "Transactions that were written and synced together.",
        batchLengths);
    visitor.histogram(
        "lazuli_lane_write_seconds",
        "Time to write one batch of the commit lane, including the sync of the log.",
        writeNanos);
    visitor.counter(
        "lazuli_limit_refusals",
        "Requests, transactions and connections that a limit of the server refused.",
        refused.sum(),
        "limit",
        "lane");
  }

  /** Refuses new operations, and waits until the queued ones are finished. */
  void close() {
    queue.close();
    Threads.join(thread);
  }

  private void run() {
    try (WriteBatch batch = new WriteBatch()) {
      boolean open = true;
      while (open) {
        open = runOnce(batch);
      }
      keepTime(batch);
    }
  }

  /**
   * Commits what is queued. This is the root of the thread: after a failure, even of this code, the
   * lane refuses all operations, and none of them waits for a thread that has died.
   *
   * @return false once the queue is closed and empty
   */
  private boolean runOnce(WriteBatch batch) {
    List<Operation<?>> taken = List.of();
    try {
      taken = drainQueue();
      commitAll(taken, batch);
      return !taken.isEmpty();
    } catch (Throwable e) {
      failQuietly(e, taken);
      return true;
    }
  }

  private void failQuietly(Throwable cause, List<Operation<?>> operations) {
    try {
      fail(cause, operations);
    } catch (Throwable e) {
      OutOfMemory.check(e);
    }
  }

  /**
   * Stores the engine's time when the lane ends, so that the time does not go back after a restart.
   */
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
   * Commits as many operations as fit into one batch, from {@code begin} on. Not all may fit,
   * because bodies may write more than their weight.
   *
   * @return the index of the first operation that did not run
   */
  private int commitFrom(List<Operation<?>> operations, int begin, WriteBatch batch) {
    int end = begin;
    try {
      while (end < operations.size() && drain.overlay().bytes() < DRAIN_BYTES_MAX) {
        operations.get(end++).run(drain);
      }
      if (write(batch)) {
        batchLengths.record(end - begin);
      }
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

  /** Writes the changes of the drain. Returns false if there are none. */
  private boolean write(WriteBatch batch) throws RocksDBException {
    if (!drain.hasChanges()) {
      return false;
    }
    batch.clear();
    drain.addTo(batch);
    long begun = System.nanoTime();
    log.write(batch);
    writeNanos.record(System.nanoTime() - begun);
    return true;
  }

  /** Refuses all operations from now on, because a write to the log failed on another thread. */
  void fail(Throwable cause) {
    fail(cause, List.of());
  }

  private void fail(Throwable cause, List<Operation<?>> operations) {
    String reason = "read-only since a write to the log failed: " + cause.getMessage();
    failure = reason;
    queue.close();
    OutOfMemory.check(cause);
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
