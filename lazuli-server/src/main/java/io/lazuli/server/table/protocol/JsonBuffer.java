package io.lazuli.server.table.protocol;

import io.lazuli.server.table.model.DateTimeText;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;

/** Writes JSON as bytes without building strings. Mutable; used by one thread. */
final class JsonBuffer {
  private static final byte[] HEX = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);

  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  /** The first byte of every surrogate, and of some other characters. */
  private static final byte SURROGATE = (byte) 0xed;

  /** A one in each byte of a number. Multiplied by a byte, it repeats the byte. */
  private static final long EACH = 0x0101010101010101L;

  private static final long TOPS = 0x8080808080808080L;
  private static final long BACKSLASHES = '\\' * EACH;
  private static final long SURROGATES = 0xededededededededL;

  private byte[] bytes;
  private int length;

  JsonBuffer(int capacity) {
    bytes = new byte[capacity];
  }

  byte[] toByteArray() {
    return Arrays.copyOf(bytes, length);
  }

  /** Returns the bytes that were written, and begins again. */
  byte[] take() {
    byte[] taken = toByteArray();
    length = 0;
    return taken;
  }

  /** Removes all bytes after the first ones. */
  void truncate(int newLength) {
    length = newLength;
  }

  int length() {
    return length;
  }

  /** Writes ASCII text unchanged. */
  JsonBuffer raw(String ascii) {
    int count = ascii.length();
    ensure(count);
    for (int i = 0; i < count; i++) {
      bytes[length++] = (byte) ascii.charAt(i);
    }
    return this;
  }

  JsonBuffer raw(byte[] text) {
    return raw(text, 0, text.length);
  }

  JsonBuffer raw(byte[] text, int from, int count) {
    ensure(count);
    System.arraycopy(text, from, bytes, length, count);
    length += count;
    return this;
  }

  JsonBuffer raw(char c) {
    ensure(1);
    bytes[length++] = (byte) c;
    return this;
  }

  /** Writes text in quotes. */
  JsonBuffer string(String text) {
    byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
    return string(utf8, 0, utf8.length);
  }

  /**
   * Writes text in quotes. Unpaired surrogates become escapes, as JSON requires. Keys store a
   * surrogate pair as two byte sequences; it becomes one character.
   */
  JsonBuffer string(byte[] text, int from, int count) {
    ensure(count + 2);
    bytes[length++] = '"';
    int end = from + count;
    int copied = from;
    for (int i = plainEnd(text, from, end); i < end; i = plainEnd(text, i + 1, end)) {
      int b = text[i];
      boolean surrogate = b == SURROGATE && (text[i + 1] & 0xff) >= 0xa0;
      if (surrogate || b != SURROGATE) {
        raw(text, copied, i - copied);
        if (surrogate) {
          i = surrogates(text, i, end);
        } else {
          escape(b);
        }
        copied = i + 1;
      }
    }
    raw(text, copied, end - copied);
    return raw('"');
  }

  /**
   * Returns the index of the first byte that JSON may not contain as it is; the end if there is
   * none. Most text is long and plain, so it looks at eight bytes at a time.
   */
  private static int plainEnd(byte[] text, int from, int end) {
    int i = from;
    while (i + Long.BYTES <= end && isPlain((long) LONG.get(text, i))) {
      i += Long.BYTES;
    }
    while (i < end && isPlain(text[i])) {
      i++;
    }
    return i;
  }

  /**
   * Returns false if one of eight bytes is not plain. A subtraction sets the top bit of a byte that
   * is too small. Exchanging 20 and 22, the code of the quote, makes the quote one of those below
   * 21.
   */
  private static boolean isPlain(long eight) {
    long small = ((eight ^ 0x02 * EACH) - 0x21 * EACH) | ((eight ^ BACKSLASHES) - EACH);
    return (small & ~eight & TOPS) == 0 && ((eight & TOPS) == 0 || !hasSurrogate(eight));
  }

  private static boolean hasSurrogate(long eight) {
    long zeros = eight ^ SURROGATES;
    return ((zeros - EACH) & ~zeros & TOPS) != 0;
  }

  private static boolean isPlain(byte b) {
    return b < 0 ? b != SURROGATE : b >= 0x20 && b != '"' && b != '\\';
  }

  JsonBuffer number(int value) {
    return raw(Integer.toString(value));
  }

  JsonBuffer number(long value) {
    return raw(Long.toString(value));
  }

  /**
   * Writes a finite double, always with a point or with an exponent and its sign (table-rest 4.3).
   */
  JsonBuffer number(double value) {
    String text = Double.toString(value);
    int exponent = text.indexOf('E');
    if (exponent >= 0 && text.charAt(exponent + 1) != '-') {
      text = text.substring(0, exponent) + "E+" + text.substring(exponent + 1);
    }
    return raw(text);
  }

  JsonBuffer time(long ticks) {
    ensure(DateTimeText.LENGTH_MAX);
    length = DateTimeText.write(ticks, bytes, length);
    return this;
  }

  /** Writes a time as ETags contain it, with percent-encoded colons. */
  JsonBuffer tagTime(long ticks) {
    int from = length;
    time(ticks);
    byte[] text = Arrays.copyOfRange(bytes, from, length);
    length = from;
    for (byte b : text) {
      if (b == ':') {
        raw("%3A");
      } else {
        raw((char) b);
      }
    }
    return this;
  }

  JsonBuffer base64(byte[] value, int from, int count) {
    return raw(Base64.getEncoder().encode(Arrays.copyOfRange(value, from, from + count)));
  }

  /** Writes the 36 characters of a Guid. */
  JsonBuffer guid(long high, long low) {
    hex(high, 60, 8).raw('-');
    hex(high, 28, 4).raw('-');
    hex(high, 12, 4).raw('-');
    hex(low, 60, 4).raw('-');
    return hex(low, 44, 12);
  }

  private JsonBuffer hex(long value, int topShift, int digits) {
    ensure(digits);
    for (int i = 0; i < digits; i++) {
      bytes[length++] = HEX[(int) (value >>> (topShift - 4 * i)) & 15];
    }
    return this;
  }

  private void escape(int b) {
    switch (b) {
      case '"', '\\' -> raw('\\').raw((char) b);
      case '\n' -> raw("\\n");
      case '\r' -> raw("\\r");
      case '\t' -> raw("\\t");
      default -> escapeUnit(b);
    }
  }

  private void escapeUnit(int unit) {
    raw("\\u");
    hex(unit, 12, 4);
  }

  /**
   * Writes a surrogate pair as one character, or an unpaired surrogate as an escape. Returns the
   * index of the last byte that it read.
   */
  private int surrogates(byte[] text, int at, int end) {
    char first = unit(text, at);
    boolean pair =
        Character.isHighSurrogate(first)
            && at + 5 < end
            && text[at + 3] == (byte) 0xed
            && (text[at + 4] & 0xff) >= 0xb0;
    if (!pair) {
      escapeUnit(first);
      return at + 2;
    }
    int point = Character.toCodePoint(first, unit(text, at + 3));
    raw(Character.toString(point).getBytes(StandardCharsets.UTF_8));
    return at + 5;
  }

  private static char unit(byte[] text, int at) {
    return (char) ((text[at] & 0x0f) << 12 | (text[at + 1] & 0x3f) << 6 | (text[at + 2] & 0x3f));
  }

  private void ensure(int more) {
    if (length + more > bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.max(length + more, bytes.length * 2));
    }
  }
}
