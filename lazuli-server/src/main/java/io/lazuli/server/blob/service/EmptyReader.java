package io.lazuli.server.blob.service;

import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Reads nothing: the content of an empty blob. */
final class EmptyReader implements BlobReader {
  @Override
  public long length() {
    return 0;
  }

  @Override
  public CompletionStage<@Nullable Void> read(ByteBuffer target) {
    return CompletableFuture.completedFuture(null);
  }

  @Override
  public void close() {}
}
