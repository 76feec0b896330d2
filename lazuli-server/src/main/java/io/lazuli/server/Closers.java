package io.lazuli.server;

import io.lazuli.storage.thread.OutOfMemory;
import io.lazuli.storage.thread.Threads;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The actions that close the parts of one server. They run in reverse order, the last one first.
 * The thread that starts the server adds them.
 */
final class Closers {
  private static final Logger LOG = LoggerFactory.getLogger(Closers.class);

  private final Deque<Runnable> closers = new ArrayDeque<>();

  void push(Runnable closer) {
    closers.push(closer);
  }

  /**
   * Closes all parts. Returns after this time even if a part hangs; a thread then continues to wait
   * for that part.
   */
  void closeWithin(Duration timeMax) {
    Thread closing = Threads.daemon(this::closeAll, "close");
    closing.start();
    if (!Threads.join(closing, timeMax)) {
      LOG.error("the server was not closed in time; a part of it hangs");
    }
  }

  /** Closes all parts. A part that fails does not keep the others open. */
  private synchronized void closeAll() {
    Runnable closer;
    while ((closer = closers.poll()) != null) {
      try {
        closer.run();
      } catch (RuntimeException | Error e) {
        OutOfMemory.check(e);
        LOG.error("a part of the server could not be closed", e);
      }
    }
  }
}
