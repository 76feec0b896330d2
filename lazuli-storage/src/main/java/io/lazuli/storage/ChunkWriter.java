package io.lazuli.storage;

import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A chunk that is being written. It uses bounded memory and, until it is completed or closed, one
 * of the store's slots for writers. Any thread may call its methods, but one call begins after the
 * future of the one before is complete. If a call fails, the chunk is discarded. There is one
 * exception: if {@link #complete} fails with {@link StorageException.Kind#UNKNOWN_OUTCOME}, the
 * chunk may exist.
 */
public interface ChunkWriter extends AutoCloseable {
  /**
   * Appends the remaining bytes of the buffer. The buffer belongs to the writer until the future is
   * complete. No bytes remain in the buffer then, and the caller may reuse it. Fails with {@code
   * UNAVAILABLE} if the disk or the memory is full.
   */
  CompletableFuture<@Nullable Void> write(ByteBuffer bytes);

  /** Returns the number of bytes written so far. */
  long length();

  /** Makes the chunk durable and readable, and returns its name. A chunk may be empty. */
  CompletableFuture<ChunkRef> complete();

  /**
   * Discards the chunk if it was not completed. Otherwise does nothing. A remote store does not
   * block here.
   */
  @Override
  void close();
}
