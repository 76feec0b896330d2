package io.lazuli.storage;

import java.util.Arrays;
import java.util.HexFormat;

/**
 * An immutable string of bytes, ordered as unsigned bytes, a prefix first. The arrays that go in
 * and come out are shared, not copied: nobody may write to them.
 */
public final class Bytes implements Comparable<Bytes> {
  /** No bytes at all: the lowest value. */
  public static final Bytes EMPTY = new Bytes(new byte[0]);

  private final byte[] array;

  private Bytes(byte[] array) {
    this.array = array;
  }

  /** Wraps the array, which from now on belongs to the result. */
  public static Bytes of(byte[] array) {
    return array.length == 0 ? EMPTY : new Bytes(array);
  }

  /** Returns the array itself, which must not be modified. */
  public byte[] array() {
    return array;
  }

  public int length() {
    return array.length;
  }

  /** Returns the lowest value above this one: these bytes followed by a zero. */
  public Bytes successor() {
    return new Bytes(Arrays.copyOf(array, array.length + 1));
  }

  @Override
  public int compareTo(Bytes other) {
    return Arrays.compareUnsigned(array, other.array);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Bytes that && Arrays.equals(array, that.array);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(array);
  }

  @Override
  public String toString() {
    return HexFormat.of().formatHex(array);
  }
}
