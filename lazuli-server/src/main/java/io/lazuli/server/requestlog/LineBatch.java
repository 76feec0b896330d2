package io.lazuli.server.requestlog;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Requests of one event loop whose lines are not written yet. Many are written at once because that
 * is cheaper: the processor has the code for it at hand, which other work pushes out in between.
 * Safe for any thread; the lock is an event loop's own, but for a moment in each flush period.
 */
final class LineBatch {
  static final int REQUESTS_MAX = 32;

  private final LogQueue queue;

  @GuardedBy("this")
  private final LogLineWriter writer = new LogLineWriter();

  @GuardedBy("this")
  private final List<LoggedRequest> waiting = new ArrayList<>(REQUESTS_MAX);

  /** Most lines go where the last one went. */
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
   * Writes the lines of all that wait.
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
