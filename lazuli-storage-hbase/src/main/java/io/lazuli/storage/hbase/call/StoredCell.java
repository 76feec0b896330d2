package io.lazuli.storage.hbase.call;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Objects;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.client.Result;
import org.jspecify.annotations.Nullable;

/**
 * The content of one row: a record, a tombstone, or nothing. The stored value is eight bytes of
 * version, eight of write id, then the record. The version is the record's timestamp in ticks. A
 * delete leaves a tombstone for an hour; the top bit of its version is set.
 *
 * @param stored the whole value; null if there is no cell
 * @param millis the timestamp of the cell; 0 if there is no cell
 */
public record StoredCell(byte @Nullable [] stored, long millis) {
  /** The length of version and write id. No two writes have the same version and write id. */
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

  /** Returns the stored value of a record. */
  public static byte[] encode(long version, long writeId, byte[] record) {
    byte[] stored = new byte[HEAD_BYTES + record.length];
    ByteBuffer.wrap(stored).putLong(version).putLong(writeId).put(record);
    return stored;
  }

  /** Returns the stored value of a tombstone. */
  public static byte[] encodeTombstone(long version, long writeId) {
    return encode(version | TOMBSTONE, writeId, new byte[0]);
  }

  /** Returns the whole value. Throws if there is no cell. */
  public byte[] requireStored() {
    return Objects.requireNonNull(stored, "there is no cell");
  }

  public boolean isRecord() {
    return stored != null && stored[0] >= 0;
  }

  /** Returns the record; null if there is none. */
  public byte @Nullable [] value() {
    byte[] bytes = stored;
    return bytes != null && isRecord() ? Arrays.copyOfRange(bytes, HEAD_BYTES, bytes.length) : null;
  }

  /** Returns the last known timestamp of this row, in ticks; 0 if there is no cell. */
  public long version() {
    return stored == null ? 0 : ByteBuffer.wrap(stored).getLong() & ~TOMBSTONE;
  }

  public boolean isWrittenBy(long writeId) {
    return stored != null && writeId() == writeId;
  }

  /** Returns the write that stored the cell. Throws if there is no cell. */
  public long writeId() {
    return ByteBuffer.wrap(requireStored()).getLong(Long.BYTES);
  }

  /** Returns version and write id; null if there is no cell. */
  public byte @Nullable [] head() {
    return stored == null ? null : Arrays.copyOf(stored, HEAD_BYTES);
  }

  /** Returns true if nobody wrote to the row between the two reads. */
  public boolean isSameAs(StoredCell other) {
    return Arrays.equals(head(), other.head());
  }
}
