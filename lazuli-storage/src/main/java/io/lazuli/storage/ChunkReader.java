package io.lazuli.storage;

import java.nio.ByteBuffer;

/**
 * An open chunk. Its bytes stay readable until it is closed, even if the chunk is deleted in
 * between. Its methods block. Any thread may call them, but only one at a time.
 *
 * <p>A store with checksums compares every byte that it returns, every time: a call throws {@code
 * CORRUPT} instead of returning bytes of a damaged block.
 */
public interface ChunkReader extends AutoCloseable {
  /** Returns the length of the chunk in bytes. */
  long length();

  /**
   * Reads bytes, starting at an offset, into the remaining space of the buffer. Direct buffers
   * avoid a copy.
   *
   * @return the number of bytes read, at least one if the buffer has space; -1 at or after the end
   *     of the chunk
   */
  int read(long offset, ByteBuffer target);

  /**
   * Checks the block with this offset, so that its damage is found before anything was read. The
   * reads that follow do not repeat the work.
   */
  void verify(long offset);

  @Override
  void close();
}
