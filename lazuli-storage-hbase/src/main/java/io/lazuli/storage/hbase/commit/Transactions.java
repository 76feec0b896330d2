package io.lazuli.storage.hbase.commit;

import io.lazuli.storage.Bytes;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.EngineConfig;
import io.lazuli.storage.Partition;
import io.lazuli.storage.StorageException;
import io.lazuli.storage.TransactionBody;
import io.lazuli.storage.hbase.call.CallingThread;
import io.lazuli.storage.hbase.call.WorkerKind;
import io.lazuli.storage.thread.OutOfMemory;
import io.lazuli.storage.thread.Threads;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The threads that run transactions. Transactions run in parallel, even those of one partition,
 * until the commit of one of them is refused. Thread-safe.
 */
public final class Transactions {
  private final Attempts attempts;
  private final Homes homes;
  private final WorkQueue<Operation<?>> queue;
  private final ContendedQueues<Operation<?>> contended = new ContendedQueues<>();
  private final List<Thread> threads = new ArrayList<>();

  public Transactions(Attempts attempts, Homes homes, EngineConfig config, int threadCount) {
    this.attempts = attempts;
    this.homes = homes;
    this.queue =
        new WorkQueue<>(
            config.queuedOperationsMax(), config.queuedBytesMax(), Operation::weightBytes);
    for (int i = 0; i < threadCount; i++) {
      Thread thread = Threads.daemon(this::work, "lazuli-hbase-" + i);
      thread.start();
      threads.add(thread);
    }
  }

  public <R> CompletableFuture<R> submit(
      Partition partition, List<Bytes> touch, Deadline deadline, TransactionBody<R> body) {
    Operation<R> operation =
        new Operation<>(
            partition, touch, deadline, body, body.weightBytes(), new CompletableFuture<>());
    switch (queue.offer(operation)) {
      case TAKEN -> {}
      case FULL ->
          operation.future.completeExceptionally(
              new StorageException(
                  StorageException.Kind.UNAVAILABLE, "the queue of transactions is full"));
      case CLOSED ->
          operation.future.completeExceptionally(
              new StorageException(StorageException.Kind.CLOSED, "the engine is closed"));
    }
    return operation.future;
  }

  /** Returns how many transactions are waiting. */
  public int waiting() {
    return queue.size();
  }

  /** Refuses new transactions and finishes the queued ones. */
  public void close() {
    queue.close();
    for (Thread thread : threads) {
      if (thread != Thread.currentThread()) {
        Threads.join(thread);
      }
    }
  }

  private void work() {
    CallingThread.setKind(WorkerKind.TRANSACTIONS);
    for (Operation<?> operation = queue.take(); operation != null; operation = queue.take()) {
      if (!contended.add(operation.partition, operation)) {
        runAll(operation);
      }
    }
  }

  /**
   * Runs an operation. If it opened the queue of its partition, also runs the operations in that
   * queue.
   */
  private void runAll(Operation<?> first) {
    boolean owner = run(first, false);
    for (Operation<?> next = nextOf(first, owner); next != null; next = nextOf(first, owner)) {
      run(next, true);
    }
  }

  private @Nullable Operation<?> nextOf(Operation<?> first, boolean owner) {
    return owner ? contended.next(first.partition) : null;
  }

  /** Runs an operation. Returns true if its thread owns the partition's queue afterwards. */
  private <R> boolean run(Operation<R> operation, boolean inQueue) {
    queue.release(operation);
    Ownership ownership = new Ownership(operation.partition, inQueue);
    R result;
    try {
      result =
          attempts.run(
              operation.partition,
              operation.touch,
              operation.deadline,
              operation.body::run,
              ownership::claim);
      check(operation);
    } catch (Throwable failure) {
      // A failure of the body is the result of the operation. The thread continues.
      OutOfMemory.check(failure);
      operation.future.completeExceptionally(failure);
      return ownership.owned;
    }
    operation.future.complete(result);
    return ownership.owned;
  }

  /**
   * Throws if the space was dropped. A write is acknowledged only if its space still existed after
   * the write.
   */
  private void check(Operation<?> operation) {
    try {
      homes.check(operation.partition.space(), operation.deadline);
    } catch (StorageException e) {
      throw e.kind() == StorageException.Kind.SPACE_GONE
          ? e
          : new StorageException(
              StorageException.Kind.UNKNOWN_OUTCOME,
              "it is not known whether the space still exists",
              e);
    }
  }

  /** Records whether a running operation owns the queue of its partition. */
  private final class Ownership {
    private final Partition partition;
    private boolean owned;

    Ownership(Partition partition, boolean owned) {
      this.partition = partition;
      this.owned = owned;
    }

    void claim() {
      owned = owned || contended.open(partition);
    }
  }

  /** A submitted transaction. */
  private record Operation<R>(
      Partition partition,
      List<Bytes> touch,
      Deadline deadline,
      TransactionBody<R> body,
      long weightBytes,
      CompletableFuture<R> future) {}
}
