package io.lazuli.storage.entity;

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
  public static final int FORMAT_VERSION = 1;
  public static final int TICKS_AT = 1;
  public static final int COUNT_AT = 9;
  public static final int HEADER_BYTES = 11;
  public static final int PROPERTY_HEADER_BYTES = 7;

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
    remaining = unsignedShort(newArray, offset + COUNT_AT);
    return this;
  }

  /** Moves before the first property of the same record again. */
  public void rewind() {
    reset(array, start, end - start);
  }

  /** Returns the timestamp of the entity. */
  public long ticks() {
    return longAt(array, start + TICKS_AT);
  }

  /** Returns the number of properties. */
  public int count() {
    return unsignedShort(array, start + COUNT_AT);
  }

  /**
   * Moves to the next property. Returns false after the last one. Throws if the property does not
   * lie within the record.
   */
  public boolean next() {
    if (remaining == 0) {
      return false;
    }
    remaining--;
    nameLength = unsignedShort(array, next);
    tag = array[next + 2];
    valueLength = intAt(array, next + 3);
    nameOffset = next + PROPERTY_HEADER_BYTES;
    next = nameOffset + nameLength + valueLength;
    if (valueLength < 0 || next < nameOffset || next > end) {
      throw new IllegalStateException("the record of an entity is damaged");
    }
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
    if (nameLength != name.length) {
      return false;
    }
    for (int i = 0; i < nameLength; i++) {
      if (array[nameOffset + i] != name[i]) {
        return false;
      }
    }
    return true;
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
    return intAt(array, valueOffset());
  }

  /** Returns the value of an Int64 or a DateTime, or the first half of a Guid. */
  public long longValue() {
    return longAt(array, valueOffset());
  }

  /** Returns the second half of a Guid. */
  public long secondLongValue() {
    return longAt(array, valueOffset() + 8);
  }

  public double doubleValue() {
    return Double.longBitsToDouble(longValue());
  }

  public boolean booleanValue() {
    return array[valueOffset()] != 0;
  }

  private static int unsignedShort(byte[] bytes, int at) {
    return (bytes[at] & 0xff) << 8 | (bytes[at + 1] & 0xff);
  }

  private static int intAt(byte[] bytes, int at) {
    return unsignedShort(bytes, at) << 16 | unsignedShort(bytes, at + 2);
  }

  private static long longAt(byte[] bytes, int at) {
    return (long) intAt(bytes, at) << 32 | (intAt(bytes, at + 4) & 0xffffffffL);
  }
}
