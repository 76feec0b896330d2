package io.lazuli.storage.hbase.chunk;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.lazuli.storage.Bytes;
import io.lazuli.storage.ChunkRef;
import io.lazuli.storage.hbase.call.Steps;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
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

  /** Whether a call is under way. It may go on after its time was up and its future has failed. */
  private final AtomicBoolean busy = new AtomicBoolean();

  private volatile boolean discarded;

  /**
   * Whether a file was requested and not removed. The file system may create it although the
   * request failed, even later. Only the call that is under way uses this and the file.
   */
  private volatile boolean requested;

  private volatile @Nullable FSDataOutputStream file;

  ChunkFileWriter(ChunkFolder folder, FileThreads threads, ChunkRef ref, boolean onDisk) {
    this.folder = folder;
    this.threads = threads;
    this.ref = ref;
    this.onDisk = onDisk;
  }

  @Override
  public CompletableFuture<Boolean> write(byte[] piece) {
    return next(last -> Steps.then(last, done -> run(() -> append(piece))));
  }

  /**
   * Makes a call. If the chunk was discarded before the call has ended, the call removes the file,
   * because its time may have been up when the file should have been removed.
   */
  private CompletableFuture<Boolean> run(FileThreads.Call<Boolean> call) {
    return threads.write(
        () -> {
          try {
            return alone(call);
          } finally {
            // After the call is no longer under way: now either this thread sees that the chunk was
            // discarded, or the thread that discards it sees that no call is under way.
            if (discarded) {
              removeLate();
            }
          }
        });
  }

  /** Makes a call, unless an earlier one still runs. */
  private boolean alone(FileThreads.Call<Boolean> call) throws IOException {
    if (!busy.compareAndSet(false, true)) {
      throw new IOException("an earlier call has not ended");
    }
    try {
      return call.run();
    } finally {
      busy.set(false);
    }
  }

  private void removeLate() {
    try {
      boolean unused = alone(this::remove);
    } catch (IOException e) {
      log.debug("the collector removes a file that is given up", e);
    }
  }

  private boolean append(byte[] piece) throws IOException {
    requireKept();
    FSDataOutputStream to = file;
    if (to == null) {
      requested = true;
      to = folder.create(ref, onDisk);
      file = to;
      requireKept();
    }
    to.write(piece);
    byte[] checksum =
        ByteBuffer.allocate(Integer.BYTES).putInt(ChunkFolder.checksum(piece)).array();
    synchronized (this) {
      checksums.writeBytes(checksum);
    }
    return true;
  }

  private void requireKept() throws IOException {
    if (discarded) {
      throw new IOException("the file is given up");
    }
  }

  @Override
  public CompletableFuture<Boolean> end() {
    return next(last -> Steps.then(last, done -> run(this::close)));
  }

  private boolean close() throws IOException {
    FSDataOutputStream written = file;
    if (written != null) {
      written.close();
    }
    return true;
  }

  @Override
  public synchronized Bytes checksums() {
    return Bytes.of(checksums.toByteArray());
  }

  /**
   * Waits for the call that is under way: a file that is created after its removal would stay. If
   * the call takes too long, or nobody knows whether the file was created, fails, so that the
   * header stays and the collector finds the file.
   */
  @Override
  public CompletableFuture<Boolean> discard() {
    discarded = true;
    return next(
        last ->
            Steps.then(
                Steps.rescue(last, failure -> CompletableFuture.completedFuture(false)),
                done -> threads.write(() -> alone(this::remove))));
  }

  private boolean remove() throws IOException {
    if (!requested) {
      return true;
    }
    FSDataOutputStream written = file;
    if (written != null) {
      close(written);
    }
    folder.delete(ref);
    if (written == null) {
      throw new IOException("the file may still be created");
    }
    file = null;
    requested = false;
    return true;
  }

  private static void close(FSDataOutputStream file) {
    try {
      file.close();
    } catch (IOException e) {
      log.debug("a file that is given up was not closed", e);
    }
  }

  private synchronized CompletableFuture<Boolean> next(
      Function<CompletableFuture<Boolean>, CompletableFuture<Boolean>> call) {
    last = call.apply(last);
    return last;
  }
}
