package io.lazuli.client.pattern.log;

import java.io.ByteArrayOutputStream;
import java.time.Instant;
import java.util.Deque;

/**
 * The lines that one request appends, all of the same hour. Immutable.
 *
 * @param bytes must not be changed
 * @param number the number of the last line, counted from the first line of the writer
 */
record LogBlock(byte[] bytes, Instant first, Instant last, long number) {
  /** The limit of an append in every version of the service. */
  static final int BYTES_MAX = 4 << 20;

  /** One line that waits to be sent. */
  record Line(byte[] bytes, Instant time, long number) {}

  /** Takes lines from a non-empty queue. */
  static LogBlock take(Deque<Line> lines) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    Line first = lines.element();
    Line last = first;
    while (!lines.isEmpty() && fits(lines.element(), first, bytes)) {
      last = lines.remove();
      bytes.writeBytes(last.bytes());
    }
    return new LogBlock(bytes.toByteArray(), first.time(), last.time(), last.number());
  }

  private static boolean fits(Line line, Line first, ByteArrayOutputStream bytes) {
    return LogNames.hourOf(line.time()).equals(LogNames.hourOf(first.time()))
        && bytes.size() + line.bytes().length <= BYTES_MAX;
  }

  Instant hour() {
    return LogNames.hourOf(first);
  }
}
