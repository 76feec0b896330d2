package io.lazuli.storage.faults;

import io.lazuli.storage.Bytes;
import io.lazuli.storage.ChunkStore;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.Direction;
import io.lazuli.storage.KeyRange;
import io.lazuli.storage.Partition;
import io.lazuli.storage.RecordKey;
import io.lazuli.storage.RecordVisitor;
import io.lazuli.storage.Space;
import io.lazuli.storage.SpaceKind;
import io.lazuli.storage.StorageEngine;
import io.lazuli.storage.TransactionBody;
import io.lazuli.storage.thread.Threads;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * An engine that behaves like a remote one: it never works on the calling thread, and completes all
 * futures on two threads of its own. Code that waits for a future on one of them soon stops the
 * engine. The calls on one partition can be held, as if its server paused. A held call has no
 * deadline, so that the test decides how long it waits, and not the speed of the machine. Mutable;
 * safe for any thread.
 */
public final class RemoteEngine extends ForwardingEngine {
  private static final int THREADS = 2;

  private final ExecutorService threads =
      Executors.newFixedThreadPool(THREADS, task -> Threads.daemon(task, "remote-engine"));
  private final List<Runnable> held = new ArrayList<>();
  private final ChunkStore chunks;
  private Bytes paused;

  /** Wraps an engine, which is closed with this one. */
  public RemoteEngine(StorageEngine engine) {
    super(engine);
    chunks = new RemoteChunks(engine.chunks(), new ChunkCalls());
  }

  /** Holds all calls on partitions with this name until {@link #resume}. */
  public synchronized void pause(Bytes partition) {
    paused = partition;
  }

  /** Returns how many calls are held. */
  public synchronized int held() {
    return held.size();
  }

  /** Lets the held calls continue. */
  public synchronized void resume() {
    paused = null;
    held.forEach(threads::execute);
    held.clear();
  }

  @Override
  public <R> CompletableFuture<R> transact(
      Partition partition, List<Bytes> touch, Deadline deadline, TransactionBody<R> body) {
    return call(partition.name(), deadline, limit -> super.transact(partition, touch, limit, body));
  }

  @Override
  public CompletableFuture<byte[]> read(RecordKey key, Deadline deadline) {
    return call(key.partition().name(), deadline, limit -> super.read(key, limit));
  }

  @Override
  public CompletableFuture<Void> scan(
      Space space,
      List<KeyRange> ranges,
      Direction direction,
      Deadline deadline,
      RecordVisitor visitor) {
    Bytes partition = ranges.isEmpty() ? Bytes.EMPTY : ranges.get(0).from().partition();
    return call(partition, deadline, limit -> super.scan(space, ranges, direction, limit, visitor));
  }

  @Override
  public CompletableFuture<Long> newSpace(SpaceKind kind, Deadline deadline) {
    return call(Bytes.EMPTY, deadline, limit -> super.newSpace(kind, limit));
  }

  @Override
  public boolean isShared() {
    return true;
  }

  @Override
  public ChunkStore chunks() {
    return chunks;
  }

  @Override
  public void close() {
    super.close();
    threads.shutdown();
  }

  /** Chunks belong to no partition here, so their calls are never held. */
  private final class ChunkCalls implements RemoteChunks.Caller {
    @Override
    public <T> CompletableFuture<T> call(Supplier<CompletableFuture<T>> work) {
      return RemoteEngine.this.call(Bytes.EMPTY, Deadline.NEVER, limit -> work.get());
    }
  }

  private <T> CompletableFuture<T> call(
      Bytes partition, Deadline deadline, Function<Deadline, CompletableFuture<T>> work) {
    CompletableFuture<T> result = new CompletableFuture<>();
    synchronized (this) {
      if (partition.equals(paused)) {
        held.add(() -> begin(() -> work.apply(Deadline.NEVER), result));
        return result;
      }
    }
    threads.execute(() -> begin(() -> work.apply(deadline), result));
    return result;
  }

  /** A transaction completes on the lane of the other engine, so the result is handed over. */
  private <T> void begin(Supplier<CompletableFuture<T>> work, CompletableFuture<T> result) {
    CompletableFuture<T> unused =
        work.get()
            .whenComplete(
                (value, failure) -> threads.execute(() -> complete(result, value, failure)));
  }

  private static <T> void complete(CompletableFuture<T> result, T value, Throwable failure) {
    if (failure == null) {
      result.complete(value);
    } else {
      result.completeExceptionally(failure);
    }
  }
}
