package io.lazuli.storage.rocksdb.disk;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes whole disk blocks without the system's cache. Large data that is not read soon would evict
 * data that is read often, and making room for it in the cache costs more than the write. One
 * writer at a time; the monitor is held during disk writes.
 */
public final class DirectBlocks {
  private static final Logger LOG = LoggerFactory.getLogger(DirectBlocks.class);
  private static final int MEMORY_BYTES = 1 << 20;

  /**
   * After a failure, the number of files that are written through the cache. The failure does not
   * say whether the disk does not support direct writes or was only full.
   */
  static final int SKIPPED_AFTER_FAILURE = 1_000;

  /**
   * A buffer that is aligned to the block size. It is reused, because Java 17 cannot free direct
   * memory on request.
   */
  @GuardedBy("this")
  private @Nullable ByteBuffer memory;

  /**
   * The block size of the disk, once {@link #memory} is set. It is kept because querying it is
   * expensive.
   */
  @GuardedBy("this")
  private int blockBytes;

  /** The number of files to write through the cache before the next direct write. */
  @GuardedBy("this")
  private int skipped;

  /**
   * Writes the first bytes of a file, and advances the buffer past them. Does not report failures:
   * if the disk has a problem, writing the rest of the file fails as well.
   *
   * @return the number of bytes written: all except the last partial block, or fewer after a
   *     failure
   */
  public synchronized int write(Path file, ByteBuffer bytes, FileOutput output) {
    int from = bytes.position();
    if (skipped > 0) {
      skipped--;
    } else {
      try (FileChannel channel = FileChannel.open(file, pastTheCache(), StandardOpenOption.WRITE)) {
        writeBlocks(channel, bytes, memory(file), output);
      } catch (IOException | UnsupportedOperationException e) {
        LOG.info("large chunks are written through the system's cache: {}", e.toString());
        skipped = SKIPPED_AFTER_FAILURE;
      }
    }
    return bytes.position() - from;
  }

  /**
   * Returns the option for direct writes. Looks it up by name, because a compiler that is newer
   * than its target release warns about the class.
   */
  private static OpenOption pastTheCache() {
    try {
      Class<?> options = Class.forName("com.sun.nio.file.ExtendedOpenOption");
      return (OpenOption) options.getField("DIRECT").get(null);
    } catch (ReflectiveOperationException e) {
      throw new UnsupportedOperationException("this Java has no direct writes", e);
    }
  }

  @GuardedBy("this")
  private ByteBuffer memory(Path file) throws IOException {
    ByteBuffer known = memory;
    if (known == null) {
      blockBytes = Math.toIntExact(Files.getFileStore(file).getBlockSize());
      known = ByteBuffer.allocateDirect(MEMORY_BYTES + blockBytes).alignedSlice(blockBytes);
      memory = known;
    }
    return known;
  }

  @GuardedBy("this")
  private void writeBlocks(
      FileChannel channel, ByteBuffer bytes, ByteBuffer aligned, FileOutput output)
      throws IOException {
    while (bytes.remaining() >= blockBytes) {
      int part = Math.min(aligned.capacity(), bytes.remaining() - bytes.remaining() % blockBytes);
      aligned.clear().put(bytes.slice(bytes.position(), part)).flip();
      output.write(channel, aligned);
      bytes.position(bytes.position() + aligned.position());
      if (aligned.hasRemaining()) {
        return;
      }
    }
  }
}
