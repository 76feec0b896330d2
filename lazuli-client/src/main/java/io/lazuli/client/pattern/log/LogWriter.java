package io.lazuli.client.pattern.log;

import io.lazuli.client.waiting.Waiting;

/**
 * Writes entries to append blobs that are named by time. Each call waits for its result. {@link
 * AsyncLogWriter} describes each method in more detail. Mutable, thread-safe. Do not call it on a
 * Reactor thread.
 */
public final class LogWriter implements AutoCloseable {
  private final AsyncLogWriter async;

  LogWriter(AsyncLogWriter async) {
    this.async = async;
  }

  /** Returns this writer with asynchronous calls. */
  public AsyncLogWriter async() {
    return async;
  }

  /**
   * Appends an entry. Returns when the entry is stored or, if this writer buffers, when it is in
   * the buffer.
   */
  public void append(String text) {
    Waiting.done(async.append(text));
  }

  /** Sends the contents of the buffer. Returns when everything that was appended is stored. */
  public void flush() {
    Waiting.done(async.flush());
  }

  /** Stores everything that was appended, and rejects further entries. */
  @Override
  public void close() {
    Waiting.done(async.close());
  }
}
