package io.lazuli.storage.hbase.chunk;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.lazuli.storage.ChunkReader;
import io.lazuli.storage.ChunkRef;
import io.lazuli.storage.StorageException;
import io.lazuli.storage.engine.LocalCall;
import io.lazuli.storage.hbase.call.RegionCalls;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hbase.client.Result;
import org.jspecify.annotations.Nullable;

/**
 * Reads the cells of a chunk one by one. It keeps the current cell, and requests the next cell when
 * half of the current one was read. It fails if the chunk was deleted and the grace period is over.
 */
final class HBaseChunkReader implements ChunkReader {
  private final HBaseChunkStore store;
  private final ChunkRef ref;
  private final long length;

  /** A cell that was requested in advance. */
  private record Prefetch(long index, RegionCalls.PendingCall<Result> pending) {}

  /** The cell that was read last. */
  private record Loaded(long index, ByteBuffer bytes) {}

  @GuardedBy("this")
  private @Nullable Loaded loaded;

  @GuardedBy("this")
  private @Nullable Prefetch prefetch;

  @GuardedBy("this")
  private boolean open = true;

  HBaseChunkReader(HBaseChunkStore store, ChunkRef ref, long length) {
    this.store = store;
    this.ref = ref;
    this.length = length;
  }

  @Override
  public long length() {
    return length;
  }

  @Override
  public CompletableFuture<Integer> read(long offset, ByteBuffer target) {
    return LocalCall.run(() -> readNow(offset, target));
  }

  synchronized int readNow(long offset, ByteBuffer target) {
    store.requireOpen();
    if (offset >= length) {
      return -1;
    }
    Loaded cell = load(offset / ChunkCells.CELL_BYTES);
    int from = (int) (offset % ChunkCells.CELL_BYTES);
    int part = Math.min(target.remaining(), cell.bytes.limit() - from);
    target.put(cell.bytes.slice(from, part));
    if (from + part > ChunkCells.CELL_BYTES / 2) {
      prefetch(cell.index + 1);
    }
    return part;
  }

  /** Loads the cell. HBase has checksums of its own, which its servers check. */
  @Override
  public CompletableFuture<@Nullable Void> verify(long offset) {
    return LocalCall.<@Nullable Void>run(
        () -> {
          verifyNow(offset);
          return null;
        });
  }

  private synchronized void verifyNow(long offset) {
    store.requireOpen();
    if (offset < length) {
      load(offset / ChunkCells.CELL_BYTES);
    }
  }

  @Override
  public synchronized void close() {
    if (open) {
      open = false;
      prefetch = null;
      loaded = null;
      store.readerEnded();
    }
  }

  @GuardedBy("this")
  private Loaded load(long wanted) {
    Loaded present = loaded;
    if (present != null && present.index == wanted) {
      return present;
    }
    Prefetch fetched = prefetch;
    prefetch = null;
    ByteBuffer found =
        fetched != null && fetched.index == wanted ? store.cells().fetched(fetched.pending) : null;
    if (found == null) {
      found = store.cells().read(ref, wanted);
    }
    Loaded read = new Loaded(wanted, whole(wanted, found));
    loaded = read;
    return read;
  }

  @GuardedBy("this")
  private void prefetch(long next) {
    if (prefetch == null && next < ChunkCells.count(length)) {
      prefetch = new Prefetch(next, store.cells().fetch(ref, next));
    }
  }

  private ByteBuffer whole(long at, @Nullable ByteBuffer found) {
    if (found == null) {
      throw new StorageException(
          StorageException.Kind.UNAVAILABLE, "the chunk was deleted while it was read");
    }
    long rest = length - at * ChunkCells.CELL_BYTES;
    if (found.limit() != Math.min(rest, ChunkCells.CELL_BYTES)) {
      throw new StorageException(
          StorageException.Kind.CORRUPT,
          "chunk %016x is damaged: a cell has the wrong length".formatted(ref.number()));
    }
    return found;
  }
}
