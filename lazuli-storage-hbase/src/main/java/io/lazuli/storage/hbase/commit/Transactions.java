package io.lazuli.storage.hbase.commit;

import io.lazuli.storage.Bytes;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.EngineConfig;
import io.lazuli.storage.Partition;
import io.lazuli.storage.StorageException;
import io.lazuli.storage.TransactionBody;
import io.lazuli.storage.hbase.call.EngineThreads;
import io.lazuli.storage.hbase.call.Steps;
import io.lazuli.storage.hbase.lease.HomeRecord.Announcement;
import io.lazuli.storage.thread.OutOfMemory;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The transactions that wait and run. They run at the same time, even those of one partition, until
 * the commit of one of them is refused; then those of that partition run one after another. A
 * transaction that drops a space runs twice, with a wait in between that stops no other. Never
 * blocks, except at the close. Thread-safe.
 */
public final class Transactions {
  private final Attempts attempts;
  private final Homes homes;
  private final EngineThreads threads;
  private final WorkQueue<Operation<?>> queue;
  private final ContendedQueues<Operation<?>> contended = new ContendedQueues<>();

  /**
   * @param runningMax the number of transactions that run at the same time
   */
  public Transactions(
      Attempts attempts, Homes homes, EngineThreads threads, EngineConfig config, int runningMax) {
    this.attempts = attempts;
    this.homes = homes;
    this.threads = threads;
    this.queue =
        new WorkQueue<>(
            config.queuedOperationsMax(),
            config.queuedBytesMax(),
            runningMax,
            Operation::weightBytes);
  }

  public <R> CompletableFuture<R> submit(
      Partition partition, List<Bytes> touch, Deadline deadline, TransactionBody<R> body) {
    Operation<R> operation =
        new Operation<>(
            partition,
            touch,
            deadline,
            body,
            body.weightBytes(),
            new DropPermit(System::nanoTime),
            new CompletableFuture<>());
    switch (queue.offer(operation)) {
      case TAKEN -> startAll();
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

  /** Refuses new transactions and waits for the end of the others. */
  public void close() {
    threads.requireOther();
    queue.close();
    queue.awaitIdle();
  }

  private void startAll() {
    for (Operation<?> next = queue.take(); next != null; next = queue.take()) {
      start(next);
    }
  }

  /** Starts an operation, unless it has to wait for others of its partition. */
  private void start(Operation<?> operation) {
    switch (contended.add(operation.partition, operation)) {
      case NONE -> {
        queue.started();
        run(operation, false);
      }
      case QUEUED -> queue.free();
      case FULL -> {
        queue.started();
        queue.ended(operation);
        queue.free();
        operation.future.completeExceptionally(
            new StorageException(
                StorageException.Kind.UNAVAILABLE, "too many transactions wait for the partition"));
      }
    }
  }

  /**
   * Runs an operation.
   *
   * @param inQueue true if it comes from the queue of its partition, which it then owns
   */
  private <R> void run(Operation<R> operation, boolean inQueue) {
    homes.prepare(operation.partition.space());
    Ownership ownership = new Ownership(operation.partition, inQueue);
    CompletableFuture<R> run =
        Steps.then(
            Steps.begin(
                () ->
                    attempts.run(
                        operation.partition,
                        new RowHints(operation.touch, operation.body.probablyAbsent()),
                        operation.deadline,
                        operation.body::run,
                        ownership,
                        operation.permit)),
            value ->
                Steps.map(
                    homes.written(operation.partition.space(), operation.deadline),
                    exists -> value));
    CompletableFuture<R> unused =
        run.whenComplete(
            (value, failure) -> {
              if (failure instanceof NotAnnounced drops) {
                announce(operation, drops.spaces(), ownership.owned);
              } else {
                end(operation, ownership.owned);
                complete(operation, value, failure);
              }
            });
  }

  private void end(Operation<?> operation, boolean owner) {
    queue.ended(operation);
    // The next one starts first: whatever waits for this result may take long.
    next(operation.partition, owner);
  }

  private <R> void complete(Operation<R> operation, R value, @Nullable Throwable failure) {
    if (failure != null) {
      OutOfMemory.check(failure);
      operation.future.completeExceptionally(failure);
      return;
    }
    Set<Announcement> unused = operation.permit.unused();
    if (!unused.isEmpty()) {
      homes.withdraw(operation.partition, unused);
    }
    operation.future.complete(value);
  }

  /**
   * Announces the drops of an operation. Then the operation runs again. If it has to wait until
   * then, others run, also those of the same partition.
   */
  private void announce(Operation<?> operation, Set<Long> spaces, boolean owner) {
    CompletableFuture<Duration> announced =
        Steps.begin(
            () ->
                homes.announce(operation.partition, spaces, operation.deadline, operation.permit));
    Steps.listen(
        announced,
        operation.future,
        wait -> {
          if (wait.isNegative() || wait.isZero()) {
            threads.execute(() -> run(operation, owner));
            return;
          }
          queue.park();
          next(operation.partition, owner);
          threads.executeAfter(
              wait,
              () -> {
                queue.resume(operation);
                startAll();
              });
        },
        failure -> {
          end(operation, owner);
          operation.future.completeExceptionally(failure);
        });
  }

  /** Runs the next operation of the partition's queue if there is one, otherwise any other. */
  private void next(Partition partition, boolean owner) {
    Operation<?> next = owner ? contended.next(partition) : null;
    if (next != null) {
      queue.started();
      // On another stack, because a long queue of operations that fail immediately would fill it.
      threads.execute(() -> run(next, true));
    } else {
      queue.free();
      startAll();
    }
  }

  /** Records whether a running operation owns the queue of its partition. */
  private final class Ownership implements Contention {
    private final Partition partition;
    private volatile boolean owned;

    Ownership(Partition partition, boolean owned) {
      this.partition = partition;
      this.owned = owned;
    }

    @Override
    public void conflict() {
      owned = owned || contended.open(partition);
    }

    @Override
    public boolean isContended() {
      return owned;
    }
  }

  /** A submitted transaction. */
  private record Operation<R>(
      Partition partition,
      List<Bytes> touch,
      Deadline deadline,
      TransactionBody<R> body,
      long weightBytes,
      DropPermit permit,
      CompletableFuture<R> future) {}
}
