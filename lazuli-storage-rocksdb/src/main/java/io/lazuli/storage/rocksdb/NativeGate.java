package io.lazuli.storage.rocksdb;

import io.lazuli.storage.StorageException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Protects native memory from late callers. A call on a freed handle would crash the process. So
 * every caller of RocksDB enters before the call and leaves after it, and closing waits until all
 * callers have left. Thread-safe.
 *
 * <p>One number counts the callers inside. Closing sets its sign bit, so that one atomic operation
 * both enters and detects a closed gate.
 */
final class NativeGate {
  private static final long CLOSED_BIT = Long.MIN_VALUE;

  private final AtomicLong inside = new AtomicLong();
  private volatile @Nullable Thread closer;

  /** Enters, or throws {@code CLOSED}. A caller that has entered must call {@link #leave}. */
  void enter() {
    if (inside.incrementAndGet() < 0) {
      leave();
      throw closed();
    }
  }

  void leave() {
    if (inside.decrementAndGet() == CLOSED_BIT) {
      LockSupport.unpark(closer);
    }
  }

  /** Throws {@code CLOSED} once the gate is closing. Long calls check this from time to time. */
  void checkOpen() {
    if (isClosed()) {
      throw closed();
    }
  }

  boolean isClosed() {
    return inside.get() < 0;
  }

  /** Lets no more callers in, and waits until the last one has left. */
  void close() {
    closer = Thread.currentThread();
    inside.updateAndGet(count -> count | CLOSED_BIT);
    boolean interrupted = false;
    while (inside.get() != CLOSED_BIT) {
      LockSupport.park(this);
      // An interrupted thread does not park, so the interrupt is restored after the wait.
      interrupted |= Thread.interrupted();
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  static StorageException closed() {
    return new StorageException(StorageException.Kind.CLOSED, "the engine is closed");
  }
}
