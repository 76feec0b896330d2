package io.lazuli.server.blob.service;

import java.nio.ByteBuffer;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Reads the content of one version of a blob, or a part of it, in order. The bytes stay available
 * until the reader is closed, whatever happens to the blob. Mutable. Its methods are called one at
 * a time from any thread. It must be closed once.
 */
public interface BlobReader extends AutoCloseable {
  /** Returns the number of bytes that the reader returns in all. */
  long length();

  /**
   * Puts the next bytes into the target: at least one byte if the target has room and bytes are
   * left, otherwise none. The target belongs to the reader until the stage is complete. Fails with
   * a {@code ServiceException} instead of returning damaged bytes.
   */
  CompletionStage<@Nullable Void> read(ByteBuffer target);

  @Override
  void close();
}
