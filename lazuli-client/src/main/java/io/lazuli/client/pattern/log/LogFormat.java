package io.lazuli.client.pattern.log;

import java.time.Duration;

/** How a line of a log is read. Implementations are immutable and thread-safe. */
public interface LogFormat {
  /**
   * The entry of a line.
   *
   * @throws IllegalArgumentException if it is none
   */
  LogEntry parse(String line);

  /** How much later than its own time the hour of an entry's blob may begin. */
  Duration lateMax();

  /** What {@link AsyncLogWriter} writes: the time, a space, and the text. */
  static LogFormat plain() {
    return PlainLines.INSTANCE;
  }

  /**
   * The request logs of Storage Analytics in {@code $logs}. The time of an entry is that at which
   * its request began, the hour of its blob that at which it ended, at most an hour later. The text
   * is the whole line.
   */
  static LogFormat requestLog() {
    return RequestLogLines.INSTANCE;
  }
}
