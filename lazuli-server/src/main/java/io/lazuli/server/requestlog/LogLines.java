package io.lazuli.server.requestlog;

import java.util.Arrays;

/**
 * Lines of one log that will become a block of its blob. Mutable; belongs to the queue until it is
 * taken out, then to the writer.
 */
final class LogLines {
  private static final int FIRST_BYTES = 4 << 10;

  /**
   * The factor by which the array grows. It is large, because a busy log soon fills a block and
   * each growth copies the lines.
   */
  private static final int GROWTH = 8;

  /**
   * The size of a full block, with room for the line that fills it, unless that line is very long.
   */
  private static final int FULL_BYTES = LogFile.BLOCK_BYTES + (4 << 10);

  private final LogFile.Key key;
  private final int firstBytes;
  private final LogCoverage coverage = new LogCoverage();
  private byte[] bytes = new byte[0];
  private int length;
  private int count;

  LogLines(LogFile.Key key) {
    this(key, FIRST_BYTES);
  }

  private LogLines(LogFile.Key key, int firstBytes) {
    this.key = key;
    this.firstBytes = firstBytes;
  }

  /**
   * Returns an object for the lines after these. Its array starts large, because the log has filled
   * a block and will probably fill another.
   */
  LogLines next() {
    return new LogLines(key, FULL_BYTES);
  }

  /** Returns the log to which the lines belong. */
  LogFile.Key key() {
    return key;
  }

  /** Returns the operations and times that the lines cover. */
  LogCoverage coverage() {
    return coverage;
  }

  int count() {
    return count;
  }

  /** Returns the text; bytes after {@link #length} have no meaning. */
  byte[] bytes() {
    return bytes;
  }

  int length() {
    return length;
  }

  /** Returns the memory that the lines take. */
  int weight() {
    return bytes.length;
  }

  /** Returns the memory that the lines would take with the given number of additional bytes. */
  int weightWith(int more) {
    int needed = length + more;
    return needed <= bytes.length
        ? bytes.length
        : Math.max(needed, Math.min(FULL_BYTES, Math.max(firstBytes, GROWTH * bytes.length)));
  }

  /**
   * Adds a line.
   *
   * @param line the line of the request
   */
  void add(LoggedRequest request, LineBytes line) {
    int weight = weightWith(line.length());
    if (weight > bytes.length) {
      bytes = Arrays.copyOf(bytes, weight);
    }
    line.copyTo(bytes, length);
    length += line.length();
    count++;
    coverage.add(request);
  }
}
