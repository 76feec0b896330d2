package io.lazuli.storage.hbase.chunk;

import io.lazuli.storage.Bytes;
import io.lazuli.storage.ChunkRef;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.LentBytes;
import io.lazuli.storage.Space;
import io.lazuli.storage.SpaceKind;
import io.lazuli.storage.hbase.call.Steps;
import io.lazuli.storage.keys.KeyCodec;
import io.lazuli.storage.keys.KeyInterval;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The tombstones of deleted chunks whose bytes still exist, ordered by the time of the deletion.
 * Never blocks. Thread-safe.
 */
final class ChunkTombstones {
  /** The number after that of the directory's space. No chunk ever gets this number. */
  private static final long SPACE = Space.number(SpaceKind.CHUNKS, 0) + 1;

  /**
   * A deleted chunk.
   *
   * @param millis the time when the chunk was deleted
   * @param length the length in bytes; empty if the chunk was not complete
   * @param cellMillis the timestamp of its cells
   * @param inFile whether it was complete and in a file
   */
  record Tombstone(
      long millis, ChunkRef ref, OptionalLong length, long cellMillis, boolean inFile) {
    /** The length of the value for cells, as older builds write it. Files have one byte more. */
    private static final int VALUE_BYTES = 2 * Long.BYTES;

    /** What follows the value of a chunk in a file. */
    private static final byte FILE = 1;

    /** The stored length of a chunk that was not complete. */
    private static final long INCOMPLETE = -1;

    static Tombstone of(ChunkDirectory.Entry entry, long millis) {
      ChunkHeader header = entry.header();
      OptionalLong length =
          header.complete() ? OptionalLong.of(header.length()) : OptionalLong.empty();
      return new Tombstone(millis, entry.ref(), length, header.cellMillis(), header.inFile());
    }

    private static Tombstone decode(ChunkRows.Found row) {
      ByteBuffer value = ByteBuffer.wrap(row.cell().requireStored());
      long millis = name(row.key()).getLong();
      ChunkRef ref = ChunkTombstones.ref(row.key());
      long length = value.getLong();
      return new Tombstone(
          millis,
          ref,
          length == INCOMPLETE ? OptionalLong.empty() : OptionalLong.of(length),
          value.getLong(),
          value.hasRemaining());
    }

    /** Returns true if the chunk may have a file. */
    boolean mayHaveFile() {
      return inFile || length.isEmpty();
    }

    private byte[] key() {
      byte[] name = new byte[2 * Long.BYTES];
      ByteBuffer.wrap(name).putLong(millis).putLong(Space.counter(ref.number()));
      return KeyCodec.encode(SPACE, Bytes.of(name), Bytes.EMPTY);
    }

    private byte[] value() {
      ByteBuffer value =
          ByteBuffer.allocate(inFile ? VALUE_BYTES + 1 : VALUE_BYTES)
              .putLong(length.orElse(INCOMPLETE))
              .putLong(cellMillis);
      return inFile ? value.put(FILE).array() : value.array();
    }
  }

  private final ChunkRows rows;

  ChunkTombstones(ChunkRows rows) {
    this.rows = rows;
  }

  CompletableFuture<Boolean> add(List<Tombstone> tombstones, Deadline deadline) {
    return rows.putAll(
        tombstones.stream()
            .map(tombstone -> rows.put(tombstone.key(), tombstone.millis, tombstone.value()))
            .toList(),
        deadline);
  }

  CompletableFuture<Boolean> remove(List<Tombstone> tombstones, Deadline deadline) {
    return rows.deleteAll(
        tombstones.stream()
            .map(tombstone -> rows.delete(tombstone.key(), tombstone.millis))
            .toList(),
        deadline);
  }

  /**
   * Returns the oldest tombstones.
   *
   * @param after only those after this one; null for all
   */
  CompletableFuture<List<Tombstone>> oldest(@Nullable Tombstone after, int max, Deadline deadline) {
    KeyInterval all = KeyInterval.ofSpace(SPACE);
    return Steps.map(
        rows.first(
            after == null ? all : all.from(Bytes.of(after.key()).successor()), max, deadline),
        found -> found.stream().map(Tombstone::decode).toList());
  }

  /** Returns the chunk in the key of a tombstone. */
  static ChunkRef ref(byte[] key) {
    return new ChunkRef(Space.number(SpaceKind.CHUNKS, name(key).getLong(Long.BYTES)));
  }

  /** Returns the time of the deletion and the counter of the chunk. */
  private static ByteBuffer name(byte[] key) {
    LentBytes name = new LentBytes();
    KeyCodec.lend(key, key.length, name, new LentBytes());
    return ByteBuffer.wrap(name.copy());
  }
}
