package io.lazuli.client.pattern.log;

import java.time.Duration;

/** Parses the lines of a log. Implementations are immutable and thread-safe. */
public interface LogFormat {
  /**
   * Returns the entry of a line.
   *
   * @throws IllegalArgumentException if the line is not in this format
   */
  LogEntry parse(String line);

  /**
   * Returns the longest time that may pass between the time of an entry and the start of the hour
   * of its blob.
   */
  Duration lateMax();

  /** Returns the format of {@link AsyncLogWriter}: the time, a space, and the text. */
  static LogFormat plain() {
    return PlainLines.INSTANCE;
  }

  /**
   * Returns the format of the Storage Analytics request logs in {@code $logs}. The time of an entry
   * is the start of its request. The hour of its blob is the hour in which the request ended, at
   * most an hour later. The text is the whole line.
   */
  static LogFormat requestLog() {
    return RequestLogLines.INSTANCE;
  }
}
