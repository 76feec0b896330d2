package io.lazuli.hbase;

import io.lazuli.storage.entity.EntityCondition;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.exceptions.DeserializationException;
import org.apache.hadoop.hbase.filter.FilterBase;

/**
 * Leaves out the rows of entities that do not meet a condition, and tombstones. The name carries
 * the version of the records and of the encoded condition: a region server that knows only other
 * versions refuses the scan, and the client then reads all rows.
 *
 * <p>It only saves work. The client checks each row again, so what the filter cannot decide, such
 * as a damaged record, is sent. After a number of matches it sends every row, because the client
 * asks for the key at which the next page begins. One object serves one scanner of a region.
 */
public final class EntityFilterV1 extends FilterBase {
  /** The bytes of a stored value before the record: its version and its write. */
  private static final int HEAD_BYTES = 16;

  /** The bytes of a row before the partition: the number of the space. */
  private static final int SPACE_BYTES = 9;

  private static final byte END = 0;
  private static final byte ESCAPE = 1;

  private final int matchesMax;
  private final byte[] encoded;
  private final EntityCondition condition;
  private int matches;

  /**
   * @param encoded the condition in the form that {@link EntityCondition} reads
   * @param matchesMax the number of matches after which every row is sent
   */
  public EntityFilterV1(byte[] encoded, int matchesMax) {
    this.matchesMax = matchesMax;
    this.encoded = encoded.clone();
    this.condition = EntityCondition.parse(encoded);
  }

  /** Reads a filter that {@link #toByteArray} wrote. HBase calls this by its name. */
  public static EntityFilterV1 parseFrom(byte[] bytes) throws DeserializationException {
    if (bytes.length < Integer.BYTES) {
      throw new DeserializationException("not a filter of " + EntityFilterV1.class.getName());
    }
    try {
      return new EntityFilterV1(
          Arrays.copyOfRange(bytes, Integer.BYTES, bytes.length), ByteBuffer.wrap(bytes).getInt());
    } catch (IllegalArgumentException e) {
      throw new DeserializationException(e);
    }
  }

  @Override
  public byte[] toByteArray() {
    return ByteBuffer.allocate(Integer.BYTES + encoded.length)
        .putInt(matchesMax)
        .put(encoded)
        .array();
  }

  @Override
  public ReturnCode filterCell(Cell cell) {
    int length = cell.getValueLength();
    // A copy if the cell is not on the heap, so this is asked once.
    byte[] value = cell.getValueArray();
    int offset = cell.getValueOffset();
    if (length < HEAD_BYTES) {
      return ReturnCode.INCLUDE;
    }
    if (value[offset] < 0) {
      return ReturnCode.SKIP;
    }
    if (matches >= matchesMax) {
      return ReturnCode.INCLUDE;
    }
    if (!mayMatch(cell, value, offset + HEAD_BYTES, length - HEAD_BYTES)) {
      return ReturnCode.SKIP;
    }
    matches++;
    return ReturnCode.INCLUDE;
  }

  /** The client reports damage, so a record that cannot be read must reach it. */
  private boolean mayMatch(Cell cell, byte[] value, int offset, int length) {
    try {
      if (condition.comparesKeys()) {
        lendKeys(cell);
      }
      return condition.test(value, offset, length);
    } catch (IllegalStateException | IndexOutOfBoundsException e) {
      return true;
    }
  }

  private void lendKeys(Cell cell) {
    byte[] row = cell.getRowArray();
    int from = cell.getRowOffset() + SPACE_BYTES;
    int to = cell.getRowOffset() + cell.getRowLength();
    int end = from;
    int escapes = 0;
    while (end < to && row[end] != END) {
      boolean escape = row[end] == ESCAPE;
      escapes += escape ? 1 : 0;
      end += escape ? 2 : 1;
    }
    if (end >= to) {
      throw new IllegalStateException("not a record key");
    }
    if (escapes == 0) {
      condition.partition(row, from, end - from);
    } else {
      byte[] name = unescaped(row, from, end, escapes);
      condition.partition(name, 0, name.length);
    }
    condition.row(row, end + 1, to - end - 1);
  }

  private static byte[] unescaped(byte[] row, int from, int end, int escapes) {
    byte[] name = new byte[end - from - escapes];
    int length = 0;
    for (int at = from; at < end; at++) {
      name[length++] = row[at] == ESCAPE ? (byte) (row[++at] - 1) : row[at];
    }
    return name;
  }
}
