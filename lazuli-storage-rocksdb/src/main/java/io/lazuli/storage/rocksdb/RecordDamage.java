package io.lazuli.storage.rocksdb;

import io.lazuli.storage.StorageException;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Remembers the damage that reads of records have found, until the store is opened again.
 * Thread-safe.
 */
final class RecordDamage {
  private final AtomicLong found = new AtomicLong();
  private volatile @Nullable String last;

  /** Notes damage, and returns the failure for the caller. */
  StorageException found(String message, @Nullable Throwable cause) {
    found.incrementAndGet();
    last = message;
    return new StorageException(StorageException.Kind.CORRUPT, message, cause);
  }

  /** Returns how often damage was found. */
  long count() {
    return found.get();
  }

  /** Returns one line for an operator; empty if no damage was found. */
  String fault() {
    String message = last;
    return message == null
        ? ""
        : "damaged records, found %d times: %s".formatted(found.get(), message);
  }
}
