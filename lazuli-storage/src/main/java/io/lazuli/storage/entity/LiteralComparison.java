package io.lazuli.storage.entity;

import java.io.DataInputStream;
import java.io.IOException;

/**
 * Compares stored values with one literal, on the bytes of the record. It knows the order of each
 * type, but not which types can be compared: the encoded form says so.
 *
 * <p>Encoded form: the accepted orders (1; see {@link #accepts}), the tags of the types that can be
 * compared with the literal (2; a bit for each), the literal as integer, Boolean, DateTime or first
 * half of a Guid (8), as second half of a Guid (8), as Double (8), and as bytes (length 4, bytes).
 */
public final class LiteralComparison {
  /** The comparison holds if the value is less, equal, or greater. */
  public static final int LESS = 1;

  public static final int EQUAL = 1 << 1;
  public static final int GREATER = 1 << 2;

  /** The comparison holds if value and literal cannot be compared. */
  public static final int MISMATCH = 1 << 3;

  /** The comparison holds if the value or the literal is not a number. */
  public static final int NOT_A_NUMBER = 1 << 4;

  static final int STRING = 1;
  static final int INT32 = 2;
  static final int INT64 = 3;
  static final int DOUBLE = 4;
  static final int BOOLEAN = 5;
  static final int DATE_TIME = 6;
  static final int GUID = 7;
  static final int BINARY = 8;

  private final int orders;
  private final int comparable;
  private final long number;
  private final long secondNumber;
  private final double real;
  private final byte[] bytes;

  private LiteralComparison(
      int orders, int comparable, long number, long secondNumber, double real, byte[] bytes) {
    this.orders = orders;
    this.comparable = comparable;
    this.number = number;
    this.secondNumber = secondNumber;
    this.real = real;
    this.bytes = bytes;
  }

  static LiteralComparison read(DataInputStream in) throws IOException {
    return new LiteralComparison(
        in.readByte(),
        in.readUnsignedShort(),
        in.readLong(),
        in.readLong(),
        in.readDouble(),
        readBytes(in));
  }

  static byte[] readBytes(DataInputStream in) throws IOException {
    int length = in.readInt();
    if (length < 0 || length > in.available()) {
      throw new IllegalArgumentException("a literal of " + length + " bytes");
    }
    byte[] bytes = new byte[length];
    in.readFully(bytes);
    return bytes;
  }

  /** Returns true if an order, the result of a comparator, is among the accepted ones. */
  static boolean accepts(int orders, int order) {
    return (orders & LESS << (Integer.signum(order) + 1)) != 0;
  }

  /** Returns true if the comparison holds for the property at the cursor. */
  boolean holds(EntityCursor property) {
    int tag = property.tag();
    if (tag < STRING || tag > BINARY) {
      throw new IllegalStateException("unknown type tag: " + tag);
    }
    if ((comparable & 1 << tag) == 0) {
      return (orders & MISMATCH) != 0;
    }
    return tag == DOUBLE ? holds(property.doubleValue()) : accepts(orders, order(tag, property));
  }

  private int order(int tag, EntityCursor property) {
    switch (tag) {
      case STRING:
        return Utf16Order.compare(
            property.array(),
            property.valueOffset(),
            property.valueLength(),
            bytes,
            0,
            bytes.length);
      case INT32:
        return Long.compare(property.intValue(), number);
      case BOOLEAN:
        return Boolean.compare(property.booleanValue(), number != 0);
      case GUID:
        return orderOfGuid(property);
      case BINARY:
        return ByteWindow.compare(
            property.array(),
            property.valueOffset(),
            property.valueLength(),
            bytes,
            0,
            bytes.length);
      default:
        return Long.compare(property.longValue(), number);
    }
  }

  /** Returns true if the comparison holds for a timestamp. */
  boolean holdsForTicks(long ticks) {
    return (comparable & 1 << DATE_TIME) == 0
        ? (orders & MISMATCH) != 0
        : accepts(orders, Long.compare(ticks, number));
  }

  /**
   * Compares as IEEE 754 does, unlike {@link Double#compare}: NaN equals nothing, and the two zeros
   * are equal.
   */
  private boolean holds(double value) {
    if (Double.isNaN(value) || Double.isNaN(real)) {
      return (orders & NOT_A_NUMBER) != 0;
    }
    int notAbove = value < real ? -1 : 0;
    return accepts(orders, value > real ? 1 : notAbove);
  }

  /**
   * Compares in the order of the printed text, which is the order of the printed bytes. The order
   * of {@code UUID} is different.
   */
  private int orderOfGuid(EntityCursor property) {
    int first = Long.compareUnsigned(property.longValue(), number);
    return first != 0 ? first : Long.compareUnsigned(property.secondLongValue(), secondNumber);
  }
}
