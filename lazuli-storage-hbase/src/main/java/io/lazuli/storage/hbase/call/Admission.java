package io.lazuli.storage.hbase.call;

import java.util.concurrent.CompletableFuture;

/**
 * Decides whether this server may use the data of the store. It is asked before each write is sent
 * and after each read was answered, and answers immediately in almost all cases. Thread-safe.
 */
public interface Admission {
  /** Admits everything, while the engine starts. */
  Admission ALWAYS = (table, row) -> CompletableFuture.completedFuture(true);

  /**
   * Returns a future that completes once the data of a row may be used.
   *
   * @return a future that fails with a {@code StorageException} if it may not be used
   */
  CompletableFuture<Boolean> admit(StoreTable table, byte[] row);
}
