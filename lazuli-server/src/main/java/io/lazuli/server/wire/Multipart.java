package io.lazuli.server.wire;

import io.lazuli.server.error.CommonErrors;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Parses {@code multipart/mixed} bodies that are already in memory. It is tolerant where SDKs
 * differ: LF instead of CR LF, header names in any case, text before the first boundary, a missing
 * closing boundary (table-rest 8.3).
 */
public final class Multipart {
  /** A window on the bytes of a message: its headers, and the content after the empty line. */
  public record Part(Map<String, String> headers, byte[] bytes, int from, int to) {
    /** Returns a header by its name in any case; null if there is none. */
    public @Nullable String header(String name) {
      return headers.get(name.toLowerCase(Locale.ROOT));
    }

    /** Returns the content without leading and trailing line breaks. */
    public byte[] trimmed() {
      int start = from;
      int end = to;
      while (start < end && isBreak(bytes[start])) {
        start++;
      }
      while (end > start && isBreak(bytes[end - 1])) {
        end--;
      }
      byte[] content = new byte[end - start];
      System.arraycopy(bytes, start, content, 0, content.length);
      return content;
    }

    private static boolean isBreak(byte b) {
      return b == '\r' || b == '\n';
    }
  }

  /** The maximum number of headers of one message. SDKs send about ten. */
  private static final int HEADERS_MAX = 100;

  private Multipart() {}

  /**
   * Returns the boundary that a media type names; null if the type is not multipart or names none.
   */
  public static @Nullable String boundary(@Nullable String contentType) {
    if (contentType == null
        || !contentType.strip().toLowerCase(Locale.ROOT).startsWith("multipart/mixed")) {
      return null;
    }
    for (String parameter : contentType.split(";", -1)) {
      String text = parameter.strip();
      if (text.regionMatches(true, 0, "boundary=", 0, 9)) {
        String value = text.substring(9).strip();
        boolean quoted = value.length() > 1 && value.startsWith("\"") && value.endsWith("\"");
        String boundary = quoted ? value.substring(1, value.length() - 1) : value;
        return boundary.isEmpty() ? null : boundary;
      }
    }
    return null;
  }

  /**
   * Returns the parts between the boundaries; null if there is no boundary.
   *
   * @param partsMax the maximum number of parts; the rest is ignored
   */
  public static @Nullable List<Part> parse(
      byte[] bytes, int from, int to, String boundary, int partsMax) {
    byte[] delimiter = ("--" + boundary).getBytes(StandardCharsets.ISO_8859_1);
    List<Part> parts = new ArrayList<>();
    int start = -1;
    int line = from;
    while (line < to && parts.size() < partsMax) {
      int end = lineEnd(bytes, line, to);
      int rest = delimiterRest(bytes, line, end, delimiter);
      if (rest >= 0) {
        if (start >= 0) {
          parts.add(message(bytes, start, line));
        }
        start = end;
        if (rest == 2) {
          return parts;
        }
      }
      line = end;
    }
    if (start < 0) {
      return null;
    }
    if (start < to && parts.size() < partsMax) {
      parts.add(message(bytes, start, to));
    }
    return parts;
  }

  /**
   * Returns the headers up to the first empty line, and the content after it. Throws 400 if there
   * are too many headers.
   */
  public static Part message(byte[] bytes, int from, int to) {
    Map<String, String> headers = new LinkedHashMap<>();
    int line = from;
    while (line < to) {
      int end = lineEnd(bytes, line, to);
      String text = text(bytes, line, end);
      line = end;
      if (text.isEmpty()) {
        break;
      }
      int colon = text.indexOf(':');
      if (colon > 0) {
        if (headers.size() == HEADERS_MAX) {
          throw CommonErrors.INVALID_HEADER_VALUE.exception();
        }
        String name = text.substring(0, colon).strip().toLowerCase(Locale.ROOT);
        headers.put(name, text.substring(colon + 1).strip());
      }
    }
    return new Part(headers, bytes, line, to);
  }

  /** Returns the text of a line without its line break, one character per byte. */
  public static String text(byte[] bytes, int from, int to) {
    int end = to;
    while (end > from && (bytes[end - 1] == '\n' || bytes[end - 1] == '\r')) {
      end--;
    }
    return end == from ? "" : new String(bytes, from, end - from, StandardCharsets.ISO_8859_1);
  }

  /** Returns the index after the line break. */
  public static int lineEnd(byte[] bytes, int from, int to) {
    for (int i = from; i < to; i++) {
      if (bytes[i] == '\n') {
        return i + 1;
      }
    }
    return to;
  }

  /**
   * Checks whether a line is a delimiter. Returns -1 if it is not, 2 for the closing delimiter, and
   * 0 for any other delimiter.
   */
  private static int delimiterRest(byte[] bytes, int from, int to, byte[] delimiter) {
    if (to - from < delimiter.length) {
      return -1;
    }
    for (int i = 0; i < delimiter.length; i++) {
      if (bytes[from + i] != delimiter[i]) {
        return -1;
      }
    }
    String rest = text(bytes, from + delimiter.length, to).strip();
    return rest.isEmpty() ? 0 : rest.equals("--") ? 2 : -1;
  }
}
