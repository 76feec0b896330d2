package io.lazuli.storage;

import java.util.Arrays;

/**
 * Bytes that an engine lends for the duration of one call: a window on one of its arrays. Copy them
 * to keep them. Mutable, owned by the engine.
 */
public final class LentBytes {
  private byte[] array = new byte[0];
  private int offset;
  private int length;

  /** Moves the window. Only engines call this. */
  public void lend(byte[] newArray, int newOffset, int newLength) {
    this.array = newArray;
    this.offset = newOffset;
    this.length = newLength;
  }

  /** Returns the array that holds the window, which must not be modified. */
  public byte[] array() {
    return array;
  }

  public int offset() {
    return offset;
  }

  public int length() {
    return length;
  }

  /** Returns a copy that the caller owns. */
  public byte[] copy() {
    return Arrays.copyOfRange(array, offset, offset + length);
  }

  /** Compares unsigned bytes, as {@link Bytes} does. */
  public int compareTo(Bytes other) {
    return Arrays.compareUnsigned(array, offset, offset + length, other.array(), 0, other.length());
  }

  /** Returns true if these bytes equal the others. */
  public boolean contentEquals(Bytes other) {
    return Arrays.equals(array, offset, offset + length, other.array(), 0, other.length());
  }
}
