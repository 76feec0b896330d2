package io.lazuli.server.blob.service;

import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import org.jspecify.annotations.Nullable;

/**
 * Reads the content of one version of a blob, or a part of it, in order. The bytes stay available
 * until the reader is closed, whatever happens to the blob. Mutable. Its methods block, and are
 * called one at a time from any thread. It must be closed once.
 */
public interface BlobReader extends AutoCloseable {
  /** Returns the number of bytes that the reader returns in all. */
  long length();

  /**
   * Puts the next bytes into the target: at least one byte if the target has room and bytes are
   * left, otherwise none. Throws a {@code ServiceException}, or a {@code StorageException} if the
   * stored data is damaged.
   */
  void read(ByteBuffer target);

  /**
   * Returns all of the content as a part of a file, which can be sent without a copy; null if the
   * content is not in one file. The file belongs to the reader: the caller must neither move its
   * position nor close it.
   */
  @Nullable FileRegion file();

  @Override
  void close();

  /** A part of a file, {@link #length} bytes long. */
  record FileRegion(FileChannel file, long offset) {}
}
