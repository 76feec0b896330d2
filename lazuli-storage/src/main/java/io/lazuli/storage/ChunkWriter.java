package io.lazuli.storage;

import java.nio.ByteBuffer;

/**
 * A chunk that is being written. It uses bounded memory and, until it is completed or closed, one
 * of the store's slots for writers. Its methods block. Any thread may call them, but only one at a
 * time. If a method throws, the chunk is discarded. There is one exception: if {@link #complete}
 * throws {@link StorageException.Kind#UNKNOWN_OUTCOME}, the chunk may exist.
 */
public interface ChunkWriter extends AutoCloseable {
  /**
   * Appends the remaining bytes of the buffer. After the call no bytes remain in the buffer, and
   * the caller may reuse it.
   *
   * @throws StorageException of kind {@code UNAVAILABLE} if the disk or the memory is full
   */
  void write(ByteBuffer bytes);

  /** Returns the number of bytes written so far. */
  long length();

  /** Makes the chunk durable and readable, and returns its name. A chunk may be empty. */
  ChunkRef complete();

  /** Discards the chunk if it was not completed. Otherwise does nothing. */
  @Override
  void close();
}
