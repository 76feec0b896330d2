package io.lazuli.server.blob.service;

import io.lazuli.server.blob.protection.BlobProtection;
import io.lazuli.storage.Deadline;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Knows how an account protects its blobs and containers. That may change at any time. */
@FunctionalInterface
public interface Protections {
  /** Accounts that protect nothing. */
  Protections NONE = (account, deadline) -> CompletableFuture.completedFuture(BlobProtection.NONE);

  CompletionStage<BlobProtection> of(String account, Deadline deadline);

  /** Returns true if blobs of the account can be given immutability policies and legal holds. */
  default boolean offersImmutability(String account) {
    return false;
  }

  /** Returns the days for which deleted containers can be restored; 0 for none. */
  default int containerDays(String account) {
    return 0;
  }
}
