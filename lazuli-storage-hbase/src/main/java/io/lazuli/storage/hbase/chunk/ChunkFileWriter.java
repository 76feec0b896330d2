package io.lazuli.storage.hbase.chunk;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.lazuli.storage.Bytes;
import io.lazuli.storage.ChunkRef;
import io.lazuli.storage.hbase.call.Steps;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes the pieces of a chunk into its file, one after another. Never blocks. */
final class ChunkFileWriter implements PieceWriter {
  private static final Logger log = LoggerFactory.getLogger(ChunkFileWriter.class);

  private final ChunkFolder folder;
  private final FileThreads threads;
  private final ChunkRef ref;
  private final boolean onDisk;

  /** The end of the last call. The next one begins after it. */
  @GuardedBy("this")
  private CompletableFuture<Boolean> last = CompletableFuture.completedFuture(true);

  @GuardedBy("this")
  private final ByteArrayOutputStream checksums = new ByteArrayOutputStream();

  /** Only the call that is under way uses it. */
  private @Nullable FSDataOutputStream file;

  ChunkFileWriter(ChunkFolder folder, FileThreads threads, ChunkRef ref, boolean onDisk) {
    this.folder = folder;
    this.threads = threads;
    this.ref = ref;
    this.onDisk = onDisk;
  }

  @Override
  public CompletableFuture<Boolean> write(byte[] piece) {
    return next(last -> Steps.then(last, done -> threads.write(() -> append(piece))));
  }

  private boolean append(byte[] piece) throws IOException {
    FSDataOutputStream to = file;
    if (to == null) {
      to = folder.create(ref, onDisk);
      file = to;
    }
    to.write(piece);
    byte[] checksum =
        ByteBuffer.allocate(Integer.BYTES).putInt(ChunkFolder.checksum(piece)).array();
    synchronized (this) {
      checksums.writeBytes(checksum);
    }
    return true;
  }

  @Override
  public CompletableFuture<Boolean> end() {
    return next(last -> Steps.then(last, done -> threads.write(() -> closed(file))));
  }

  @Override
  public synchronized Bytes checksums() {
    return Bytes.of(checksums.toByteArray());
  }

  /** Waits for the call that is under way: a file that is created after its removal would stay. */
  @Override
  public CompletableFuture<Boolean> discard() {
    return next(
        last ->
            Steps.then(
                Steps.rescue(last, failure -> CompletableFuture.completedFuture(false)),
                done -> threads.write(this::remove)));
  }

  private boolean remove() throws IOException {
    FSDataOutputStream written = file;
    if (written == null) {
      return true;
    }
    try {
      written.close();
    } catch (IOException e) {
      log.debug("a file that is given up was not closed", e);
    }
    folder.delete(ref);
    return true;
  }

  private static boolean closed(@Nullable Closeable file) throws IOException {
    if (file != null) {
      file.close();
    }
    return true;
  }

  private synchronized CompletableFuture<Boolean> next(
      Function<CompletableFuture<Boolean>, CompletableFuture<Boolean>> call) {
    last = call.apply(last);
    return last;
  }
}
