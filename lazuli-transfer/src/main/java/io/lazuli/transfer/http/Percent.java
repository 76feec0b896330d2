package io.lazuli.transfer.http;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/** Percent-encoding of URLs. */
public final class Percent {
  private static final char[] HEX = "0123456789ABCDEF".toCharArray();

  private Percent() {}

  /** Encodes everything but letters, digits and {@code -._~}. */
  public static String encode(String text) {
    return encode(text, "-._~");
  }

  /** Encodes a path: slashes stay. */
  public static String encodePath(String path) {
    return encode(path, "-._~/");
  }

  private static String encode(String text, String kept) {
    StringBuilder out = new StringBuilder();
    for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
      char c = (char) (b & 0xff);
      if ((c >= 'a' && c <= 'z')
          || (c >= 'A' && c <= 'Z')
          || (c >= '0' && c <= '9')
          || kept.indexOf(c) >= 0) {
        out.append(c);
      } else {
        out.append('%').append(HEX[c >> 4]).append(HEX[c & 15]);
      }
    }
    return out.toString();
  }

  /** Splits and decodes the query of a URL. */
  static Map<String, String> parameters(String query) {
    Map<String, String> parameters = new LinkedHashMap<>();
    String text = query.startsWith("?") ? query.substring(1) : query;
    for (String part : text.split("&", -1)) {
      int equals = part.indexOf('=');
      if (equals > 0) {
        parameters.put(
            part.substring(0, equals),
            // A plus sign means itself in a signature.
            URLDecoder.decode(
                part.substring(equals + 1).replace("+", "%2B"), StandardCharsets.UTF_8));
      }
    }
    return parameters;
  }
}
