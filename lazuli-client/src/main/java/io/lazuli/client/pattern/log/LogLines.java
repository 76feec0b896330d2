package io.lazuli.client.pattern.log;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Splits bytes that arrive in pieces into lines. Mutable, used by one thread at a time. Bytes after
 * the last line break are kept for the next piece.
 */
final class LogLines {
  private static final int LINE_BYTES_MAX = LogBlock.BYTES_MAX;

  private final ByteArrayOutputStream rest = new ByteArrayOutputStream();
  private long complete;

  /** Returns the number of bytes in the complete lines so far, including line breaks. */
  long complete() {
    return complete;
  }

  List<String> add(ByteBuffer piece) {
    List<String> lines = new ArrayList<>();
    while (piece.hasRemaining()) {
      byte next = piece.get();
      if (next == '\n') {
        complete += rest.size() + 1L;
        lines.add(rest.toString(StandardCharsets.UTF_8));
        rest.reset();
      } else if (rest.size() == LINE_BYTES_MAX) {
        throw new IllegalArgumentException("a log line exceeds 4 MiB");
      } else {
        rest.write(next);
      }
    }
    return lines;
  }
}
