package io.lazuli.storage;

import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * An open chunk. Its bytes stay readable until it is closed, even if the chunk is deleted in
 * between. Any thread may call its methods, but one call begins after the future of the one before
 * is complete.
 *
 * <p>A store with checksums compares every byte that it returns, every time: a call fails with
 * {@code CORRUPT} instead of returning bytes of a damaged block.
 */
public interface ChunkReader extends AutoCloseable {
  /** Returns the length of the chunk in bytes. */
  long length();

  /**
   * Reads bytes, starting at an offset, into the remaining space of the buffer. The buffer belongs
   * to the reader until the future is complete. Direct buffers avoid a copy.
   *
   * @return the number of bytes read, at least one if the buffer has space; -1 at or after the end
   *     of the chunk
   */
  CompletableFuture<Integer> read(long offset, ByteBuffer target);

  /**
   * Checks the block with this offset, so that its damage is found before anything was read. The
   * reads that follow do not repeat the work.
   */
  CompletableFuture<@Nullable Void> verify(long offset);

  /** Releases the chunk. A remote store does not block here. */
  @Override
  void close();
}
