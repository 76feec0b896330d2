package io.lazuli.server.requestlog;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * A buffer for one log line in UTF-8. It is reused for every line, because every logged request
 * writes one. Mutable, used by one thread.
 */
final class LineBytes {
  private static final int KEPT_BYTES_MAX = 16 << 10;

  /** The number of digits of the largest {@code long}. */
  private static final int DIGITS_MAX = 19;

  /** The length of the longest escape, which is longer than any character in UTF-8. */
  private static final int CHARACTER_BYTES_MAX = 6;

  /** Characters that are written as they are. */
  private static final boolean[] PLAIN = new boolean[128];

  static {
    Arrays.fill(PLAIN, true);
    "&<>\"\n\r".chars().forEach(c -> PLAIN[c] = false);
  }

  private static final VarHandle WORD =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final long ONES = 0x0101010101010101L;
  private static final long HIGHS = 0x8080808080808080L;

  private byte[] bytes = new byte[KEPT_BYTES_MAX];
  private int length;

  void clear() {
    length = 0;
    if (bytes.length > KEPT_BYTES_MAX) {
      bytes = new byte[KEPT_BYTES_MAX];
    }
  }

  int length() {
    return length;
  }

  void copyTo(byte[] target, int at) {
    System.arraycopy(bytes, 0, target, at, length);
  }

  /** Adds an ASCII character. */
  LineBytes add(char c) {
    reserve(1);
    bytes[length++] = (byte) c;
    return this;
  }

  /** Adds a text of ASCII characters. */
  LineBytes add(String text) {
    return add(text, 0, text.length());
  }

  /** Adds a part of a text of ASCII characters. */
  // getBytes is deprecated because it drops the high byte of each character, which is 0 in ASCII.
  @SuppressWarnings("deprecation")
  LineBytes add(String text, int from, int to) {
    reserve(to - from);
    text.getBytes(from, to, bytes, length);
    length += to - from;
    return this;
  }

  /** Adds a number, which must not be negative. */
  LineBytes add(long number) {
    if (number < 10) {
      return add((char) ('0' + number));
    }
    int digits = 1;
    for (long limit = 10; number >= limit && digits < DIGITS_MAX; limit *= 10) {
      digits++;
    }
    return addDigits(number, digits);
  }

  /** Adds the last digits of a number, with leading zeros if it has fewer. */
  LineBytes addDigits(long number, int digits) {
    reserve(digits);
    length += digits;
    long rest = number;
    for (int at = length - 1; at >= length - digits; at--) {
      bytes[at] = (byte) ('0' + rest % 10);
      rest /= 10;
    }
    return this;
  }

  /**
   * Adds text in quotes, with escapes for characters that would end the field; nothing if it is
   * empty.
   */
  LineBytes addQuoted(String text) {
    return text.isEmpty() ? this : add('"').addEscaped(text).add('"');
  }

  /** Adds text, with escapes for characters that would end the field. */
  LineBytes addEscaped(String text) {
    reserve(text.length() * CHARACTER_BYTES_MAX);
    byte[] to = bytes;
    int at = length;
    int i = 0;
    while (i < text.length() && isPlain(text.charAt(i))) {
      to[at++] = (byte) text.charAt(i++);
    }
    length = at;
    return i == text.length() ? this : addRest(text.substring(i));
  }

  private static boolean isPlain(char c) {
    return c < PLAIN.length && PLAIN[c];
  }

  /**
   * Like {@link #addQuoted}, for text from a request, in which each character stands for one byte.
   */
  LineBytes addQuotedWire(String text) {
    return text.isEmpty() ? this : add('"').addWire(text).add('"');
  }

  /**
   * Like {@link #addEscaped}, for text from a request, in which each character stands for one byte.
   * Most text needs no escapes, so that case is fast.
   */
  LineBytes addWire(String text) {
    int from = length;
    reserve(text.length() + Long.BYTES);
    add(text);
    // The loop reads whole words, so up to seven bytes after the text must be plain too.
    WORD.set(bytes, length, 0L);
    for (int at = from; at < length; at += Long.BYTES) {
      if (!arePlain((long) WORD.get(bytes, at))) {
        length = from;
        return addEscaped(decoded(text));
      }
    }
    return this;
  }

  /**
   * Decodes UTF-8, which most clients send for characters that are not ASCII. Returns other text
   * unchanged.
   */
  private static String decoded(String wire) {
    ByteBuffer raw = ByteBuffer.wrap(wire.getBytes(StandardCharsets.ISO_8859_1));
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(raw).toString();
    } catch (CharacterCodingException e) {
      return wire;
    }
  }

  /**
   * Returns true if eight bytes need no escape: all are ASCII, and none is an ampersand, a quote,
   * an angle bracket or a control character from 8 to 15. May also return false for other bytes,
   * which only costs time.
   */
  private static boolean arePlain(long word) {
    long found =
        word
            | zeros(word ^ '&' * ONES)
            | zeros(word ^ '"' * ONES)
            | zeros((word & ~(2 * ONES)) ^ '<' * ONES)
            | zeros((word & ~(7 * ONES)) ^ 8 * ONES);
    return (found & HIGHS) == 0;
  }

  /** Sets the highest bit of each byte that is zero, provided that all bytes are ASCII. */
  private static long zeros(long word) {
    return (word - ONES) & ~word;
  }

  /** Adds the rest of a text, which begins with the first character that is not plain. */
  private LineBytes addRest(String text) {
    for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
      if (b < 0 || PLAIN[b]) {
        bytes[length++] = b;
      } else {
        add(escape(b));
      }
    }
    return this;
  }

  private static String escape(byte b) {
    return switch (b) {
      case '&' -> "&amp;";
      case '<' -> "&lt;";
      case '>' -> "&gt;";
      case '"' -> "&quot;";
      case '\n' -> "&#10;";
      default -> "&#13;";
    };
  }

  private void reserve(int more) {
    if (bytes.length - length < more) {
      bytes = Arrays.copyOf(bytes, Math.max(length + more, 2 * bytes.length));
    }
  }
}
