package io.lazuli.storage.rocksdb.chunk;

import io.lazuli.storage.ChunkReader;
import io.lazuli.storage.ChunkRef;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

/**
 * Reads a chunk's file, which it keeps open. On every supported system, a deleted file stays
 * readable while it is open.
 */
final class ChunkFileReader implements ChunkReader {
  private final ChunkRef ref;
  private final long length;
  private final FileChannel channel;
  private final BlockCheck check;
  private final Runnable onClose;

  /**
   * @param onClose called once the file is closed
   */
  ChunkFileReader(ChunkRef ref, ChunkRow row, FileChannel channel, Runnable onClose) {
    this.ref = ref;
    this.length = row.length();
    this.channel = channel;
    this.check = new BlockCheck(row.checksums(), row.length());
    this.onClose = onClose;
  }

  @Override
  public long length() {
    return length;
  }

  @Override
  public int read(long offset, ByteBuffer target) {
    if (offset >= length) {
      return -1;
    }
    ByteBuffer part = target.slice();
    part.limit((int) Math.min(part.limit(), length - offset));
    int read;
    try {
      read = channel.read(part, offset);
    } catch (IOException e) {
      throw ChunkFiles.unavailable("a chunk could not be read", e);
    }
    if (read < 0 || !check.passes(offset, part.flip())) {
      throw ChunkFiles.damaged(ref, "is damaged", null);
    }
    target.position(target.position() + read);
    return read;
  }

  @Override
  public FileChannel file() {
    return channel;
  }

  @Override
  public synchronized void close() {
    if (channel.isOpen()) {
      try {
        channel.close();
      } catch (IOException e) {
        throw ChunkFiles.unavailable("a chunk could not be closed", e);
      } finally {
        onClose.run();
      }
    }
  }
}
