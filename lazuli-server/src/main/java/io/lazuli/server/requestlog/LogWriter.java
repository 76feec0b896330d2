package io.lazuli.server.requestlog;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.lazuli.server.error.ServiceException;
import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes lines of the requests in a queue and appends them to their blobs. Blocks; what cannot be
 * stored is dropped and counted, and everything goes on. Safe for any thread.
 */
final class LogWriter {
  private static final Logger LOG = LoggerFactory.getLogger(LogWriter.class);

  private final LogQueue queue;
  private final LogBlobs blobs;
  private final Clock clock;
  private final AtomicLong written = new AtomicLong();

  @GuardedBy("this")
  private final LogLineWriter lines = new LogLineWriter();

  /** Those of this hour, and of the last one until its blobs are closed. */
  @GuardedBy("this")
  private final Map<LogFile.Key, LogFile> files = new LinkedHashMap<>();

  @GuardedBy("this")
  private boolean failing;

  LogWriter(LogQueue queue, LogBlobs blobs, Clock clock) {
    this.queue = queue;
    this.blobs = blobs;
    this.clock = clock;
  }

  /** Makes lines of all that waits, and stores those of which there is a whole block. */
  synchronized void writeBlocks() {
    LoggedRequest next;
    while ((next = queue.poll()) != null) {
      LogFile file = file(next);
      file.add(next);
      if (file.isFull()) {
        flush(file);
      }
    }
  }

  /** Stores all that waits, and closes the blobs of hours that are over. */
  synchronized void writeAll() {
    // An hour is over only when what was queued in it is stored.
    long hour = LogName.epochHour(clock.instant());
    writeBlocks();
    for (LogFile file : files.values()) {
      flush(file);
      if (file.epochHour() < hour) {
        finish(file);
      }
    }
    files.values().removeIf(file -> file.epochHour() < hour);
  }

  /** Stores all that waits and closes all blobs. */
  synchronized void finish() {
    writeAll();
    files.values().forEach(LogWriter::finish);
    files.clear();
  }

  /** Lines that were stored. */
  long written() {
    return written.get();
  }

  @GuardedBy("this")
  private LogFile file(LoggedRequest request) {
    LogFile.Key key =
        new LogFile.Key(
            request.event().account(),
            request.service(),
            request.selection().version(),
            LogName.epochHour(request.endTicks()));
    LogFile file = files.get(key);
    if (file == null) {
      file = new LogFile(key, blobs, lines);
      files.put(key, file);
    }
    return file;
  }

  @GuardedBy("this")
  private void flush(LogFile file) {
    int count = file.waitingLines();
    try {
      file.flush();
      written.addAndGet(count);
      failing = failing && count == 0;
    } catch (ServiceException | CompletionException e) {
      queue.countDropped(count);
      if (!failing) {
        LOG.warn("request logs cannot be stored; lines are dropped and counted", e);
      }
      failing = true;
    }
  }

  private static void finish(LogFile file) {
    try {
      file.finish();
    } catch (ServiceException | CompletionException e) {
      LOG.debug("a log blob stays open", e);
    }
  }
}
