package io.lazuli.server.requestlog;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Requests that wait to be written, bounded by the memory they take. Never makes anybody wait: what
 * does not fit is dropped and counted. Safe for any thread.
 */
final class LogQueue {
  private final Queue<LoggedRequest> waiting = new ConcurrentLinkedQueue<>();
  private final AtomicLong weight = new AtomicLong();
  private final LongAdder dropped = new LongAdder();
  private final long weightMax;

  LogQueue(long weightMax) {
    this.weightMax = weightMax;
  }

  /**
   * Adds a request if it fits.
   *
   * @return the weight of all that waits now
   */
  long offer(LoggedRequest request) {
    int own = request.weight();
    long all = weight.addAndGet(own);
    if (all > weightMax) {
      weight.addAndGet(-own);
      dropped.increment();
      return all;
    }
    waiting.add(request);
    return all;
  }

  /** The one that waits longest; null if none does. */
  @Nullable LoggedRequest poll() {
    LoggedRequest next = waiting.poll();
    if (next != null) {
      weight.addAndGet(-next.weight());
    }
    return next;
  }

  void countDropped(long lines) {
    dropped.add(lines);
  }

  /** How many lines were lost because there was no room, or because they could not be stored. */
  long dropped() {
    return dropped.sum();
  }
}
