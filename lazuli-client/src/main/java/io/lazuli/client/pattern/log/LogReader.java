package io.lazuli.client.pattern.log;

import io.lazuli.client.waiting.Waiting;
import java.time.Instant;
import java.util.stream.Stream;

/**
 * Reads the entries of a period from append blobs that are named by time. Each call waits for its
 * result. {@link AsyncLogReader} describes the details, and can also follow new entries. Immutable
 * and thread-safe. Do not call it on a Reactor thread.
 */
public final class LogReader {
  private final AsyncLogReader async;

  LogReader(AsyncLogReader async) {
    this.async = async;
  }

  /** Returns this reader with asynchronous calls. */
  public AsyncLogReader async() {
    return async;
  }

  /**
   * Returns the entries from one time, inclusive, to another, exclusive. Close the stream if it is
   * not read to its end.
   */
  public Stream<LogEntry> read(Instant from, Instant to) {
    return Waiting.stream(async.read(from, to));
  }
}
