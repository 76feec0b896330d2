package io.lazuli.storage.hbase.chunk;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.lazuli.storage.ChunkRef;
import io.lazuli.storage.ChunkWriter;
import io.lazuli.storage.StorageException;
import io.lazuli.storage.StorageException.Kind;
import io.lazuli.storage.Ticks;
import io.lazuli.storage.engine.LocalCall;
import io.lazuli.storage.hbase.call.RegionCalls;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Writes each cell of a chunk once it is full, several at a time, and regularly renews the header
 * to show that the writer is active. Its monitor is held during network calls.
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
  private final Queue<RegionCalls.PendingCall<Boolean>> inFlight = new ArrayDeque<>();

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
    return LocalCall.<@Nullable Void>run(
        () -> {
          append(bytes);
          return null;
        });
  }

  synchronized void append(ByteBuffer bytes) {
    requireOpen();
    try {
      while (bytes.hasRemaining()) {
        renew();
        take(bytes);
        if (filled == ChunkCells.CELL_BYTES) {
          send();
        }
      }
    } catch (StorageException e) {
      throw giveUp(e);
    }
  }

  @Override
  public synchronized long length() {
    return length;
  }

  @Override
  public CompletableFuture<ChunkRef> complete() {
    return LocalCall.run(this::publishAll);
  }

  synchronized ChunkRef publishAll() {
    requireOpen();
    try {
      if (filled > 0) {
        send();
      }
      awaitUntil(0);
    } catch (StorageException e) {
      throw giveUp(e);
    }
    publish();
    open = false;
    store.writerEnded();
    return ref;
  }

  @Override
  public synchronized void close() {
    if (open) {
      open = false;
      store.writerEnded();
      store.discard(ref, header, cellsSent);
      buffer = new byte[0];
      inFlight.clear();
    }
  }

  @GuardedBy("this")
  private void publish() {
    try {
      if (!store.publish(ref, header.completed(store.now(), length))) {
        throw deleted();
      }
    } catch (StorageException e) {
      if (e.kind() != Kind.UNKNOWN_OUTCOME) {
        throw giveUp(e);
      }
      // The chunk may be complete, so it is not discarded.
      open = false;
      store.writerEnded();
      throw e;
    }
  }

  /**
   * Renews the header once a minute, and throws if the chunk was deleted. A writer therefore stops
   * soon after the deletion. That matters because nobody would remove cells that are sent after the
   * chunk was reclaimed.
   */
  @GuardedBy("this")
  private void renew() {
    long now = store.now();
    if (now - header.ticks() >= RENEWAL_TICKS) {
      ChunkHeader renewed = header.renewed(now);
      if (!store.renew(ref, renewed)) {
        throw deleted();
      }
      header = renewed;
    }
  }

  @GuardedBy("this")
  private void take(ByteBuffer bytes) {
    int part = Math.min(bytes.remaining(), ChunkCells.CELL_BYTES - filled);
    if (filled + part > buffer.length) {
      int wanted = Math.max(BUFFER_BYTES_MIN, Math.max(2 * buffer.length, filled + part));
      buffer = Arrays.copyOf(buffer, Math.min(ChunkCells.CELL_BYTES, wanted));
    }
    bytes.get(buffer, filled, part);
    filled += part;
    length += part;
  }

  @GuardedBy("this")
  private void send() {
    awaitUntil(IN_FLIGHT_MAX - 1);
    byte[] cell = filled == buffer.length ? buffer : Arrays.copyOf(buffer, filled);
    buffer = new byte[0];
    filled = 0;
    inFlight.add(store.cells().send(ref, cellsSent, header.cellMillis(), cell));
    cellsSent++;
  }

  @GuardedBy("this")
  private void awaitUntil(int left) {
    while (inFlight.size() > left) {
      store.cells().finish(inFlight.remove());
    }
  }

  /**
   * Gives up and returns the exception to throw. A failed write of a chunk is never an unknown
   * outcome, because only a complete chunk counts.
   */
  @GuardedBy("this")
  private StorageException giveUp(StorageException failure) {
    close();
    return failure.kind() == Kind.CLOSED ? failure : HBaseChunkStore.unavailable(failure);
  }

  private static StorageException deleted() {
    return new StorageException(Kind.UNAVAILABLE, "the chunk was deleted");
  }

  @GuardedBy("this")
  private void requireOpen() {
    store.requireOpen();
    if (!open) {
      throw new StorageException(Kind.UNAVAILABLE, "the chunk is not open");
    }
  }
}
