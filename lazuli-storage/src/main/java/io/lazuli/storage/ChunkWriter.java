package io.lazuli.storage;

import java.nio.ByteBuffer;

/**
 * A chunk that is being written. It holds bounded memory and, until it is completed or closed, one
 * of the store's places for writers. Its methods block; they are called one at a time, from any
 * thread. After a method threw, what was written is gone, except that {@link #complete} may end
 * with {@link StorageException.Kind#UNKNOWN_OUTCOME}.
 */
public interface ChunkWriter extends AutoCloseable {
  /**
   * Adds the bytes from the buffer's position to its limit; the buffer is the caller's again after
   * the call, with nothing remaining.
   *
   * @throws StorageException of kind {@code UNAVAILABLE} if the disk or the memory is full
   */
  void write(ByteBuffer bytes);

  /** Bytes written so far. */
  long length();

  /** Makes the chunk durable and readable; a chunk without bytes is one too. */
  ChunkRef complete();

  /** Gives up a chunk that was not completed: nothing is left of it. Otherwise does nothing. */
  @Override
  void close();
}
