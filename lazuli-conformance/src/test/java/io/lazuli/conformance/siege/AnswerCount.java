package io.lazuli.conformance.siege;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;

/** Counts the answers in the bytes of one connection by their status. Used by one thread. */
final class AnswerCount {

  private static final byte[] MARK = "HTTP/1.1 ".getBytes(StandardCharsets.US_ASCII);
  private static final int DIGITS = 3;

  private final Map<Integer, Long> statuses = new TreeMap<>();
  private int matched;
  private int status;
  private long answers;

  /** Reads the remaining bytes of a buffer. A status line may begin in one call and end later. */
  void scan(ByteBuffer bytes) {
    while (bytes.hasRemaining()) {
      byte next = bytes.get();
      if (matched < MARK.length) {
        matched = next == MARK[matched] ? matched + 1 : next == MARK[0] ? 1 : 0;
        status = 0;
      } else {
        status = status * 10 + (next - '0');
        matched++;
        if (matched == MARK.length + DIGITS) {
          matched = 0;
          statuses.merge(status, 1L, Long::sum);
          answers += status >= 200 ? 1 : 0;
        }
      }
    }
  }

  /** Returns the number of answers so far, without interim answers such as 100. */
  long answers() {
    return answers;
  }

  Map<Integer, Long> statuses() {
    return statuses;
  }
}
