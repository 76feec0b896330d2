package io.lazuli.server.table.encoding;

import java.util.Arrays;

/**
 * Encodes text in two variants of UTF-8 that, unlike UTF-8 itself, can represent every Java string.
 *
 * <p><b>Keys</b> are CESU-8: each UTF-16 unit is encoded on its own, surrogates as three bytes.
 * Their byte order is therefore the ordinal order of UTF-16, in which the service compares keys.
 * <b>Values</b> are UTF-8, except that an unpaired surrogate is encoded as three bytes. Their byte
 * order differs from the UTF-16 order where surrogates are compared with U+E000–U+FFFF; {@code
 * LiteralComparison} compares them in that of UTF-16.
 */
public final class Utf8 {
  private Utf8() {}

  /** Encodes a key as CESU-8. */
  public static byte[] encodeKey(String text) {
    return encode(text, false);
  }

  /** Encodes a value or a property name as UTF-8 that keeps unpaired surrogates. */
  public static byte[] encodeValue(String text) {
    return encode(text, true);
  }

  /** Decodes either variant; bytes that encode surrogates become surrogates again. */
  public static String decode(byte[] bytes, int offset, int length) {
    char[] chars = new char[length];
    int count = 0;
    int end = offset + length;
    int at = offset;
    while (at < end) {
      int b = bytes[at];
      if (b >= 0) {
        chars[count++] = (char) b;
        at++;
      } else if ((b & 0xe0) == 0xc0) {
        chars[count++] = (char) ((b & 0x1f) << 6 | (bytes[at + 1] & 0x3f));
        at += 2;
      } else if ((b & 0xf0) == 0xe0) {
        chars[count++] =
            (char) ((b & 0x0f) << 12 | (bytes[at + 1] & 0x3f) << 6 | (bytes[at + 2] & 0x3f));
        at += 3;
      } else {
        int point =
            (b & 0x07) << 18
                | (bytes[at + 1] & 0x3f) << 12
                | (bytes[at + 2] & 0x3f) << 6
                | (bytes[at + 3] & 0x3f);
        chars[count++] = Character.highSurrogate(point);
        chars[count++] = Character.lowSurrogate(point);
        at += 4;
      }
    }
    return new String(chars, 0, count);
  }

  /** Returns true if the bytes are an encoded key, so that decoding loses nothing. */
  public static boolean isKey(byte[] bytes) {
    int at = 0;
    while (at < bytes.length) {
      int length = unitLength(bytes[at]);
      if (length == 0 || at + length > bytes.length) {
        return false;
      }
      for (int i = at + 1; i < at + length; i++) {
        if ((bytes[i] & 0xc0) != 0x80) {
          return false;
        }
      }
      at += length;
    }
    return true;
  }

  /** Returns the number of bytes of a unit in a key; 0 if no unit begins with this byte. */
  private static int unitLength(byte first) {
    if (first >= 0) {
      return 1;
    }
    if ((first & 0xe0) == 0xc0) {
      return 2;
    }
    return (first & 0xf0) == 0xe0 ? 3 : 0;
  }

  /** Returns the number of UTF-16 units that the bytes encode. */
  public static int utf16Length(byte[] bytes, int offset, int length) {
    int units = 0;
    for (int i = offset; i < offset + length; i++) {
      int b = bytes[i] & 0xff;
      if ((b & 0xc0) != 0x80) {
        units += b >= 0xf0 ? 2 : 1;
      }
    }
    return units;
  }

  private static byte[] encode(String text, boolean joinSurrogates) {
    int length = text.length();
    byte[] bytes = new byte[length];
    int at = 0;
    while (at < length && text.charAt(at) < 0x80) {
      bytes[at] = (byte) text.charAt(at);
      at++;
    }
    return at == length ? bytes : encodeRest(text, at, bytes, joinSurrogates);
  }

  private static byte[] encodeRest(String text, int ascii, byte[] head, boolean joinSurrogates) {
    byte[] bytes = Arrays.copyOf(head, ascii + (text.length() - ascii) * 3);
    int out = ascii;
    for (int i = ascii; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c < 0x80) {
        bytes[out++] = (byte) c;
      } else if (c < 0x800) {
        bytes[out++] = (byte) (0xc0 | c >> 6);
        bytes[out++] = (byte) (0x80 | (c & 0x3f));
      } else if (joinSurrogates && isPair(text, i)) {
        out = putPoint(Character.toCodePoint(c, text.charAt(++i)), bytes, out);
      } else {
        bytes[out++] = (byte) (0xe0 | c >> 12);
        bytes[out++] = (byte) (0x80 | (c >> 6 & 0x3f));
        bytes[out++] = (byte) (0x80 | (c & 0x3f));
      }
    }
    return Arrays.copyOf(bytes, out);
  }

  private static boolean isPair(String text, int at) {
    return Character.isHighSurrogate(text.charAt(at))
        && at + 1 < text.length()
        && Character.isLowSurrogate(text.charAt(at + 1));
  }

  private static int putPoint(int point, byte[] bytes, int at) {
    bytes[at] = (byte) (0xf0 | point >> 18);
    bytes[at + 1] = (byte) (0x80 | (point >> 12 & 0x3f));
    bytes[at + 2] = (byte) (0x80 | (point >> 6 & 0x3f));
    bytes[at + 3] = (byte) (0x80 | (point & 0x3f));
    return at + 4;
  }
}
