package io.lazuli.server.requestlog;

import java.util.Arrays;

/**
 * Lines of one log that wait to become a block of its blob. Mutable; belongs to the queue until it
 * is taken out, then to the writer.
 */
final class LogLines {
  private static final int FIRST_BYTES = 4 << 10;

  /** A log that is busy soon fills a block: the fewer copies, the better. */
  private static final int GROWTH = 8;

  /** With room for the line that makes the block full, unless that is very long. */
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

  /** The next of the same log, which has filled a block and is going to fill another. */
  LogLines next() {
    return new LogLines(key, FULL_BYTES);
  }

  /** Which log they are of. */
  LogFile.Key key() {
    return key;
  }

  /** What they are about. */
  LogCoverage coverage() {
    return coverage;
  }

  int count() {
    return count;
  }

  /** The text; what is behind {@link #length} means nothing. */
  byte[] bytes() {
    return bytes;
  }

  int length() {
    return length;
  }

  /** How much memory they take. */
  int weight() {
    return bytes.length;
  }

  /** How much they would take with so many bytes more. */
  int weightWith(int more) {
    int needed = length + more;
    return needed <= bytes.length
        ? bytes.length
        : Math.max(needed, Math.min(FULL_BYTES, Math.max(firstBytes, GROWTH * bytes.length)));
  }

  /**
   * @param line how the request is written
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
