package io.lazuli.server.table.protocol;

import io.lazuli.server.table.model.DateTimeText;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;

/** Writes JSON as bytes without building strings. Mutable; used by one thread. */
final class JsonBuffer {
  private static final byte[] HEX = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);

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
    for (int i = from; i < end; i++) {
      int b = text[i];
      boolean surrogate = b == (byte) 0xed && (text[i + 1] & 0xff) >= 0xa0;
      if (surrogate || (b >= 0 && (b < 0x20 || b == '"' || b == '\\'))) {
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
