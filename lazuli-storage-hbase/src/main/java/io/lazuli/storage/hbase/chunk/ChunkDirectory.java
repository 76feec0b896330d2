package io.lazuli.storage.hbase.chunk;

import io.lazuli.storage.Bytes;
import io.lazuli.storage.ChunkRef;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.LentBytes;
import io.lazuli.storage.Partition;
import io.lazuli.storage.Space;
import io.lazuli.storage.SpaceKind;
import io.lazuli.storage.StoredChunk;
import io.lazuli.storage.hbase.call.Rows;
import io.lazuli.storage.hbase.call.Steps;
import io.lazuli.storage.hbase.call.StoredCell;
import io.lazuli.storage.hbase.commit.Attempts;
import io.lazuli.storage.hbase.commit.ClusterClock;
import io.lazuli.storage.hbase.commit.OwnRows;
import io.lazuli.storage.keys.KeyCodec;
import io.lazuli.storage.keys.KeyInterval;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The headers of all chunks, ordered by their counters. Every header is its own partition, so that
 * HBase can split the directory. The header decides whether a chunk exists: bytes without a
 * complete header are never read. Never blocks. Thread-safe.
 *
 * <p>Numbers are given one after another, and the directory must not grow at its end only. The
 * counter of a chunk therefore begins with the lowest bits of its number, in reverse order. Older
 * chunks have the number itself as their counter; they are in the same directory.
 */
final class ChunkDirectory {
  /** Counter 0 is never given to a chunk. The home is not used, but a space must have one. */
  private static final Space SPACE = new Space(Space.number(SpaceKind.CHUNKS, 0), OwnRows.STORE);

  private static final Bytes ROW = Bytes.EMPTY;

  /** The numbers that can be given to chunks have so many bits. */
  private static final int NUMBER_BITS = 44;

  /** How many of these bits, the lowest ones, are also at the beginning of the counter. */
  private static final int SPREAD_BITS = 16;

  private final Rows rows;
  private final ChunkRows chunkRows;
  private final Attempts attempts;
  private final ClusterClock clock;

  ChunkDirectory(Rows rows, ChunkRows chunkRows, Attempts attempts, ClusterClock clock) {
    this.rows = rows;
    this.chunkRows = chunkRows;
    this.attempts = attempts;
    this.clock = clock;
  }

  /** A header as it was read. */
  record Entry(ChunkRef ref, ChunkHeader header, StoredCell cell) {}

  /**
   * Returns the name of a new chunk.
   *
   * @param number a number that no chunk has had
   */
  static ChunkRef named(long number) {
    long counter = Space.counter(number);
    if (counter >>> NUMBER_BITS != 0) {
      throw new IllegalStateException("there are no more numbers for chunks");
    }
    long first = Long.reverse(counter << (Long.SIZE - SPREAD_BITS));
    return new ChunkRef(Space.number(SpaceKind.CHUNKS, first << NUMBER_BITS | counter));
  }

  /** Writes the first header of a chunk with a new number. */
  CompletableFuture<Boolean> announce(ChunkRef ref, ChunkHeader header, Deadline deadline) {
    return attempts.run(
        partition(ref),
        deadline,
        view -> {
          view.putOwn(ROW, header.encode());
          return true;
        });
  }

  /** Replaces a header. Returns false if there is none. */
  CompletableFuture<Boolean> change(ChunkRef ref, ChunkHeader header, Deadline deadline) {
    return attempts.run(
        partition(ref),
        deadline,
        view -> {
          boolean there = view.condition(ROW).isRecord();
          if (there) {
            view.putOwn(ROW, header.encode());
          }
          return there;
        });
  }

  CompletableFuture<Optional<ChunkHeader>> find(ChunkRef ref, Deadline deadline) {
    return Steps.map(
        rows.read(partition(ref), ROW, deadline),
        cell -> Optional.ofNullable(cell.value()).map(ChunkHeader::decode));
  }

  /** Returns the headers of those chunks that exist. */
  CompletableFuture<List<Entry>> find(List<ChunkRef> refs, Deadline deadline) {
    return Steps.map(
        chunkRows.find(refs.stream().map(ChunkDirectory::key).toList(), deadline),
        ChunkDirectory::entries);
  }

  /**
   * Removes headers in the state in which they were read. A header that has changed since then may
   * stay.
   */
  CompletableFuture<Boolean> remove(List<Entry> entries, Deadline deadline) {
    long now = clock.cellMillis();
    return chunkRows.deleteAll(
        entries.stream()
            .map(entry -> chunkRows.delete(key(entry.ref), Math.max(now, entry.cell.millis())))
            .toList(),
        deadline);
  }

  CompletableFuture<List<StoredChunk>> list(@Nullable ChunkRef after, int max, Deadline deadline) {
    KeyInterval all = KeyInterval.ofSpace(SPACE.number());
    KeyInterval rest = after == null ? all : all.from(Bytes.of(key(after)).successor());
    return Steps.map(
        chunkRows.first(rest, max, deadline),
        found ->
            entries(found).stream().map(entry -> entry.header.toStoredChunk(entry.ref)).toList());
  }

  private static List<Entry> entries(List<ChunkRows.Found> found) {
    List<Entry> entries = new ArrayList<>(found.size());
    for (ChunkRows.Found row : found) {
      byte[] value = row.cell().value();
      if (value != null) {
        entries.add(new Entry(ref(row.key()), ChunkHeader.decode(value), row.cell()));
      }
    }
    return entries;
  }

  static ChunkRef ref(byte[] key) {
    LentBytes name = new LentBytes();
    KeyCodec.lend(key, key.length, name, new LentBytes());
    long counter = ByteBuffer.wrap(name.copy()).getLong();
    return new ChunkRef(Space.number(SpaceKind.CHUNKS, counter));
  }

  static byte[] key(ChunkRef ref) {
    return KeyCodec.encode(partition(ref).row(ROW));
  }

  private static Partition partition(ChunkRef ref) {
    return new Partition(SPACE, Bytes.of(OwnRows.encode(Space.counter(ref.number()))));
  }
}
