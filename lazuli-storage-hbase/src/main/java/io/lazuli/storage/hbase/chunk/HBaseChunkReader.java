package io.lazuli.storage.hbase.chunk;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.lazuli.storage.ChunkReader;
import io.lazuli.storage.ChunkRef;
import io.lazuli.storage.StorageException;
import io.lazuli.storage.hbase.call.Steps;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Reads the pieces of a chunk one by one: cells, or parts of a file of the same length. It keeps
 * the current piece, and requests the next one when half of the current one was read. It fails if
 * the chunk was deleted and the grace period is over. Never blocks.
 */
final class HBaseChunkReader implements ChunkReader {
  private final HBaseChunkStore store;
  private final ChunkRef ref;
  private final long length;
  private final PieceReader pieces;

  /** A piece that was requested in advance. */
  private record Prefetch(long index, CompletableFuture<Optional<ByteBuffer>> coming) {}

  /** The piece that was read last. */
  private record Loaded(long index, ByteBuffer bytes) {}

  @GuardedBy("this")
  private @Nullable Loaded loaded;

  @GuardedBy("this")
  private @Nullable Prefetch prefetch;

  @GuardedBy("this")
  private boolean open = true;

  HBaseChunkReader(HBaseChunkStore store, ChunkRef ref, long length, PieceReader pieces) {
    this.store = store;
    this.ref = ref;
    this.length = length;
    this.pieces = pieces;
  }

  @Override
  public long length() {
    return length;
  }

  @Override
  public CompletableFuture<Integer> read(long offset, ByteBuffer target) {
    return Steps.begin(
        () -> {
          store.requireOpen();
          return offset >= length
              ? CompletableFuture.completedFuture(-1)
              : Steps.map(load(offset / ChunkCells.CELL_BYTES), cell -> copy(cell, offset, target));
        });
  }

  private int copy(Loaded cell, long offset, ByteBuffer target) {
    int from = (int) (offset % ChunkCells.CELL_BYTES);
    int part = Math.min(target.remaining(), cell.bytes.limit() - from);
    target.put(cell.bytes.slice(from, part));
    if (from + part > ChunkCells.CELL_BYTES / 2) {
      prefetch(cell.index + 1);
    }
    return part;
  }

  /**
   * Loads the piece. For cells, HBase has checksums of its own, which its servers check. A piece of
   * a file was compared with its checksum when it is here.
   */
  @Override
  public CompletableFuture<@Nullable Void> verify(long offset) {
    CompletableFuture<@Nullable Void> end = new CompletableFuture<>();
    Steps.listen(
        Steps.begin(
            () -> {
              store.requireOpen();
              return offset < length
                  ? Steps.map(load(offset / ChunkCells.CELL_BYTES), cell -> true)
                  : CompletableFuture.completedFuture(true);
            }),
        end,
        done -> end.complete(null));
    return end;
  }

  @Override
  public void close() {
    synchronized (this) {
      if (!open) {
        return;
      }
      open = false;
      prefetch = null;
      loaded = null;
    }
    pieces.close();
    store.readerEnded();
  }

  private CompletableFuture<Loaded> load(long wanted) {
    Prefetch fetched;
    synchronized (this) {
      Loaded present = loaded;
      if (present != null && present.index == wanted) {
        return CompletableFuture.completedFuture(present);
      }
      fetched = prefetch;
      prefetch = null;
    }
    CompletableFuture<Optional<ByteBuffer>> coming =
        fetched != null && fetched.index == wanted
            ? Steps.rescue(fetched.coming, failure -> pieces.read(wanted))
            : pieces.read(wanted);
    return Steps.rescue(
        Steps.then(coming, found -> found.isEmpty() ? missing() : whole(wanted, found.get())),
        failure -> {
          if (failure instanceof StorageException e && e.kind() == StorageException.Kind.CORRUPT) {
            store.countDamage();
          }
          return CompletableFuture.failedFuture(failure);
        });
  }

  private synchronized Loaded keep(Loaded read) {
    if (open) {
      loaded = read;
    }
    return read;
  }

  private synchronized void prefetch(long next) {
    if (open && prefetch == null && next < ChunkCells.count(length)) {
      prefetch = new Prefetch(next, pieces.read(next));
    }
  }

  /** Fails: the chunk was deleted, or the store has lost the piece. */
  private CompletableFuture<Loaded> missing() {
    return Steps.map(
        store.exists(ref),
        exists -> {
          throw exists
              ? damaged("a part is missing")
              : new StorageException(
                  StorageException.Kind.UNAVAILABLE, "the chunk was deleted while it was read");
        });
  }

  private CompletableFuture<Loaded> whole(long at, ByteBuffer found) {
    long rest = length - at * ChunkCells.CELL_BYTES;
    if (found.limit() != Math.min(rest, ChunkCells.CELL_BYTES)) {
      throw damaged("a part has the wrong length");
    }
    return CompletableFuture.completedFuture(keep(new Loaded(at, found)));
  }

  private StorageException damaged(String how) {
    return new StorageException(
        StorageException.Kind.CORRUPT, "chunk %016x is damaged: %s".formatted(ref.number(), how));
  }
}
