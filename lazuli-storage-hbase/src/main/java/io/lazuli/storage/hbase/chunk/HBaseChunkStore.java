package io.lazuli.storage.hbase.chunk;

import io.lazuli.storage.ChunkReader;
import io.lazuli.storage.ChunkRef;
import io.lazuli.storage.ChunkStore;
import io.lazuli.storage.ChunkWriter;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.Partition;
import io.lazuli.storage.SpaceKind;
import io.lazuli.storage.StorageException;
import io.lazuli.storage.StorageException.Kind;
import io.lazuli.storage.StoredChunk;
import io.lazuli.storage.engine.LocalCall;
import io.lazuli.storage.hbase.call.RegionCalls;
import io.lazuli.storage.hbase.call.RegionScan;
import io.lazuli.storage.hbase.call.Rows;
import io.lazuli.storage.hbase.commit.Attempts;
import io.lazuli.storage.hbase.commit.ClusterClock;
import io.lazuli.storage.hbase.commit.SpaceNumbers;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.stream.LongStream;
import org.apache.hadoop.hbase.client.Durability;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stores chunks in the cluster: each has a header in the directory, and cells of 1 MiB.
 *
 * <p>The header is written before the first cell. It is marked complete after the last cell is
 * durable. Deleting a chunk writes a tombstone and then removes the header; the cells are removed
 * after the grace period. So every cell can be found through a header or a tombstone. Copying a
 * chunk reads its bytes into this server and writes them again. Thread-safe.
 */
public final class HBaseChunkStore implements ChunkStore {
  /** The maximum number of open writers. Each holds up to three cells in memory. */
  public static final int WRITERS_MAX = 128;

  /** The maximum number of open readers. Each holds up to two cells in memory. */
  static final int READERS_MAX = 256;

  private static final int DELETED_AT_ONCE_MAX = 1_000;

  /**
   * The time limit for discarding an unfinished chunk. The collector removes the parts that are
   * left after that.
   */
  private static final Duration DISCARD_TIMEOUT = Duration.ofSeconds(5);

  private static final Logger log = LoggerFactory.getLogger(HBaseChunkStore.class);

  private final RegionCalls calls;
  private final SpaceNumbers numbers;
  private final ClusterClock clock;
  private final ChunkRows rows;
  private final ChunkDirectory directory;
  private final ChunkTombstones tombstones;
  private final ChunkCells cells;
  private final ChunkReclaimer reclaimer;
  private final Semaphore freeWriters = new Semaphore(WRITERS_MAX);
  private final Semaphore freeReaders = new Semaphore(READERS_MAX);

  /**
   * @param durability the durability of cells and tombstones
   * @param grace how long cells stay after their chunk was deleted
   */
  public HBaseChunkStore(
      RegionCalls calls,
      Rows allRows,
      RegionScan scan,
      Attempts attempts,
      SpaceNumbers numbers,
      ClusterClock clock,
      Durability durability,
      Duration grace) {
    this.calls = calls;
    this.numbers = numbers;
    this.clock = clock;
    this.rows = new ChunkRows(calls, scan, durability);
    this.directory = new ChunkDirectory(allRows, rows, attempts, clock);
    this.tombstones = new ChunkTombstones(rows);
    this.cells = new ChunkCells(calls, rows);
    this.reclaimer = new ChunkReclaimer(directory, tombstones, cells, rows, clock, grace);
  }

  @Override
  public CompletableFuture<ChunkWriter> append(Partition owner) {
    return LocalCall.run(() -> begin(owner));
  }

  private HBaseChunkWriter begin(Partition owner) {
    requireOpen();
    acquire(freeWriters, "too many chunks are being written");
    try {
      ChunkRef ref = new ChunkRef(numbers.next(SpaceKind.CHUNKS));
      ChunkHeader header = ChunkHeader.announced(owner, now(), clock.cellMillis());
      directory.announce(ref, header, limit());
      return new HBaseChunkWriter(this, ref, header);
    } catch (StorageException e) {
      // If the header was written although the call failed, the collector finds and removes it.
      freeWriters.release();
      throw e.kind() == Kind.CLOSED ? e : unavailable(e);
    }
  }

  @Override
  public CompletableFuture<@Nullable ChunkReader> open(ChunkRef ref) {
    return LocalCall.<@Nullable ChunkReader>run(() -> find(ref));
  }

  private @Nullable HBaseChunkReader find(ChunkRef ref) {
    requireOpen();
    ChunkHeader header = directory.find(ref, limit());
    if (header == null || !header.complete()) {
      return null;
    }
    acquire(freeReaders, "too many chunks are being read");
    return new HBaseChunkReader(this, ref, header.length());
  }

  @Override
  public CompletableFuture<@Nullable ChunkRef> copy(ChunkRef ref, Partition owner) {
    return LocalCall.<@Nullable ChunkRef>run(() -> copied(ref, owner));
  }

