package io.lazuli.client.pattern.log;

import java.time.Instant;
import java.util.stream.Stream;

/**
 * Reads the entries of a time from append blobs that are named by time. Calls wait; {@link
 * AsyncLogReader} says more, and can follow what comes. Immutable and thread-safe. Do not call it
 * on a thread of Reactor.
 */
public final class LogReader {
  private final AsyncLogReader async;

  LogReader(AsyncLogReader async) {
    this.async = async;
  }

  /** The same reader; calls do not wait. */
  public AsyncLogReader async() {
    return async;
  }

  /** The entries from a time until before another. Close the stream. */
  public Stream<LogEntry> read(Instant from, Instant to) {
    return async.read(from, to).toStream();
  }
}
