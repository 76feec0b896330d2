package io.lazuli.server.requestlog;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Lines that wait to be stored. They are gathered into blocks, and their memory is bounded. Lines
 * that do not fit are dropped and counted. Thread-safe. The lock is held while one line is copied
 * and never while anything blocks, so that event loops can take it.
 */
final class LogQueue {
  private final long weightMax;
  private final LongAdder dropped = new LongAdder();

  /** One batch for each event loop. */
  private final List<LineBatch> batches = new CopyOnWriteArrayList<>();

  @GuardedBy("this")
  private final Map<LogFile.Key, LogLines> gathering = new HashMap<>();

  /** The element of {@code gathering} to which the last line was added. */
  @GuardedBy("this")
  private @Nullable LogLines last;

  @GuardedBy("this")
  private final Queue<LogLines> blocks = new ArrayDeque<>();

  /** The memory of all lines, including blocks that were polled and not released yet. */
  @GuardedBy("this")
  private long weight;

  LogQueue(long weightMax) {
    this.weightMax = weightMax;
  }

  /**
   * Adds a line if it fits.
   *
   * @return true if the line made a block full
   */
  synchronized boolean offer(LogFile.Key key, LoggedRequest request, LineBytes line) {
    LogLines lines = linesOf(key);
    int more = lines.weightWith(line.length()) - lines.weight();
    if (weight + more > weightMax) {
      dropped.increment();
      return false;
    }
    weight += more;
    lines.add(request, line);
    if (lines.length() < LogFile.BLOCK_BYTES) {
      if (lines != last) {
        gathering.put(key, lines);
        last = lines;
      }
      return false;
    }
    blocks.add(lines);
    last = lines.next();
    gathering.put(key, last);
    return true;
  }

  @GuardedBy("this")
  private LogLines linesOf(LogFile.Key key) {
    LogLines known = last;
    if (known != null && known.key().equals(key)) {
      return known;
    }
    LogLines lines = gathering.get(key);
    return lines == null ? new LogLines(key) : lines;
  }

  /** Returns a batch for one thread that logs requests. */
  LineBatch newBatch() {
    LineBatch batch = new LineBatch(this);
    batches.add(batch);
    return batch;
  }

  /** Turns all gathered lines into blocks, full or not. */
  void cut() {
    // Must come before the queue's lock is taken: a thread that writes a batch takes the lock of
    // the batch first.
    batches.forEach(LineBatch::write);
    cutBlocks();
  }

  private synchronized void cutBlocks() {
    for (LogLines lines : gathering.values()) {
      if (lines.count() > 0) {
        blocks.add(lines);
      }
    }
    gathering.clear();
    last = null;
  }

  /** Returns the oldest block; null if there is none. */
  synchronized @Nullable LogLines poll() {
    return blocks.poll();
  }

  /** Releases the memory of a block. */
  synchronized void release(LogLines block) {
    weight -= block.weight();
  }

  void countDropped(long lines) {
    dropped.add(lines);
  }

  /**
   * Returns the number of lines that were lost because there was no room or they could not be
   * stored.
   */
  long dropped() {
    return dropped.sum();
  }
}
