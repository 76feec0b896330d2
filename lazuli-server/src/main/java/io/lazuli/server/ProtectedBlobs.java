package io.lazuli.server;

import io.lazuli.server.account.ProtectedData;
import io.lazuli.server.blob.service.BlobService;
import io.lazuli.storage.Deadline;
import java.util.concurrent.CompletableFuture;

/** The blobs of accounts that are under an immutability policy or a legal hold. */
record ProtectedBlobs(BlobService blobs) implements ProtectedData {
  @Override
  public CompletableFuture<Boolean> mayExist(String account, Deadline deadline) {
    return blobs.mayHaveProtected(account, deadline);
  }

  @Override
  public CompletableFuture<Boolean> exists(String account, Deadline deadline) {
    return blobs.hasProtected(account, deadline);
  }
}
