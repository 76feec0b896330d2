package io.lazuli.server.http;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Percent-encoding of UTF-8 text in URLs, in both directions. */
public final class PercentEncoding {
  private static final String HEX = "0123456789ABCDEF";

  private PercentEncoding() {}

  /**
   * Decodes a text whose characters are the bytes that were sent (ISO-8859-1), so that unescaped
   * UTF-8 survives too.
   *
   * @return null if an escape is invalid or the bytes are not UTF-8
   */
  public static @Nullable String decode(String text) {
    if (isPlain(text)) {
      return text;
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(text.length());
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '%') {
        int value = i + 2 < text.length() ? hex(text, i + 1) : -1;
        if (value < 0) {
          return null;
        }
        bytes.write(value);
        i += 2;
      } else {
        bytes.write(c);
      }
    }
    return utf8(bytes.toByteArray());
  }

  /** Decodes a text to one character per byte. Returns it unchanged if it cannot be decoded. */
  public static String decodeBytes(String text) {
    String decoded = decode(text);
    return decoded == null
        ? text
        : new String(decoded.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
  }

  /**
   * Encodes a text as Azure writes keys into links: it escapes everything except unreserved
   * characters and quotes.
   */
  public static String encode(String text) {
    StringBuilder out = null;
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    for (int i = 0; i < bytes.length; i++) {
      int b = bytes[i] & 0xff;
      boolean kept = isUnreserved(b) || b == '\'';
      if (!kept && out == null) {
        out = new StringBuilder(bytes.length + 16).append(text, 0, i);
      }
      if (out != null) {
        if (kept) {
          out.append((char) b);
        } else {
          out.append('%').append(HEX.charAt(b >> 4)).append(HEX.charAt(b & 15));
        }
      }
    }
    return out == null ? text : out.toString();
  }

  private static boolean isUnreserved(int b) {
    return (b >= 'a' && b <= 'z')
        || (b >= 'A' && b <= 'Z')
        || (b >= '0' && b <= '9')
        || b == '-'
        || b == '.'
        || b == '_'
        || b == '~';
  }

  private static boolean isPlain(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '%' || c > 0x7e) {
        return false;
      }
    }
    return true;
  }

  private static int hex(String text, int at) {
    int high = Character.digit(text.charAt(at), 16);
    int low = Character.digit(text.charAt(at + 1), 16);
    return high < 0 || low < 0 ? -1 : high << 4 | low;
  }

  private static @Nullable String utf8(byte[] bytes) {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException e) {
      return null;
    }
  }
}
