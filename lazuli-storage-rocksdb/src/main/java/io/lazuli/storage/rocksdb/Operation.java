package io.lazuli.storage.rocksdb;

import io.lazuli.storage.Deadline;
import io.lazuli.storage.Partition;
import io.lazuli.storage.StorageException;
import io.lazuli.storage.TransactionBody;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * One transaction on its way through the lane. What its body came to is kept back until the drain
 * is durable. Mutable: belongs to the lane's thread once it was queued.
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

  /** Runs the body; what it changed stays in the drain only if it returned. */
  void run(Drain drain) {
    if (deadline.hasPassed()) {
      // Nothing of it is in the drain: it need not wait for the disk.
      refuse(StorageException.Kind.TIMEOUT, "the deadline passed before the body ran");
    } else if (drain.isGone(partition.space())) {
      outcome = () -> refuse(StorageException.Kind.SPACE_GONE, "the space was dropped");
    } else {
      outcome = runBody(drain);
    }
  }

  /** The drain is durable: the caller learns what the body came to. */
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
      // Whatever a body throws is its caller's: the lane serves the others.
      drain.rollback();
      return () -> future.completeExceptionally(e);
    } finally {
      view.end();
    }
  }
}
