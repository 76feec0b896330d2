package io.lazuli.server.http;

import java.nio.ByteBuffer;

/**
 * Where a streamed body goes: the one place where its bytes pass. Called on workers, never twice at
 * a time; each call sees what the last one did. May block for the disk, not for the client.
 *
 * @param <T> what comes of the body
 */
public interface BodySink<T> {
  /** Takes all remaining bytes; the buffer is used again after the call. */
  void take(ByteBuffer bytes);

  /** The body is complete. */
  T end();

  /** There is nothing more to come: the body was cut off, or a call of this sink failed. */
  void abort();
}
