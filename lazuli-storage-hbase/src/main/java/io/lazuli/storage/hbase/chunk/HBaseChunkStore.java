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
import io.lazuli.storage.hbase.call.RegionCalls;
import io.lazuli.storage.hbase.call.RegionScan;
import io.lazuli.storage.hbase.call.Rows;
import io.lazuli.storage.hbase.call.Steps;
import io.lazuli.storage.hbase.commit.Attempts;
import io.lazuli.storage.hbase.commit.ClusterClock;
import io.lazuli.storage.hbase.commit.CutRow;
import io.lazuli.storage.hbase.commit.SpaceNumbers;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.LongAdder;
import org.apache.hadoop.hbase.client.Durability;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stores chunks in the cluster: each has a header in the directory, and pieces of 1 MiB. The pieces
 * are cells, or a file if there are several and the store has a folder for files.
 *
 * <p>The header is written before the first piece. It is marked complete after the last piece is
 * durable. Deleting a chunk writes a tombstone and then removes the header; the pieces are removed
 * after the grace period. So every piece can be found through a header or a tombstone, with one
 * exception: a server that is paused until its chunk was collected can create the file after that,
 * and be killed, or not reach the file system, before it removes the file.
 *
 * <p>Copying a chunk reads its bytes into this server and writes them again. Never blocks, except
 * in {@link #reclaim}. Thread-safe.
 */
public final class HBaseChunkStore implements ChunkStore {
  /** The maximum number of open writers. Each holds up to three pieces in memory. */
  public static final int WRITERS_MAX = 128;

  /** The maximum number of open readers. Each holds up to two pieces in memory. */
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
  private final @Nullable ChunkFiles files;
  private final ChunkReclaimer reclaimer;
  private final CutRow cut;
  private final Semaphore freeWriters = new Semaphore(WRITERS_MAX);
  private final Semaphore freeReaders = new Semaphore(READERS_MAX);
  private final LongAdder damage = new LongAdder();

  /**
   * @param cut deletions wait while it holds
   * @param files null to store all chunks in cells; is closed with the store
   * @param durability the durability of cells and tombstones
   * @param grace how long the bytes of a chunk stay after it was deleted
   */
  public HBaseChunkStore(
      RegionCalls calls,
      Rows allRows,
      RegionScan scan,
      Attempts attempts,
      SpaceNumbers numbers,
      ClusterClock clock,
      CutRow cut,
      @Nullable ChunkFiles files,
      Durability durability,
      Duration grace) {
    this.calls = calls;
    this.cut = cut;
    this.numbers = numbers;
    this.clock = clock;
    this.rows = new ChunkRows(calls, scan, durability);
    this.directory = new ChunkDirectory(allRows, rows, attempts, clock);
    this.tombstones = new ChunkTombstones(rows);
    this.cells = new ChunkCells(calls, rows);
    this.files = files;
    this.reclaimer =
        new ChunkReclaimer(
            directory,
            tombstones,
            cells,
            new FileReclaim(files, () -> Steps.await(ChunkFiles.exist(allRows, limit()))),
            cut,
            rows,
            clock,
            grace);
  }

  /** Counts a read that met a damaged chunk. */
  void countDamage() {
    damage.increment();
  }

  /** Returns the number of reads that met a damaged chunk. */
  public long damageFound() {
    return damage.sum();
  }

  @Override
  public CompletableFuture<ChunkWriter> append(Partition owner) {
    return Steps.begin(
        () -> {
          requireOpen();
          acquire(freeWriters, "too many chunks are being written");
          return Steps.rescue(
              Steps.begin(() -> announced(owner)),
              failure -> {
                // If the header was written although the call failed, the collector finds and
                // removes it.
                freeWriters.release();
                return CompletableFuture.failedFuture(
                    failure instanceof StorageException e && e.kind() != Kind.CLOSED
                        ? unavailable(e)
                        : failure);
              });
        });
  }

  private CompletableFuture<ChunkWriter> announced(Partition owner) {
    return Steps.then(
        numbers.next(SpaceKind.CHUNKS, limit()),
        number -> {
          ChunkRef ref = ChunkDirectory.named(number);
          ChunkHeader header = ChunkHeader.announced(owner, now(), clock.cellMillis());
          return Steps.map(
              directory.announce(ref, header, limit()),
              written -> new HBaseChunkWriter(this, ref, header));
        });
  }

  @Override
  public CompletableFuture<@Nullable ChunkReader> open(ChunkRef ref) {
    CompletableFuture<@Nullable ChunkReader> opened = new CompletableFuture<>();
    Steps.listen(
        Steps.begin(() -> reader(ref)), opened, reader -> opened.complete(reader.orElse(null)));
    return opened;
  }

  private CompletableFuture<Optional<HBaseChunkReader>> reader(ChunkRef ref) {
    requireOpen();
    return Steps.map(
        directory.find(ref, limit()),
        header ->
            header
                .filter(ChunkHeader::complete)
                .map(
                    complete -> {
                      PieceReader pieces = pieces(ref, complete);
                      acquire(freeReaders, "too many chunks are being read");
                      return new HBaseChunkReader(this, ref, complete.length(), pieces);
                    }));
  }

  private PieceReader pieces(ChunkRef ref, ChunkHeader complete) {
    if (!complete.inFile()) {
      return cells.reader(ref);
    }
    if (files == null) {
      throw new StorageException(
          Kind.UNAVAILABLE, "the chunk is in a file, and this server has no folder of chunks");
    }
    return files.reader(ref, complete);
  }

  /**
   * Returns the writer of a chunk's pieces.
   *
   * @param several whether the chunk has more than one piece
   */
  PieceWriter pieces(ChunkRef ref, ChunkHeader header, boolean several) {
    return several && files != null ? files.writer(ref) : cells.writer(ref, header.cellMillis());
  }

  @Override
  public CompletableFuture<@Nullable ChunkRef> copy(ChunkRef ref, Partition owner) {
    CompletableFuture<@Nullable ChunkRef> copied = new CompletableFuture<>();
    Steps.listen(
        Steps.begin(() -> reader(ref)),
        copied,
        reader -> {
          if (reader.isEmpty()) {
            copied.complete(null);
          } else {
            copy(reader.get(), owner, copied);
          }
        });
    return copied;
  }

  private void copy(
      HBaseChunkReader reader, Partition owner, CompletableFuture<@Nullable ChunkRef> copied) {
    CompletableFuture<ChunkRef> copying = Steps.then(append(owner), writer -> copy(reader, writer));
    CompletableFuture<ChunkRef> unused = copying.whenComplete((made, failure) -> reader.close());
    Steps.listen(copying, copied, copied::complete);
  }

  private static CompletableFuture<ChunkRef> copy(HBaseChunkReader reader, ChunkWriter writer) {
    int part = (int) Math.min(ChunkCells.CELL_BYTES, Math.max(1, reader.length()));
    ByteBuffer buffer = ByteBuffer.allocate(part);
    CompletableFuture<ChunkRef> copy =
        Steps.then(
            Steps.repeat(() -> copySome(reader, writer, buffer)), copied -> writer.complete());
    CompletableFuture<ChunkRef> unused = copy.whenComplete((made, failure) -> writer.close());
    return copy;
  }

  /** Copies some bytes. Returns false at the end of the chunk. */
  private static CompletableFuture<Boolean> copySome(
      HBaseChunkReader reader, ChunkWriter writer, ByteBuffer buffer) {
    return Steps.then(
        reader.read(writer.length(), buffer.clear()),
        read ->
            read < 0
                ? CompletableFuture.completedFuture(false)
                : Steps.map(writer.write(buffer.flip()), written -> true));
  }

  @Override
  public CompletableFuture<@Nullable Void> delete(List<ChunkRef> refs) {
    List<List<ChunkRef>> parts = new ArrayList<>();
    for (int from = 0; from < refs.size(); from += DELETED_AT_ONCE_MAX) {
      parts.add(refs.subList(from, Math.min(refs.size(), from + DELETED_AT_ONCE_MAX)));
    }
    CompletableFuture<@Nullable Void> deleted = new CompletableFuture<>();
    Steps.listen(
        Steps.begin(
            () -> {
              requireOpen();
              return Steps.then(cut.awaitFree(), free -> Steps.each(parts, this::deleteSome));
            }),
        deleted,
        done -> deleted.complete(null));
    return deleted;
  }

  /**
   * Deletes the chunks whose headers exist. A writer may renew a header while it is being removed,
   * so the headers are read and removed again until none is left.
   */
  private CompletableFuture<Boolean> deleteSome(List<ChunkRef> refs) {
    return Steps.repeat(
        () ->
            Steps.then(
                directory.find(refs, limit()),
                there ->
                    there.isEmpty()
                        ? CompletableFuture.completedFuture(false)
                        : delete(there, clock.cellMillis())));
  }

  private CompletableFuture<Boolean> delete(List<ChunkDirectory.Entry> there, long now) {
    return Steps.then(
        tombstones.add(
            there.stream().map(entry -> ChunkTombstones.Tombstone.of(entry, now)).toList(),
            limit()),
        marked -> directory.remove(there, limit()));
  }

  @Override
  public CompletableFuture<List<StoredChunk>> list(@Nullable ChunkRef after, int max) {
    return Steps.begin(
        () -> {
          requireOpen();
          return directory.list(after, max, limit());
        });
  }

  /**
   * Removes some bytes of chunks whose grace period is over. Blocks.
   *
   * @return true if there may be more
   */
  public boolean reclaim() {
    return reclaimer.step();
  }

  /** Returns why files of deleted chunks stay; empty if nothing is wrong. */
  public String reclaimFault() {
    return reclaimer.fault();
  }

  void requireOpen() {
    calls.requireOpen();
  }

  long now() {
    calls.requireOpen();
    return clock.now();
  }

  /** Returns true if a chunk is complete. */
  CompletableFuture<Boolean> exists(ChunkRef ref) {
    return Steps.map(
        directory.find(ref, limit()), header -> header.filter(ChunkHeader::complete).isPresent());
  }

  /** Changes the header of a chunk. Returns false if the chunk was deleted. */
  CompletableFuture<Boolean> change(ChunkRef ref, ChunkHeader header) {
    return directory.change(ref, header, limit());
  }

  /**
   * Makes a chunk visible to readers once its pieces are durable. Returns false if the chunk was
   * deleted.
   */
  CompletableFuture<Boolean> publish(ChunkRef ref, ChunkHeader header) {
    return Steps.rescue(
        change(ref, header),
        failure ->
            failure instanceof StorageException e && e.kind() == Kind.UNKNOWN_OUTCOME
                ? isPublished(ref, e)
                : CompletableFuture.failedFuture(failure));
  }

  /**
   * Reads the header to find out whether a chunk was published although the answer was lost. Only
   * its writer publishes a chunk, and a deleted chunk never returns. If the header is still
   * incomplete, the outcome stays unknown.
   */
  private CompletableFuture<Boolean> isPublished(ChunkRef ref, StorageException lost) {
    return Steps.rescue(
        Steps.map(
            directory.find(ref, Deadline.after(DISCARD_TIMEOUT)),
            found -> {
              if (found.isPresent() && !found.get().complete()) {
                throw lost;
              }
              return found.isPresent();
            }),
        failure -> CompletableFuture.failedFuture(lost));
  }

  /**
   * Removes the pieces and the header of a chunk that was not completed. Never fails.
   *
   * @param pieces null if none was sent
   */
  CompletableFuture<Boolean> discard(ChunkRef ref, @Nullable PieceWriter pieces) {
    if (calls.isClosed()) {
      return CompletableFuture.completedFuture(false);
    }
    Deadline deadline = Deadline.after(DISCARD_TIMEOUT);
    CompletableFuture<Boolean> discarded =
        Steps.then(
            pieces == null ? CompletableFuture.completedFuture(true) : pieces.discard(),
            gone ->
                Steps.then(
                    directory.find(List.of(ref), deadline),
                    found -> directory.remove(found, deadline)));
    return Steps.rescue(
        discarded,
        failure -> {
          log.warn(
              "an unfinished chunk stays until the collector removes it: {}", failure.getMessage());
          return CompletableFuture.completedFuture(false);
        });
  }

  /** Ends the calls to files that are under way. */
  public void close() {
    if (files != null) {
      files.close();
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
