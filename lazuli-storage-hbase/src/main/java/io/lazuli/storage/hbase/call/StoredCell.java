package io.lazuli.storage.hbase.call;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Objects;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.client.Result;
import org.jspecify.annotations.Nullable;

/**
 * What stands in one row: a record, a grave, or nothing. The stored value is eight bytes of
 * version, eight of write id, then the record. The version is the record's timestamp in ticks; in a
 * grave, which a delete leaves for an hour, its top bit is set.
 *
 * @param stored the whole value; null if there is no cell
 * @param millis the cell's own timestamp; 0 if there is no cell
 */
public record StoredCell(byte @Nullable [] stored, long millis) {
  /** Length of version and write id, which together never recur. */
  public static final int HEAD_BYTES = 16;

  public static final StoredCell ABSENT = new StoredCell(null, 0);

  private static final long TOMBSTONE = Long.MIN_VALUE;

  public static StoredCell of(Result result) {
    Cell cell = result.getColumnLatestCell(StoreTable.FAMILY, StoreTable.QUALIFIER);
    return cell == null ? ABSENT : of(cell);
  }

  public static StoredCell of(Cell cell) {
    int from = cell.getValueOffset();
    byte[] stored = Arrays.copyOfRange(cell.getValueArray(), from, from + cell.getValueLength());
    return new StoredCell(stored, cell.getTimestamp());
  }

  /** The bytes to store for a record. */
  public static byte[] encode(long version, long writeId, byte[] record) {
    byte[] stored = new byte[HEAD_BYTES + record.length];
    ByteBuffer.wrap(stored).putLong(version).putLong(writeId).put(record);
    return stored;
  }

  /** The bytes to store where a record was deleted. */
  public static byte[] encodeTombstone(long version, long writeId) {
    return encode(version | TOMBSTONE, writeId, new byte[0]);
  }

  /** The whole value of a cell that is there. */
  public byte[] requireStored() {
    return Objects.requireNonNull(stored, "there is no cell");
  }

  public boolean isRecord() {
    return stored != null && stored[0] >= 0;
  }

  /** The record; null if there is none. */
  public byte @Nullable [] value() {
    byte[] bytes = stored;
    return bytes != null && isRecord() ? Arrays.copyOfRange(bytes, HEAD_BYTES, bytes.length) : null;
  }

  /** The last timestamp in ticks that this row had, as far as it is known; 0 if it is not. */
  public long version() {
    return stored == null ? 0 : ByteBuffer.wrap(stored).getLong() & ~TOMBSTONE;
  }

  public boolean isWrittenBy(long writeId) {
    return stored != null && ByteBuffer.wrap(stored).getLong(Long.BYTES) == writeId;
  }

  /** Version and write id; null if there is no cell. */
  public byte @Nullable [] head() {
    return stored == null ? null : Arrays.copyOf(stored, HEAD_BYTES);
  }

  /** True if nobody wrote between the two looks. */
  public boolean isSameAs(StoredCell other) {
    return Arrays.equals(head(), other.head());
  }
}
