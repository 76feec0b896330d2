package io.lazuli.server.account;

import io.lazuli.storage.Deadline;
import java.util.concurrent.CompletableFuture;

/** Knows which data of an account must not be dropped. */
public interface ProtectedData {
  /** Returns false if nothing of the account was ever protected. */
  CompletableFuture<Boolean> mayExist(String account, Deadline deadline);

  /** Returns true if something of the account must not be removed now. May read all of it. */
  CompletableFuture<Boolean> exists(String account, Deadline deadline);
}
