package io.lazuli.storage.hbase;

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
record StoredCell(byte @Nullable [] stored, long millis) {
  /** Length of version and write id, which together never recur. */
  static final int HEAD_BYTES = 16;

  static final StoredCell ABSENT = new StoredCell(null, 0);

  private static final long GRAVE = Long.MIN_VALUE;

  static StoredCell of(Result result) {
    Cell cell = result.getColumnLatestCell(StoreTable.FAMILY, StoreTable.QUALIFIER);
    return cell == null ? ABSENT : of(cell);
  }

  static StoredCell of(Cell cell) {
    int from = cell.getValueOffset();
    byte[] stored = Arrays.copyOfRange(cell.getValueArray(), from, from + cell.getValueLength());
    return new StoredCell(stored, cell.getTimestamp());
  }

  /** The bytes to store for a record. */
  static byte[] encode(long version, long writeId, byte[] record) {
    byte[] stored = new byte[HEAD_BYTES + record.length];
    ByteBuffer.wrap(stored).putLong(version).putLong(writeId).put(record);
    return stored;
  }

  /** The bytes to store where a record was deleted. */
  static byte[] encodeGrave(long version, long writeId) {
    return encode(version | GRAVE, writeId, new byte[0]);
  }

  /** The whole value of a cell that is there. */
  byte[] requireStored() {
    return Objects.requireNonNull(stored, "there is no cell");
  }

  boolean isRecord() {
    return stored != null && stored[0] >= 0;
  }

  /** The record; null if there is none. */
  byte @Nullable [] value() {
    byte[] bytes = stored;
    return bytes != null && isRecord() ? Arrays.copyOfRange(bytes, HEAD_BYTES, bytes.length) : null;
  }

  /** The last timestamp in ticks that this row had, as far as it is known; 0 if it is not. */
  long version() {
    return stored == null ? 0 : ByteBuffer.wrap(stored).getLong() & ~GRAVE;
  }

  boolean isWrittenBy(long writeId) {
    return stored != null && ByteBuffer.wrap(stored).getLong(Long.BYTES) == writeId;
  }

  /** Version and write id; null if there is no cell. */
  byte @Nullable [] head() {
    return stored == null ? null : Arrays.copyOf(stored, HEAD_BYTES);
  }

  /** True if nobody wrote between the two looks. */
  boolean isSameAs(StoredCell other) {
    return Arrays.equals(head(), other.head());
  }
}
