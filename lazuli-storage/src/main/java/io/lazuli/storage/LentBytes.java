package io.lazuli.storage;

import java.util.Arrays;

/**
 * Bytes that an engine lends for the length of one call: a window on an array of the engine.
 * Whoever wants to keep them copies them. Mutable, owned by the engine that lends it.
 */
public final class LentBytes {
  private byte[] array = new byte[0];
  private int offset;
  private int length;

  /** For engines: shows another window. */
  public void lend(byte[] newArray, int newOffset, int newLength) {
    this.array = newArray;
    this.offset = newOffset;
    this.length = newLength;
  }

  /** The array that holds the window; read only. */
  public byte[] array() {
    return array;
  }

  public int offset() {
    return offset;
  }

  public int length() {
    return length;
  }

  /** A copy that the caller owns. */
  public byte[] copy() {
    return Arrays.copyOfRange(array, offset, offset + length);
  }

  /** Compares as {@link Bytes} do. */
  public int compareTo(Bytes other) {
    return Arrays.compareUnsigned(array, offset, offset + length, other.array(), 0, other.length());
  }

  /** True if the bytes are the same. */
  public boolean contentEquals(Bytes other) {
    return Arrays.equals(array, offset, offset + length, other.array(), 0, other.length());
  }
}
