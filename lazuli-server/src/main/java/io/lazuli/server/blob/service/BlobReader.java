package io.lazuli.server.blob.service;

import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import org.jspecify.annotations.Nullable;

/**
 * The content of one version of a blob, or a part of it, in order. Its bytes stay there until it is
 * closed, whatever happens to the blob. Mutable; its methods block and are called one at a time,
 * from any thread. It must be closed, once.
 */
public interface BlobReader extends AutoCloseable {
  /** How many bytes it gives in all. */
  long length();

  /**
   * Puts the next bytes: at least one if there is room and something is left, else none. Failures
   * are {@code ServiceException}s, or a {@code StorageException} if what is stored is damaged.
   */
  void read(ByteBuffer target);

  /**
   * All of it as a part of a file, to be sent without a copy; null if it is none. The file belongs
   * to the reader: whoever borrows it neither moves its position nor closes it.
   */
  @Nullable FileRegion file();

  @Override
  void close();

  /** A part of a file, {@link #length} bytes long. */
  record FileRegion(FileChannel file, long offset) {}
}
