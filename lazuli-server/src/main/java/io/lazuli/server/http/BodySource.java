package io.lazuli.server.http;

import java.nio.ByteBuffer;

/**
 * Where the body of a streamed answer comes from. Called on workers, never twice at a time; each
 * call sees what the last one did. If it throws, the connection is closed: no client takes what it
 * got for the whole.
 */
public interface BodySource extends AutoCloseable {
  /** Puts the next bytes, at least one; never asked for more than the answer's length. */
  void read(ByteBuffer target);

  /** Called once, after the last read, whether all was read or not. */
  @Override
  void close();
}
