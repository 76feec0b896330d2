package io.lazuli.server.http;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** The body of a request that has not been read yet. */
public interface Content {
  /** No body. */
  Content NONE = max -> CompletableFuture.completedFuture(new byte[0]);

  /**
   * Reads the whole body, after telling a client that waits for it to go on. Fails with {@code
   * RequestBodyTooLarge} as soon as more than the maximum is announced or has come.
   */
  CompletionStage<byte[]> read(int bytesMax);
}
