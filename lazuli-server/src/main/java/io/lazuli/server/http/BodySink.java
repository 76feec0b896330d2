package io.lazuli.server.http;

import java.nio.ByteBuffer;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The receiver of a streamed body. Called on workers, by one thread at a time; each call sees the
 * effects of the previous one. A call may wait for the disk, but not for the client or the network.
 *
 * @param <T> the type of the result
 */
public interface BodySink<T> {
  /**
   * Takes all remaining bytes of the buffer, which belongs to the sink until the stage is complete.
   */
  CompletionStage<@Nullable Void> take(ByteBuffer bytes);

  /** Called when the body is complete. Returns the result. */
  T end();

  /** Called instead of {@link #end} if the body was cut off or a call of this sink failed. */
  void abort();
}
