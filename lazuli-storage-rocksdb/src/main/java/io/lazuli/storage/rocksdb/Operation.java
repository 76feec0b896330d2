package io.lazuli.storage.rocksdb;

import io.lazuli.storage.Deadline;
import io.lazuli.storage.Partition;
import io.lazuli.storage.StorageException;
import io.lazuli.storage.TransactionBody;
import io.lazuli.storage.thread.OutOfMemory;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A transaction that waits in the lane or runs there. It holds back the result of its body until
 * the drain is durable. Mutable: belongs to the lane's thread once it is queued.
 *
 * @param <R> the body's result
 */
final class Operation<R> {
  private final Partition partition;
  private final Deadline deadline;
  private final TransactionBody<R> body;
  private final long weightBytes;
  private final CompletableFuture<R> future = new CompletableFuture<>();
  private @Nullable Runnable outcome;

  Operation(Partition partition, Deadline deadline, TransactionBody<R> body) {
    this.partition = partition;
    this.deadline = deadline;
    this.body = body;
    this.weightBytes = body.weightBytes();
  }

  CompletableFuture<R> future() {
    return future;
  }

  long weightBytes() {
    return weightBytes;
  }

  /** Runs the body, whose changes stay in the drain only if it returns. */
  void run(Drain drain) {
    if (deadline.hasPassed()) {
      // The drain has no changes of this operation, so it need not wait for the disk.
      refuse(StorageException.Kind.TIMEOUT, "the deadline passed before the body ran");
    } else if (drain.isGone(partition.space())) {
      outcome = () -> refuse(StorageException.Kind.SPACE_GONE, "the space was dropped");
    } else {
      outcome = runBody(drain);
    }
  }

  /** Gives the result of the body to the caller, once the drain is durable. */
  void complete() {
    if (outcome != null) {
      outcome.run();
    }
  }

  /** Ends the operation with a failure of the engine. */
  void refuse(StorageException.Kind kind, String message) {
    future.completeExceptionally(new StorageException(kind, message));
  }

  private Runnable runBody(Drain drain) {
    LaneView view = new LaneView(drain, partition);
    drain.begin();
    try {
      R result = body.run(view);
      return () -> future.complete(result);
    } catch (Throwable e) {
      // The caller gets the exception of the body. The lane serves the other operations.
      OutOfMemory.check(e);
      drain.rollback();
      return () -> future.completeExceptionally(e);
    } finally {
      view.end();
    }
  }
}
