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
 * Writes whole blocks of the disk past the system's cache: what is large and not read soon would
 * push out what is read often, and to make room for the copy costs more than the write. One writer
 * at a time; the monitor is held over the disk.
 */
public final class DirectBlocks {
  private static final Logger LOG = LoggerFactory.getLogger(DirectBlocks.class);
  private static final int MEMORY_BYTES = 1 << 20;

  /** Whether the disk cannot do it or was only full is not told. */
  static final int SKIPPED_AFTER_FAILURE = 1_000;

  /** Begins where a block may begin; Java's own such memory cannot be freed in Java 17. */
  @GuardedBy("this")
  private @Nullable ByteBuffer memory;

  /** Of the disk, once there is memory: to ask for it is dear. */
  @GuardedBy("this")
  private int blockBytes;

  /** So many files are written through the cache before this is tried again. */
  @GuardedBy("this")
  private int skipped;

  /**
   * Writes the first bytes of a file, and advances the buffer behind them.
   *
   * @return how many these are: all but less than a block, or fewer where the disk cannot do this,
   *     which whoever writes the rest will see if it is trouble
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

  /** By its name: a compiler newer than the release it compiles for warns of the class. */
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
