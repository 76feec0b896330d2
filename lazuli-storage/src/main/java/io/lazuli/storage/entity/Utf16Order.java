package io.lazuli.storage.entity;

/**
 * The ordinal order of UTF-16 for stored strings, which are UTF-8 that keeps unpaired surrogates.
 */
public final class Utf16Order {
  /** The first byte of U+D000 and above. */
  private static final int SURROGATES_FROM = 0xed;

  /** The first byte of a pair of surrogates. */
  private static final int PAIRS_FROM = 0xf0;

  private Utf16Order() {}

  /**
   * Compares two strings. The bytes are already in this order unless both characters are surrogates
   * or above: a pair (first byte F0 and above) sorts among the surrogates (ED), below U+E000–U+FFFF
   * (EE, EF).
   */
  public static int compare(byte[] a, int aFrom, int aLength, byte[] b, int bFrom, int bLength) {
    int at = ByteWindow.mismatch(a, aFrom, aLength, b, bFrom, bLength);
    if (at == aLength || at == bLength) {
      return aLength - bLength;
    }
    int x = a[aFrom + at] & 0xff;
    int y = b[bFrom + at] & 0xff;
    return x >= SURROGATES_FROM && y >= SURROGATES_FROM
        ? compareUnits(a, aFrom + at, aFrom + aLength, b, bFrom + at, bFrom + bLength)
        : x - y;
  }

  /** Compares from the first characters that differ; both are surrogates or above, or U+D000. */
  private static int compareUnits(byte[] a, int aFrom, int aTo, byte[] b, int bFrom, int bTo) {
    int left = point(a, aFrom);
    int right = point(b, bFrom);
    int order = firstUnit(left) - firstUnit(right);
    // Both begin with the same surrogate only if it is unpaired on one side.
    return order != 0 ? order : secondUnit(a, aFrom, aTo, left) - secondUnit(b, bFrom, bTo, right);
  }

  private static int firstUnit(int point) {
    return point > Character.MAX_VALUE ? Character.highSurrogate(point) : point;
  }

  /** Returns the unit after the first one; −1 at the end of the string. */
  private static int secondUnit(byte[] bytes, int at, int to, int point) {
    if (point > Character.MAX_VALUE) {
      return Character.lowSurrogate(point);
    }
    int next = at + bytes(bytes[at]);
    return next < to ? firstUnit(point(bytes, next)) : -1;
  }

  private static int bytes(byte first) {
    int b = first & 0xff;
    if (b < 0x80) {
      return 1;
    }
    if (b < 0xe0) {
      return 2;
    }
    return b < PAIRS_FROM ? 3 : 4;
  }

  private static int point(byte[] bytes, int at) {
    int b = bytes[at] & 0xff;
    switch (bytes(bytes[at])) {
      case 1:
        return b;
      case 2:
        return (b & 0x1f) << 6 | (bytes[at + 1] & 0x3f);
      case 3:
        return (b & 0x0f) << 12 | (bytes[at + 1] & 0x3f) << 6 | (bytes[at + 2] & 0x3f);
      default:
        return (b & 0x07) << 18
            | (bytes[at + 1] & 0x3f) << 12
            | (bytes[at + 2] & 0x3f) << 6
            | (bytes[at + 3] & 0x3f);
    }
  }
}
