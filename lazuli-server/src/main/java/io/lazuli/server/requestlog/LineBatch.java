package io.lazuli.server.requestlog;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The requests of one event loop whose lines are not written yet. Writing many lines together is
 * cheaper, because the code stays in the caches of the processor. Thread-safe. Only its event loop
 * takes the lock, except that each flush takes it for a moment.
 */
final class LineBatch {
  static final int REQUESTS_MAX = 32;

  private final LogQueue queue;

  @GuardedBy("this")
  private final LogLineWriter writer = new LogLineWriter();

  @GuardedBy("this")
  private final List<LoggedRequest> waiting = new ArrayList<>(REQUESTS_MAX);

  /** The log of the last line; most lines go to the same log. */
  @GuardedBy("this")
  private LogFile.@Nullable Key last;

  LineBatch(LogQueue queue) {
    this.queue = queue;
  }

  /**
   * Adds a request.
   *
   * @return true if a block became full
   */
  synchronized boolean add(LoggedRequest request) {
    waiting.add(request);
    return waiting.size() >= REQUESTS_MAX && write();
  }

  /**
   * Writes the lines of all requests in the batch.
   *
   * @return true if a block became full
   */
  synchronized boolean write() {
    boolean full = false;
    try {
      for (LoggedRequest request : waiting) {
        LogFile.Key log = request.log(last);
        last = log;
        full |= queue.offer(log, request, writer.line(request));
      }
    } finally {
      waiting.clear();
    }
    return full;
  }
}
