package io.lazuli.client.pattern.lock;

import com.azure.storage.blob.BlobContainerAsyncClient;
import io.lazuli.client.waiting.Waiting;
import java.time.Duration;
import java.util.Optional;

/**
 * A lock that at most one process holds at a time: the lease on a blob. Each call waits for its
 * result. {@link AsyncBlobLock} describes each method in more detail. Immutable and thread-safe. Do
 * not call it on a Reactor thread.
 */
public final class BlobLock {
  private final AsyncBlobLock async;

  BlobLock(AsyncBlobLock async) {
    this.async = async;
  }

  /** Returns the lock with a name, with leases of 30 seconds. */
  public static BlobLock of(BlobContainerAsyncClient container, String name) {
    return AsyncBlobLock.of(container, name).blocking();
  }

  /** Returns the lock with a name, with leases of 15 to 60 seconds. */
  public static BlobLock of(BlobContainerAsyncClient container, String name, Duration lease) {
    return AsyncBlobLock.of(container, name, lease).blocking();
  }

  /** Returns this lock with asynchronous calls. */
  public AsyncBlobLock async() {
    return async;
  }

  /** Acquires the lock if it is free. Returns nothing if another process has it. */
  public Optional<HeldLock> tryAcquire() {
    return Waiting.optional(async.tryAcquire());
  }

  /**
   * Acquires the lock, and waits while another process has it.
   *
   * @throws LockNotAcquired if another process still has the lock after this time
   */
  public HeldLock acquire(Duration waitMax) {
    return Waiting.job(async.acquire(waitMax));
  }
}
