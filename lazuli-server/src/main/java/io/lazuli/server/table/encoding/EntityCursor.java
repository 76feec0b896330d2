package io.lazuli.server.table.encoding;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Moves over the properties of one stored entity without creating objects. Mutable, used by one
 * thread. {@link #reset} lets one cursor serve a whole scan. All offsets are indexes into {@link
 * #array}.
 *
 * <p>Layout of a record: format version (1 byte), timestamp ticks (8), number of properties (2);
 * then for each property: name length (2), type tag (1), value length (4), name, value. Numbers are
 * big-endian.
 */
public final class EntityCursor {
  static final int FORMAT_VERSION = 1;
  static final int TICKS_AT = 1;
  static final int COUNT_AT = 9;
  public static final int HEADER_BYTES = 11;
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

  /** Moves before the first property of a record. */
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

  /** Moves before the first property of the same record again. */
  public void rewind() {
    reset(array, start, end - start);
  }

  /** Returns the timestamp of the entity. */
  public long ticks() {
    return (long) LONG.get(array, start + TICKS_AT);
  }

  /** Returns the number of properties. */
  public int count() {
    return (short) SHORT.get(array, start + COUNT_AT) & 0xffff;
  }

  /** Moves to the next property. Returns false after the last one. */
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

  /** Returns a mark of the current property, for {@link #moveTo} on the same record. */
  public int mark() {
    return nameOffset - PROPERTY_HEADER_BYTES;
  }

  /**
   * Moves back to a marked property of this record. After that, {@link #next} returns false until a
   * rewind.
   */
  public void moveTo(int mark) {
    next = mark;
    remaining = 1;
    next();
  }

  /**
   * Moves to the property with the given name, searching from the start of the record. Returns
   * false if there is none.
   */
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

  /** Returns the tag of the property's type. */
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

  /** Returns the value of an Int64 or a DateTime, or the first half of a Guid. */
  public long longValue() {
    return (long) LONG.get(array, valueOffset());
  }

  /** Returns the second half of a Guid. */
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
