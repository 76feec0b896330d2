package io.lazuli.storage;

import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import org.jspecify.annotations.Nullable;

/**
 * An open chunk. Its bytes stay readable until it is closed, also when the chunk is deleted
 * meanwhile. Its methods block; they are called one at a time, from any thread.
 */
public interface ChunkReader extends AutoCloseable {
  /** Bytes of the chunk. */
  long length();

  /**
   * Reads bytes from an offset on into the buffer's remaining room. Where the store keeps
   * checksums, a read that went on through a whole block ends with {@code CORRUPT} before the last
   * bytes of a damaged block are handed out.
   *
   * @return how many, at least one if there is room; -1 at the end of the chunk and beyond
   */
  int read(long offset, ByteBuffer target);

  /**
   * The chunk as a file whose bytes from 0 to {@link #length} are the chunk's, to be sent without a
   * copy and without checksums; null if it is none. It belongs to this reader: whoever borrows it
   * neither moves its position nor closes it.
   */
  @Nullable FileChannel file();

  @Override
  void close();
}
