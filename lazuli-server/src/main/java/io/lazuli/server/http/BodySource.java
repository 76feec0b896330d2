package io.lazuli.server.http;

import java.nio.ByteBuffer;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The source of a streamed answer body. Called on workers, by one thread at a time; each call sees
 * the effects of the previous one. If it fails, the connection is closed, so that no client
 * mistakes a part of the body for the whole.
 */
public interface BodySource extends AutoCloseable {
  /**
   * Puts at least one byte into the buffer, which belongs to the source until the stage is
   * complete. The source is never asked for more than the answer's length, and for one piece at a
   * time.
   */
  CompletionStage<@Nullable Void> read(ByteBuffer target);

  /** Called once, after the last read, whether or not everything was read. */
  @Override
  void close();
}
