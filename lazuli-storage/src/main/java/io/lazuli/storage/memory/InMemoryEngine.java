package io.lazuli.storage.memory;

import io.lazuli.storage.Bytes;
import io.lazuli.storage.ChunkStore;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.Direction;
import io.lazuli.storage.EngineConfig;
import io.lazuli.storage.EngineState;
import io.lazuli.storage.KeyRange;
import io.lazuli.storage.Partition;
import io.lazuli.storage.RecordKey;
import io.lazuli.storage.RecordVisitor;
import io.lazuli.storage.Space;
import io.lazuli.storage.SpaceKind;
import io.lazuli.storage.StorageEngine;
import io.lazuli.storage.StorageException;
import io.lazuli.storage.TransactionBody;
import io.lazuli.storage.engine.DroppedSpaces;
import io.lazuli.storage.engine.EngineClock;
import io.lazuli.storage.engine.LaneQueue;
import io.lazuli.storage.engine.LocalCall;
import io.lazuli.storage.keys.KeyCodec;
import io.lazuli.storage.keys.KeyInterval;
import io.lazuli.storage.keys.ScanCursor;
import io.lazuli.storage.thread.BackgroundThread;
import io.lazuli.storage.thread.OutOfMemory;
import io.lazuli.storage.thread.Threads;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * An engine on the heap. It keeps all promises of {@link StorageEngine}, except that {@link #close}
 * discards the data. It stores at most {@link EngineConfig#memoryBytes}; this includes records,
 * chunks and an estimate of their overhead. A transaction or a chunk that would exceed the bound
 * fails with {@code UNAVAILABLE}. A transaction that makes the store smaller always succeeds.
 *
 * <p>One thread, the lane, runs the bodies in order. A body writes into an overlay. When the body
 * has returned, the lane applies the overlay in one step under the write lock: readers see all of
 * it or nothing, and a body that throws leaves nothing. A scan collects up to 1,000 records or 4
 * MiB, from all its ranges together, under the read lock, and shows them after it has released the
 * lock; records that the visitor skips count too. The lane checks before each body whether its
 * space was dropped. Reads and scans check this after they have collected their records, because
 * the reclaimer may already have removed some. A second thread, the reclaimer, removes the records
 * of dropped spaces in steps that hold the lock briefly.
 */
public final class InMemoryEngine implements StorageEngine {
  private static final int PAGE_RECORDS_MAX = 1_000;
  private static final long PAGE_BYTES_MAX = 4L << 20;
  private static final int DRAIN_OPERATIONS_MAX = 1_024;
  private static final long DRAIN_BYTES_MAX = 4L << 20;
  private static final int RECLAIM_RECORDS_MAX = 1_000;
  private static final Duration RECLAIM_AGAIN = Duration.ofSeconds(1);

  private final HeapBudget budget;
  private final RecordMap records;
  private final InMemoryChunkStore chunks;
  private final EngineClock clock;
  private final LaneQueue<Operation<?>> queue;
  private final DroppedSpaces dropped = new DroppedSpaces();
  private final AtomicLong spaces = new AtomicLong();
  private final Thread lane;

  /** Starts with the first drop of a space that holds records. */
  private final BackgroundThread reclaimer;

  private final BackgroundThread.Job reclaiming;
  private final Queue<Long> unreclaimed = new ConcurrentLinkedQueue<>();
  private volatile boolean closed;

  /** Opens an empty engine, which uses only the clock and the bounds of the configuration. */
  public InMemoryEngine(EngineConfig config) {
    budget = new HeapBudget(config.memoryBytes());
    records = new RecordMap(budget);
    chunks = new InMemoryChunkStore(this, budget);
    clock = new EngineClock(config.ticks(), 0);
    queue =
        new LaneQueue<>(
            config.queuedOperationsMax(), config.queuedBytesMax(), Operation::weightBytes);
    reclaimer = new BackgroundThread("lazuli-memory-reclaimer", (line, failure) -> {});
    reclaiming = reclaimer.repeat(Duration.ZERO, RECLAIM_AGAIN, this::reclaim);
    lane = Threads.daemon(this::runLane, "lazuli-memory-lane");
    lane.start();
  }

  @Override
  public <R> CompletableFuture<R> transact(
      Partition partition, List<Bytes> touch, Deadline deadline, TransactionBody<R> body) {
    Operation<R> operation =
        new Operation<>(partition, deadline, body, body.weightBytes(), new CompletableFuture<>());
    switch (queue.offer(operation)) {
      case TAKEN -> {}
      case FULL ->
          operation.fail(
              new StorageException(StorageException.Kind.UNAVAILABLE, "the queue is full"));
      case CLOSED -> operation.fail(closedFailure());
    }
    return operation.future();
  }

  @Override
  public CompletableFuture<byte @Nullable []> read(RecordKey key, Deadline deadline) {
    return LocalCall.<byte @Nullable []>run(() -> find(key, deadline));
  }

  private byte @Nullable [] find(RecordKey key, Deadline deadline) {
    requireOpen();
    deadline.check();
    byte[] value = records.find(Bytes.of(KeyCodec.encode(key)));
    dropped.check(key.partition().space());
    return value == null ? null : value.clone();
  }

  @Override
  public CompletableFuture<@Nullable Void> scan(
      Space space,
      List<KeyRange> ranges,
      Direction direction,
      Deadline deadline,
      RecordVisitor visitor) {
    return LocalCall.<@Nullable Void>run(
        () -> {
          visit(space, ranges, direction, deadline, visitor);
          return null;
        });
  }

  private void visit(
      Space space,
      List<KeyRange> ranges,
      Direction direction,
      Deadline deadline,
      RecordVisitor visitor) {
    KeyRange.requireSortedAndDisjoint(ranges);
    ScanCursor cursor = new ScanCursor(space.number(), ranges, direction);
    RecordMap.Page page;
    do {
      requireOpen();
      deadline.check();
      page = records.page(cursor.rest(), cursor.isForward(), PAGE_RECORDS_MAX, PAGE_BYTES_MAX);
      dropped.check(space);
    } while (show(page, cursor, visitor) && !page.last());
  }

  @Override
  public CompletableFuture<Boolean> exists(Space space, Deadline deadline) {
    return LocalCall.run(
        () -> {
          requireOpen();
          deadline.check();
          return !dropped.contains(space.guard());
        });
  }

  @Override
  public CompletableFuture<Long> newSpace(SpaceKind kind, Deadline deadline) {
    return LocalCall.run(
        () -> {
          requireOpen();
          deadline.check();
          return Space.number(kind, spaces.incrementAndGet());
        });
  }

  @Override
  public long now() {
    requireOpen();
    return clock.now();
  }

  @Override
  public long clock() {
    requireOpen();
    return clock.underlying();
  }

  @Override
  public ChunkStore chunks() {
    return chunks;
  }

  @Override
  public EngineState state() {
    return closed
        ? new EngineState(false, "closed")
        : new EngineState(true, "in memory, " + (budget.bytes() >> 20) + " MiB stored")
            .withFault(reclaimer.trouble());
  }

  @Override
  public void close() {
    closed = true;
    queue.close();
    if (Thread.currentThread() != lane) {
      Threads.join(lane);
    }
    reclaimer.close();
  }

  /** Returns the number of records of a space on the heap, even if the space was dropped. */
  long storedRecords(long space) {
    return records.count(KeyInterval.ofSpace(space));
  }

  /** Shows a page to the visitor; returns false if the visitor stops the scan. */
  private static boolean show(RecordMap.Page page, ScanCursor cursor, RecordVisitor visitor) {
    for (Map.Entry<Bytes, byte[]> entry : page.records()) {
      byte[] value = entry.getValue();
      if (!cursor.show(entry.getKey(), value, 0, value.length, visitor)) {
        return false;
      }
    }
    return true;
  }

  private void runLane() {
    boolean open = true;
    while (open) {
      try {
        List<Operation<?>> drained = queue.drain(DRAIN_OPERATIONS_MAX, DRAIN_BYTES_MAX);
        drained.forEach(this::run);
        open = !drained.isEmpty();
      } catch (Throwable e) {
        // Only a lack of memory gets here. The lane continues.
        OutOfMemory.check(e);
      }
    }
  }

  private <R> void run(Operation<R> operation) {
    R result;
    try {
      operation.deadline().check();
      dropped.check(operation.partition().space());
      result = commit(operation);
    } catch (Throwable failure) {
      // The caller gets the exception of the body. The lane continues.
      OutOfMemory.check(failure);
      operation.fail(failure);
      return;
    }
    operation.future().complete(result);
  }

  private <R> R commit(Operation<R> operation) {
    OverlayView view = new OverlayView(operation.partition(), records, clock);
    R result = operation.body().run(view);
    if (!records.apply(view.close())) {
      throw new StorageException(StorageException.Kind.UNAVAILABLE, "the memory is full");
    }
    view.drops().forEach(this::drop);
    return result;
  }

  /** Remembers a drop. The first drop of a space that holds records starts the reclaimer. */
  private void drop(Space space) {
    long number = space.number();
    boolean first = !dropped.contains(number);
    dropped.add(number);
    if (first && !closed && records.holdsAny(KeyInterval.ofSpace(number))) {
      unreclaimed.add(number);
      reclaimer.start();
      reclaiming.wake();
    }
  }

  /** Removes some records of the first dropped space. */
  private Duration reclaim() {
    Long space = unreclaimed.peek();
    if (space == null) {
      return BackgroundThread.UNTIL_WOKEN;
    }
    int removed = records.removeFirst(KeyInterval.ofSpace(space), RECLAIM_RECORDS_MAX);
    if (removed < RECLAIM_RECORDS_MAX) {
      unreclaimed.remove();
    }
    return Duration.ZERO;
  }

  private void requireOpen() {
    if (closed) {
      throw closedFailure();
    }
  }

  private static StorageException closedFailure() {
    return new StorageException(StorageException.Kind.CLOSED, "the engine is closed");
  }

  /** A transaction that waits for the lane. */
  private record Operation<R>(
      Partition partition,
      Deadline deadline,
      TransactionBody<R> body,
      long weightBytes,
      CompletableFuture<R> future) {

    void fail(Throwable failure) {
      future.completeExceptionally(failure);
    }
  }
}
