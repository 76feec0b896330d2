package io.lazuli.client.pattern.lock;

import io.lazuli.client.table.Batch;
import io.lazuli.client.table.Table;
import io.lazuli.client.waiting.Waiting;

/**
 * Writes to one partition that succeed only as long as no later holder of the lock has raised the
 * fence of that partition. Each call waits for its result. {@link AsyncFence} describes each method
 * in more detail. Immutable and thread-safe. Do not call it on a Reactor thread.
 *
 * @param <T> the type of the entities
 */
public final class Fence<T> {
  private final AsyncFence<T> async;

  Fence(AsyncFence<T> async) {
    this.async = async;
  }

  /**
   * Raises the fence of a partition to the token of a lock. Do this before reading what the fenced
   * writes depend on.
   *
   * @throws LockLost if a later holder has raised the fence
   */
  public static <T> Fence<T> raise(HeldLock lock, Table<T> table, String partitionKey) {
    return Waiting.result(AsyncFence.raise(lock, table.async(), partitionKey)).blocking();
  }

  /** Returns this fence with asynchronous calls. */
  public AsyncFence<T> async() {
    return async;
  }

  /**
   * Makes all writes of a batch, at most 99, or none.
   *
   * @throws LockLost if the lock is lost
   * @throws io.lazuli.client.table.BatchFailed if another write was rejected
   */
  public void batch(Batch<T> batch) {
    Waiting.done(async.batch(batch));
  }
}
