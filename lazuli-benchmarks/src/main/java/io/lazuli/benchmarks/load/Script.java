package io.lazuli.benchmarks.load;

import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * What one connection sends. The next request is asked for when the answer to the last one has
 * arrived, so a script may build it from that answer, and may reuse one buffer. Called by one
 * thread.
 */
public interface Script {

  /** The next request, between position and limit; empty when the script is at its end. */
  Optional<ByteBuffer> next();

  /** Looks at the answer to the last request; false counts it as an error. */
  default boolean accept(ResponseReader answer) {
    return answer.succeeded();
  }
}
