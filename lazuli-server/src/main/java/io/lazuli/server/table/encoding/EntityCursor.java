package io.lazuli.server.table.encoding;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Walks over the properties of one stored entity without building objects. Mutable, used by one
 * thread; {@link #reset} lets one cursor serve a whole scan. All offsets are into {@link #array}.
 *
 * <p>A record is: format version (1 byte), timestamp ticks (8), property count (2); then for each
 * property: name length (2), type tag (1), value length (4), name, value. Numbers are big-endian.
 */
public final class EntityCursor {
  static final int FORMAT_VERSION = 1;
  static final int TICKS_AT = 1;
  static final int COUNT_AT = 9;
  static final int HEADER_BYTES = 11;
  static final int PROPERTY_HEADER_BYTES = 7;

  static final VarHandle SHORT =
      MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.BIG_ENDIAN);
  static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
  static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  private byte[] array = new byte[0];
  private int start;
  private int end;
  private int next;
  private int remaining;
  private int nameOffset;
  private int nameLength;
  private int tag;
  private int valueLength;

  public EntityCursor() {}

  /** Points before the first property of a record. */
  public EntityCursor reset(byte[] newArray, int offset, int length) {
    if (length < HEADER_BYTES || newArray[offset] != FORMAT_VERSION) {
      throw new IllegalStateException("not an entity record of a known format");
    }
    array = newArray;
    start = offset;
    end = offset + length;
    next = offset + HEADER_BYTES;
    remaining = (short) SHORT.get(newArray, offset + COUNT_AT) & 0xffff;
    return this;
  }

  /** Points before the first property of the same record again. */
  public void rewind() {
    reset(array, start, end - start);
  }

  /** The entity's timestamp. */
  public long ticks() {
    return (long) LONG.get(array, start + TICKS_AT);
  }

  /** How many properties the record has. */
  public int count() {
    return (short) SHORT.get(array, start + COUNT_AT) & 0xffff;
  }

  /** Goes to the next property; false behind the last. */
  public boolean next() {
    if (remaining == 0) {
      return false;
    }
    remaining--;
    nameLength = (short) SHORT.get(array, next) & 0xffff;
    tag = array[next + 2];
    valueLength = (int) INT.get(array, next + 3);
    nameOffset = next + PROPERTY_HEADER_BYTES;
    next = nameOffset + nameLength + valueLength;
    return true;
  }

  /** Where the property begins; {@link #moveTo} comes back to it while this record is shown. */
  public int mark() {
    return nameOffset - PROPERTY_HEADER_BYTES;
  }

  /** Goes back to a property of this record. {@link #next} goes on only after a rewind. */
  public void moveTo(int mark) {
    next = mark;
    remaining = 1;
    next();
  }

  /** Goes to the property of that name, from the start of the record; false if it has none. */
  public boolean find(byte[] name) {
    rewind();
    while (next()) {
      if (nameEquals(name)) {
        return true;
      }
    }
    return false;
  }

  public boolean nameEquals(byte[] name) {
    return nameLength == name.length
        && Arrays.equals(array, nameOffset, nameOffset + nameLength, name, 0, name.length);
  }

  public byte[] array() {
    return array;
  }

  public int nameOffset() {
    return nameOffset;
  }

  public int nameLength() {
    return nameLength;
  }

  /** The tag of the property's type. */
  public int tag() {
    return tag;
  }

  public int valueOffset() {
    return nameOffset + nameLength;
  }

  public int valueLength() {
    return valueLength;
  }

  public int intValue() {
    return (int) INT.get(array, valueOffset());
  }

  /** The value of an Int64 or a DateTime, or the first half of a Guid. */
  public long longValue() {
    return (long) LONG.get(array, valueOffset());
  }

  /** The second half of a Guid. */
  public long secondLongValue() {
    return (long) LONG.get(array, valueOffset() + 8);
  }

  public double doubleValue() {
    return Double.longBitsToDouble(longValue());
  }

  public boolean booleanValue() {
    return array[valueOffset()] != 0;
  }
}
