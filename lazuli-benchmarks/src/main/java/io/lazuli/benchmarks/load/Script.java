package io.lazuli.benchmarks.load;

import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * The requests of one connection. The next request is fetched when the response to the last one has
 * arrived, so a script may use that response, and may reuse one buffer. Called by one thread.
 */
public interface Script {

  /** Returns the next request, between position and limit; empty when the script has ended. */
  Optional<ByteBuffer> next();

  /**
   * Returns whether the response to the last request is right. A wrong response counts as an error.
   */
  default boolean accept(ResponseReader answer) {
    return answer.succeeded();
  }
}
