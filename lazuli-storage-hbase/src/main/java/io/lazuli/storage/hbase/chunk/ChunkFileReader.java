package io.lazuli.storage.hbase.chunk;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.lazuli.storage.Bytes;
import io.lazuli.storage.ChunkRef;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.fs.FSDataInputStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the pieces of a chunk from its file, and compares each with its checksum. The file is
 * opened with the first piece. Never blocks.
 */
final class ChunkFileReader implements PieceReader {
  private static final Logger log = LoggerFactory.getLogger(ChunkFileReader.class);

  private final ChunkFolder folder;
  private final FileThreads threads;
  private final ChunkRef ref;
  private final long length;
  private final Bytes checksums;

  @GuardedBy("this")
  private @Nullable FSDataInputStream file;

  @GuardedBy("this")
  private boolean open = true;

  ChunkFileReader(ChunkFolder folder, FileThreads threads, ChunkRef ref, ChunkHeader header) {
    this.folder = folder;
    this.threads = threads;
    this.ref = ref;
    this.length = header.length();
    this.checksums = header.checksums();
  }

  @Override
  public CompletableFuture<Optional<ByteBuffer>> read(long index) {
    return threads.read(() -> readNow(index));
  }

  private Optional<ByteBuffer> readNow(long index) throws IOException {
    try {
      return Optional.of(ByteBuffer.wrap(folder.read(file(), ref, index, length, checksums)));
    } catch (FileNotFoundException e) {
      return Optional.empty();
    }
  }

  private FSDataInputStream file() throws IOException {
    synchronized (this) {
      if (file != null) {
        return file;
      }
    }
    FSDataInputStream opened = folder.open(ref);
    FSDataInputStream used = keep(opened);
    if (used != opened) {
      opened.close();
    }
    if (used == null) {
      throw new IOException("the reader is closed");
    }
    return used;
  }

  /**
   * Keeps the file, unless another call has opened it too. Returns the one to use; null if the
   * reader was closed.
   */
  private synchronized @Nullable FSDataInputStream keep(FSDataInputStream opened) {
    if (file == null && open) {
      file = opened;
    }
    return file;
  }

  @Override
  public void close() {
    FSDataInputStream last;
    synchronized (this) {
      open = false;
      last = file;
      file = null;
    }
    if (last != null) {
      try {
        // Reads at a position keep no connection, so this does not wait.
        last.close();
      } catch (IOException e) {
        log.debug("a file was not closed", e);
      }
    }
  }
}
