package io.lazuli.storage.entity;

/** A window on bytes of somebody else. Mutable, used by one thread. */
final class ByteWindow {
  private byte[] array = new byte[0];
  private int offset;
  private int length;

  void show(byte[] newArray, int newOffset, int newLength) {
    array = newArray;
    offset = newOffset;
    length = newLength;
  }

  /** Compares unsigned bytes. */
  int compareTo(byte[] other) {
    return compare(array, offset, length, other, 0, other.length);
  }

  /** Compares unsigned bytes; the JDK has no such method before Java 9. */
  static int compare(byte[] a, int aFrom, int aLength, byte[] b, int bFrom, int bLength) {
    int at = mismatch(a, aFrom, aLength, b, bFrom, bLength);
    return at == aLength || at == bLength
        ? aLength - bLength
        : (a[aFrom + at] & 0xff) - (b[bFrom + at] & 0xff);
  }

  /** Returns the length of the common prefix. */
  static int mismatch(byte[] a, int aFrom, int aLength, byte[] b, int bFrom, int bLength) {
    int shorter = Math.min(aLength, bLength);
    int at = 0;
    while (at < shorter && a[aFrom + at] == b[bFrom + at]) {
      at++;
    }
    return at;
  }
}