  private @Nullable ChunkRef copied(ChunkRef ref, Partition owner) {
    try (HBaseChunkReader reader = find(ref)) {
      if (reader == null) {
        return null;
      }
      try (HBaseChunkWriter writer = begin(owner)) {
        int part = (int) Math.min(ChunkCells.CELL_BYTES, Math.max(1, reader.length()));
        ByteBuffer buffer = ByteBuffer.allocate(part);
        while (reader.readNow(writer.length(), buffer.clear()) >= 0) {
          writer.append(buffer.flip());
        }
        return writer.publishAll();
      }
    }
  }

  @Override
  public CompletableFuture<@Nullable Void> delete(List<ChunkRef> refs) {
    return LocalCall.<@Nullable Void>run(
        () -> {
          deleteAll(refs);
          return null;
        });
  }

  private void deleteAll(List<ChunkRef> refs) {
    requireOpen();
    for (int from = 0; from < refs.size(); from += DELETED_AT_ONCE_MAX) {
      deleteSome(refs.subList(from, Math.min(refs.size(), from + DELETED_AT_ONCE_MAX)));
    }
  }

  /**
   * Deletes the chunks whose headers exist. A writer may renew a header while it is being removed,
   * so the headers are read and removed again until none is left.
   */
  private void deleteSome(List<ChunkRef> refs) {
    List<ChunkDirectory.Entry> there = directory.find(refs, limit());
    while (!there.isEmpty()) {
      long now = clock.cellMillis();
      tombstones.add(
          there.stream().map(entry -> ChunkTombstones.Tombstone.of(entry, now)).toList(), limit());
      directory.remove(there, limit());
      there = directory.find(there.stream().map(ChunkDirectory.Entry::ref).toList(), limit());
    }
  }

  @Override
  public CompletableFuture<List<StoredChunk>> list(@Nullable ChunkRef after, int max) {
    return LocalCall.run(
        () -> {
          requireOpen();
          return directory.list(after, max, limit());
        });
  }

  /**
   * Removes some cells of chunks whose grace period is over.
   *
   * @return true if there may be more
   */
  public boolean reclaim() {
    return reclaimer.step();
  }

  void requireOpen() {
    calls.requireOpen();
  }

  long now() {
    calls.requireOpen();
    return clock.now();
  }

  ChunkCells cells() {
    return cells;
  }

  /** Records that a writer is still active. Returns false if its chunk was deleted. */
  boolean renew(ChunkRef ref, ChunkHeader header) {
    return directory.change(ref, header, limit());
  }

  /**
   * Makes a chunk visible to readers once its cells are durable. Returns false if the chunk was
   * deleted.
   */
  boolean publish(ChunkRef ref, ChunkHeader header) {
    try {
      return directory.change(ref, header, limit());
    } catch (StorageException e) {
      if (e.kind() != Kind.UNKNOWN_OUTCOME) {
        throw e;
      }
      return isPublished(ref, e);
    }
  }

  /**
   * Reads the header to find out whether a chunk was published although the answer was lost. Only
   * its writer publishes a chunk, and a deleted chunk never returns. If the header is still
   * incomplete, the outcome stays unknown.
   */
  private boolean isPublished(ChunkRef ref, StorageException lost) {
    ChunkHeader found;
    try {
      found = directory.find(ref, Deadline.after(DISCARD_TIMEOUT));
    } catch (StorageException e) {
      throw lost;
    }
    if (found != null && !found.complete()) {
      throw lost;
    }
    return found != null;
  }

  /** Removes the cells and the header of a chunk that was not completed. */
  void discard(ChunkRef ref, ChunkHeader header, long cellsSent) {
    if (calls.isClosed()) {
      return;
    }
    try {
      Deadline deadline = Deadline.after(DISCARD_TIMEOUT);
      rows.deleteAll(
          LongStream.range(0, cellsSent)
              .mapToObj(index -> cells.delete(ref, index, header.cellMillis()))
              .toList(),
          deadline);
      directory.remove(directory.find(List.of(ref), deadline), deadline);
    } catch (StorageException e) {
      log.warn("an unfinished chunk stays until the collector removes it: {}", e.getMessage());
    }
  }

  void writerEnded() {
    freeWriters.release();
  }

  void readerEnded() {
    freeReaders.release();
  }

  static StorageException unavailable(StorageException cause) {
    return new StorageException(Kind.UNAVAILABLE, String.valueOf(cause.getMessage()), cause);
  }

  private static Deadline limit() {
    return Deadline.after(ChunkRows.TIMEOUT);
  }

  private static void acquire(Semaphore permits, String refusal) {
    if (!permits.tryAcquire()) {
      throw new StorageException(Kind.UNAVAILABLE, refusal);
    }
  }
}
