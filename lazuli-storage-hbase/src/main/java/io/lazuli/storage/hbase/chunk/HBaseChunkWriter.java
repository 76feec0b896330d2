package io.lazuli.storage.hbase.chunk;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.lazuli.storage.Bytes;
import io.lazuli.storage.ChunkRef;
import io.lazuli.storage.ChunkWriter;
import io.lazuli.storage.StorageException;
import io.lazuli.storage.StorageException.Kind;
import io.lazuli.storage.Ticks;
import io.lazuli.storage.hbase.call.Steps;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Divides the bytes of a chunk into pieces of the length of a cell, stores several at a time, and
 * regularly renews the header to show that the writer is active. Only when a second piece begins is
 * it decided where the pieces are stored: a chunk of one piece is always a cell. Never blocks. One
 * call at a time uses it, but {@link #close} may come at any time.
 */
final class HBaseChunkWriter implements ChunkWriter {
  /**
   * The maximum number of pieces that are being sent. A writer holds these pieces and the one that
   * it is filling in memory.
   */
  static final int IN_FLIGHT_MAX = 2;

  /** How often the header is renewed. Short compared with the grace period of deleted chunks. */
  private static final long RENEWAL_TICKS = Duration.ofMinutes(1).toSeconds() * Ticks.PER_SECOND;

  private static final int BUFFER_BYTES_MIN = 64 << 10;

  private final HBaseChunkStore store;
  private final ChunkRef ref;

  @GuardedBy("this")
  private ChunkHeader header;

  @GuardedBy("this")
  private final Queue<CompletableFuture<Boolean>> inFlight = new ArrayDeque<>();

  @GuardedBy("this")
  private byte[] buffer = new byte[0];

  @GuardedBy("this")
  private int filled;

  /** Where the pieces are stored; null before the first one is sent. */
  @GuardedBy("this")
  private @Nullable PieceWriter pieces;

  @GuardedBy("this")
  private long length;

  @GuardedBy("this")
  private boolean open = true;

  /**
   * @param header the header as the directory has stored it
   */
  HBaseChunkWriter(HBaseChunkStore store, ChunkRef ref, ChunkHeader header) {
    this.store = store;
    this.ref = ref;
    this.header = header;
  }

  @Override
  public CompletableFuture<@Nullable Void> write(ByteBuffer bytes) {
    CompletableFuture<@Nullable Void> end = new CompletableFuture<>();
    Steps.listen(
        guarded(() -> Steps.repeat(() -> writeSome(bytes))), end, done -> end.complete(null));
    return end;
  }

  @Override
  public synchronized long length() {
    return length;
  }

  @Override
  public CompletableFuture<ChunkRef> complete() {
    CompletableFuture<Boolean> sent =
        guarded(
            () ->
                Steps.then(
                    sendRest(),
                    rest -> Steps.then(Steps.repeat(this::awaitOne), all -> endPieces())));
    return Steps.then(sent, durable -> publish());
  }

  @Override
  public void close() {
    PieceWriter sent;
    synchronized (this) {
      if (!open) {
        return;
      }
      end();
      sent = pieces;
    }
    CompletableFuture<Boolean> unused = store.discard(ref, sent);
  }

  @GuardedBy("this")
  private void end() {
    open = false;
    buffer = new byte[0];
    inFlight.clear();
    store.writerEnded();
  }

  /**
   * Runs the steps of a call. If one fails, gives up. A failed write of a chunk is never an unknown
   * outcome, because only a complete chunk counts.
   */
  private CompletableFuture<Boolean> guarded(Supplier<CompletableFuture<Boolean>> steps) {
    return Steps.rescue(
        Steps.begin(
            () -> {
              requireOpen();
              return steps.get();
            }),
        failure -> CompletableFuture.failedFuture(givenUp(failure)));
  }

  /**
   * Sends the piece if it is full, or takes bytes up to its end. Returns false if there are no more
   * bytes.
   */
  private CompletableFuture<Boolean> writeSome(ByteBuffer bytes) {
    if (!bytes.hasRemaining()) {
      return CompletableFuture.completedFuture(false);
    }
    return isFull()
        ? Steps.map(send(true), sent -> true)
        : Steps.map(renew(), renewed -> take(bytes));
  }

  private synchronized boolean isFull() {
    return filled == ChunkCells.CELL_BYTES;
  }

  /**
   * Renews the header once a minute, and fails if the chunk was deleted. A writer therefore stops
   * soon after the deletion. That matters because nobody would remove cells that are sent after the
   * chunk was reclaimed.
   */
  private CompletableFuture<Boolean> renew() {
    long now = store.now();
    ChunkHeader renewed;
    synchronized (this) {
      if (now - header.ticks() < RENEWAL_TICKS) {
        return CompletableFuture.completedFuture(true);
      }
      renewed = header.renewed(now);
    }
    return Steps.map(store.change(ref, renewed), there -> renewed(renewed, there));
  }

  private synchronized boolean renewed(ChunkHeader stored, boolean there) {
    if (!there) {
      throw deleted();
    }
    header = stored;
    return true;
  }

  /** Copies bytes into the piece. */
  private synchronized boolean take(ByteBuffer bytes) {
    int part = Math.min(bytes.remaining(), ChunkCells.CELL_BYTES - filled);
    if (filled + part > buffer.length) {
      int wanted = Math.max(BUFFER_BYTES_MIN, Math.max(2 * buffer.length, filled + part));
      buffer = Arrays.copyOf(buffer, Math.min(ChunkCells.CELL_BYTES, wanted));
    }
    bytes.get(buffer, filled, part);
    filled += part;
    length += part;
    return true;
  }

  private synchronized CompletableFuture<Boolean> sendRest() {
    return filled > 0 ? send(false) : CompletableFuture.completedFuture(true);
  }

  /**
   * Sends the piece, after an earlier one if too many are under way.
   *
   * @param more whether there is another piece
   */
  private CompletableFuture<Boolean> send(boolean more) {
    CompletableFuture<Boolean> turn = CompletableFuture.completedFuture(true);
    synchronized (this) {
      if (inFlight.size() >= IN_FLIGHT_MAX) {
        turn = inFlight.remove();
      }
    }
    return Steps.map(turn, free -> transmit(more));
  }

  private synchronized boolean transmit(boolean more) {
    requireOpen();
    byte[] piece = filled == buffer.length ? buffer : Arrays.copyOf(buffer, filled);
    buffer = new byte[0];
    filled = 0;
    PieceWriter to = pieces;
    if (to == null) {
      to = store.pieces(ref, header, more);
      pieces = to;
    }
    inFlight.add(to.write(piece));
    return true;
  }

  private synchronized CompletableFuture<Boolean> endPieces() {
    return pieces == null ? CompletableFuture.completedFuture(true) : pieces.end();
  }

  /** Waits for one piece that is under way. Returns false if there is none. */
  private synchronized CompletableFuture<Boolean> awaitOne() {
    return inFlight.isEmpty() ? CompletableFuture.completedFuture(false) : inFlight.remove();
  }

  private CompletableFuture<ChunkRef> publish() {
    CompletableFuture<Boolean> published = Steps.begin(() -> store.publish(ref, completedHeader()));
    return Steps.rescue(
        Steps.map(published, this::published),
        failure -> {
          if (failure instanceof StorageException e && e.kind() == Kind.UNKNOWN_OUTCOME) {
            // The chunk may be complete, so it is not discarded.
            endOpen();
            return CompletableFuture.failedFuture(failure);
          }
          return CompletableFuture.failedFuture(givenUp(failure));
        });
  }

  private synchronized ChunkHeader completedHeader() {
    return header.completed(store.now(), length, pieces == null ? Bytes.EMPTY : pieces.checksums());
  }

  private ChunkRef published(boolean there) {
    if (!there) {
      throw deleted();
    }
    endOpen();
    return ref;
  }

  private synchronized void endOpen() {
    if (open) {
      end();
    }
  }

  private Throwable givenUp(Throwable failure) {
    close();
    return failure instanceof StorageException e && e.kind() != Kind.CLOSED
        ? HBaseChunkStore.unavailable(e)
        : failure;
  }

  private static StorageException deleted() {
    return new StorageException(Kind.UNAVAILABLE, "the chunk was deleted");
  }

  private synchronized void requireOpen() {
    store.requireOpen();
    if (!open) {
      throw new StorageException(Kind.UNAVAILABLE, "the chunk is not open");
    }
  }
}
