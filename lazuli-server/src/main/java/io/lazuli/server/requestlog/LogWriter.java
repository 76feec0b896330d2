package io.lazuli.server.requestlog;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Appends the blocks of a queue to their blobs. Blocks. Lines that cannot be stored are dropped and
 * counted. Thread-safe.
 */
final class LogWriter {
  private static final Logger LOG = LoggerFactory.getLogger(LogWriter.class);

  private final LogQueue queue;
  private final LogBlobs blobs;
  private final Clock clock;
  private final AtomicLong written = new AtomicLong();

  /** The files of this hour, and those of the last hour until their blobs are sealed. */
  @GuardedBy("this")
  private final Map<LogFile.Key, LogFile> files = new LinkedHashMap<>();

  @GuardedBy("this")
  private boolean failing;

  LogWriter(LogQueue queue, LogBlobs blobs, Clock clock) {
    this.queue = queue;
    this.blobs = blobs;
    this.clock = clock;
  }

  /** Stores the full blocks. */
  synchronized void writeBlocks() {
    LogLines block;
    while ((block = queue.poll()) != null) {
      try {
        store(block);
      } finally {
        queue.release(block);
      }
    }
  }

  /** Stores all lines, and seals the blobs of past hours. */
  synchronized void writeAll() {
    // Must be read first: an hour is over only when the lines that were queued in it are stored.
    long hour = LogName.epochHour(clock.instant());
    queue.cut();
    writeBlocks();
    files.forEach(
        (key, file) -> {
          if (key.epochHour() < hour) {
            file.finish();
          }
        });
    files.keySet().removeIf(key -> key.epochHour() < hour);
  }

  /** Stores all lines and seals all blobs. */
  synchronized void finish() {
    writeAll();
    files.values().forEach(LogFile::finish);
    files.clear();
  }

  /** Returns the number of lines that were stored. */
  long written() {
    return written.get();
  }

  @GuardedBy("this")
  private void store(LogLines block) {
    LogFile file = files.computeIfAbsent(block.key(), key -> new LogFile(key, blobs));
    try {
      file.append(block);
      written.addAndGet(block.count());
      failing = false;
    } catch (CompletionException e) {
      queue.countDropped(block.count());
      if (!failing) {
        LOG.warn("request logs cannot be stored; lines are dropped and counted", e);
      }
      failing = true;
    }
  }
}
