package io.lazuli.storage;

import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import org.jspecify.annotations.Nullable;

/**
 * An open chunk. Its bytes stay readable until it is closed, even if the chunk is deleted in
 * between. Its methods block. Any thread may call them, but only one at a time.
 */
public interface ChunkReader extends AutoCloseable {
  /** Returns the length of the chunk in bytes. */
  long length();

  /**
   * Reads bytes, starting at an offset, into the remaining space of the buffer. In a store with
   * checksums, consecutive reads through a whole block check the block: the read that would return
   * the last bytes of a damaged block throws {@code CORRUPT} instead.
   *
   * @return the number of bytes read, at least one if the buffer has space; -1 at or after the end
   *     of the chunk
   */
  int read(long offset, ByteBuffer target);

  /**
   * Returns the chunk as a file, so that it can be sent without a copy and without checksums; null
   * if the chunk is not a file. The bytes from 0 to {@link #length} are the chunk. The channel
   * belongs to this reader: the caller must neither move its position nor close it.
   */
  @Nullable FileChannel file();

  @Override
  void close();
}
