package io.lazuli.storage.rocksdb;

import io.lazuli.storage.StorageException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Stands between callers and native memory: whoever touches RocksDB enters first and leaves after,
 * and closing waits until everybody has left. A call on a freed handle would end the process. Safe
 * for any number of threads.
 *
 * <p>The count of those inside is one number; closing sets its sign bit, so that entering and
 * seeing that the gate is closed are one step.
 */
final class NativeGate {
  private static final long CLOSED_BIT = Long.MIN_VALUE;

  private final AtomicLong inside = new AtomicLong();
  private volatile @Nullable Thread closer;

  /** Enters, or throws {@code CLOSED}. Every call that returns is followed by {@link #leave}. */
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

  /** For those who stay inside for long: throws {@code CLOSED} once somebody waits to close. */
  void checkOpen() {
    if (isClosed()) {
      throw closed();
    }
  }

  boolean isClosed() {
    return inside.get() < 0;
  }

  /** Lets nobody in any more and waits until the last has left. */
  void close() {
    closer = Thread.currentThread();
    inside.updateAndGet(count -> count | CLOSED_BIT);
    boolean interrupted = false;
    while (inside.get() != CLOSED_BIT) {
      LockSupport.park(this);
      // An interrupted thread does not park: the mark is put back once the work is done.
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
