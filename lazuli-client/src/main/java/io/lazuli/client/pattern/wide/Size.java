package io.lazuli.client.pattern.wide;

import java.nio.charset.StandardCharsets;

/**
 * The size that a property adds to an entity and to a request.
 *
 * @param stored the size that the service counts for its limit of 1 MiB
 * @param sent an upper estimate of its JSON, including its type
 */
record Size(long stored, long sent) {
  private static final int FIXED_STORED = 8;
  private static final int LENGTH_STORED = 4;
  private static final int LARGEST_NUMBER = 16;
  private static final int FIXED_SENT = 64;
  private static final int ESCAPED_MAX = 6;

  static Size of(String name, Object value) {
    Size content = content(value);
    return new Size(
        FIXED_STORED + 2L * name.length() + content.stored,
        FIXED_SENT + 2L * bytes(name) + content.sent);
  }

  private static Size content(Object value) {
    if (value instanceof String text) {
      return new Size(LENGTH_STORED + 2L * text.length(), bytes(text));
    }
    if (value instanceof byte[] binary) {
      return new Size(LENGTH_STORED + (long) binary.length, (binary.length + 2) / 3 * 4L);
    }
    return new Size(LARGEST_NUMBER, 0);
  }

  /** Returns the size in UTF-8, including JSON escapes. */
  private static long bytes(String text) {
    long escapes = text.chars().filter(c -> c < ' ' || c == '"' || c == '\\').count();
    return text.getBytes(StandardCharsets.UTF_8).length + escapes * (ESCAPED_MAX - 1);
  }

  Size plus(Size other) {
    return new Size(stored + other.stored, sent + other.sent);
  }
}
