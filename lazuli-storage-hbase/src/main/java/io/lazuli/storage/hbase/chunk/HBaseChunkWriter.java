package io.lazuli.storage.hbase.chunk;

import com.google.errorprone.annotations.concurrent.GuardedBy;
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
 * Writes each cell of a chunk once it is full, several at a time, and regularly renews the header
 * to show that the writer is active. Never blocks. One call at a time uses it, but {@link #close}
 * may come at any time.
 */
final class HBaseChunkWriter implements ChunkWriter {
  /**
   * The maximum number of cells that are being sent. A writer holds these cells and the one that it
   * is filling in memory.
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

  @GuardedBy("this")
  private long cellsSent;

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
        guarded(() -> Steps.then(sendRest(), rest -> Steps.repeat(this::awaitOne)));
    return Steps.then(sent, durable -> publish());
  }

  @Override
  public void close() {
    ChunkHeader last;
    long cells;
    synchronized (this) {
      if (!open) {
        return;
      }
      end();
      last = header;
      cells = cellsSent;
    }
    CompletableFuture<Boolean> unused = store.discard(ref, last, cells);
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

  /** Takes bytes up to the end of a cell. Returns false if there are no more. */
  private CompletableFuture<Boolean> writeSome(ByteBuffer bytes) {
    if (!bytes.hasRemaining()) {
      return CompletableFuture.completedFuture(false);
    }
    return Steps.then(
        renew(),
        renewed ->
            take(bytes)
                ? Steps.map(send(), sent -> true)
                : CompletableFuture.completedFuture(true));
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

  /** Copies bytes into the cell. Returns true if the cell is full. */
  private synchronized boolean take(ByteBuffer bytes) {
    int part = Math.min(bytes.remaining(), ChunkCells.CELL_BYTES - filled);
    if (filled + part > buffer.length) {
      int wanted = Math.max(BUFFER_BYTES_MIN, Math.max(2 * buffer.length, filled + part));
      buffer = Arrays.copyOf(buffer, Math.min(ChunkCells.CELL_BYTES, wanted));
    }
    bytes.get(buffer, filled, part);
    filled += part;
    length += part;
    return filled == ChunkCells.CELL_BYTES;
  }

  private synchronized CompletableFuture<Boolean> sendRest() {
    return filled > 0 ? send() : CompletableFuture.completedFuture(true);
  }

  /** Sends the cell, after an earlier one if too many are under way. */
  private CompletableFuture<Boolean> send() {
    CompletableFuture<Boolean> turn = CompletableFuture.completedFuture(true);
    synchronized (this) {
      if (inFlight.size() >= IN_FLIGHT_MAX) {
        turn = inFlight.remove();
      }
    }
    return Steps.map(turn, free -> transmit());
  }

  private synchronized boolean transmit() {
    requireOpen();
    byte[] cell = filled == buffer.length ? buffer : Arrays.copyOf(buffer, filled);
    buffer = new byte[0];
    filled = 0;
    inFlight.add(store.cells().write(ref, cellsSent, header.cellMillis(), cell));
    cellsSent++;
    return true;
  }

  /** Waits for one cell that is under way. Returns false if there is none. */
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
    return header.completed(store.now(), length);
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
