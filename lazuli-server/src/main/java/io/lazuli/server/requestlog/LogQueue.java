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
 * Lines that wait to be stored, gathered into blocks and bounded by the memory they take. What does
 * not fit is dropped and counted. Safe for any thread; its lock is held to copy one line and never
 * while anything blocks, so that an event loop can take it.
 */
final class LogQueue {
  private final long weightMax;
  private final LongAdder dropped = new LongAdder();

  /** As many as there are event loops. */
  private final List<LineBatch> batches = new CopyOnWriteArrayList<>();

  @GuardedBy("this")
  private final Map<LogFile.Key, LogLines> gathering = new HashMap<>();

  /** Of those that are gathered, the one that got the last line. */
  @GuardedBy("this")
  private @Nullable LogLines last;

  @GuardedBy("this")
  private final Queue<LogLines> blocks = new ArrayDeque<>();

  /** Of all that waits, and of what was polled and not released yet. */
  @GuardedBy("this")
  private long weight;

  LogQueue(long weightMax) {
    this.weightMax = weightMax;
  }

  /**
   * Adds a line if it fits.
   *
   * @return true if it made a block full
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

  /** For one thread that has requests to log. */
  LineBatch newBatch() {
    LineBatch batch = new LineBatch(this);
    batches.add(batch);
    return batch;
  }

  /** Makes blocks of all that waits, full or not. */
  void cut() {
    // Whoever writes a batch holds its lock when it asks for the queue's.
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

  /** The block that waits longest; null if none does. */
  synchronized @Nullable LogLines poll() {
    return blocks.poll();
  }

  /** Nobody needs this block any more. */
  synchronized void release(LogLines block) {
    weight -= block.weight();
  }

  void countDropped(long lines) {
    dropped.add(lines);
  }

  /** How many lines were lost because there was no room, or because they could not be stored. */
  long dropped() {
    return dropped.sum();
  }
}
