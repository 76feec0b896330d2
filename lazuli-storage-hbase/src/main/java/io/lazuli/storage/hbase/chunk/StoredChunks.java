package io.lazuli.storage.hbase.chunk;

import io.lazuli.storage.Bytes;
import io.lazuli.storage.ChunkRef;
import io.lazuli.storage.Space;
import io.lazuli.storage.SpaceKind;
import io.lazuli.storage.hbase.call.StoredCell;
import io.lazuli.storage.keys.KeyInterval;
import java.util.Arrays;
import java.util.Optional;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;

/** The rows of chunks, for cuts, which read and write them without the engine. */
public final class StoredChunks {
  public static final int CELL_BYTES = ChunkCells.CELL_BYTES;

  /** The rows of all headers, in the order of the chunks' counters. */
  public static final KeyInterval HEADERS = KeyInterval.ofSpace(Space.number(SpaceKind.CHUNKS, 0));

  /** The rows of all tombstones. */
  public static final KeyInterval TOMBSTONES =
      KeyInterval.ofSpace(Space.number(SpaceKind.CHUNKS, 0) + 1);

  /**
   * A complete chunk.
   *
   * @param stored its header as it is stored
   * @param millis the timestamp of the header
   * @param cellMillis the timestamp of its cells
   * @param checksums the checksums of its pieces if it is in a file; otherwise empty
   */
  public record Complete(
      ChunkRef ref,
      byte[] stored,
      long millis,
      long ticks,
      long length,
      long cellMillis,
      Bytes checksums) {
    public boolean inFile() {
      return checksums.length() > 0;
    }

    /** Returns the number of its pieces. */
    public long cells() {
      return ChunkCells.count(length);
    }
  }

  private StoredChunks() {}

  /** Returns the chunk of a header; empty if it is not complete. */
  public static Optional<Complete> complete(Cell header) {
    StoredCell cell = StoredCell.of(header);
    return cell.isRecord()
        ? complete(
            ChunkDirectory.ref(CellUtil.cloneRow(header)), cell.requireStored(), cell.millis())
        : Optional.empty();
  }

  /** Returns the chunk of a header; empty if it is not complete. */
  public static Optional<Complete> complete(ChunkRef ref, byte[] stored, long millis) {
    ChunkHeader header = header(stored);
    return header.complete()
        ? Optional.of(
            new Complete(
                ref,
                stored,
                millis,
                header.ticks(),
                header.length(),
                header.cellMillis(),
                header.checksums()))
        : Optional.empty();
  }

  /**
   * Returns the header of a chunk, as it is stored, after its bytes were written elsewhere.
   *
   * @param checksums the checksums of its pieces in a file; empty if it is in cells
   */
  public static byte[] moved(Complete chunk, Bytes checksums) {
    ChunkHeader header = header(chunk.stored);
    byte[] encoded = header.completed(header.ticks(), header.length(), checksums).encode();
    byte[] stored = Arrays.copyOf(chunk.stored, StoredCell.HEAD_BYTES + encoded.length);
    System.arraycopy(encoded, 0, stored, StoredCell.HEAD_BYTES, encoded.length);
    return stored;
  }

  private static ChunkHeader header(byte[] stored) {
    return ChunkHeader.decode(Arrays.copyOfRange(stored, StoredCell.HEAD_BYTES, stored.length));
  }

  /** Returns the chunk that a tombstone is about. */
  public static ChunkRef deleted(Cell tombstone) {
    return ChunkTombstones.ref(CellUtil.cloneRow(tombstone));
  }

  /** Returns the key of a header. */
  public static byte[] headerKey(ChunkRef ref) {
    return ChunkDirectory.key(ref);
  }

  /** Returns the key of a cell. */
  public static byte[] cellKey(ChunkRef ref, long index) {
    return ChunkCells.key(ref, index);
  }
}
