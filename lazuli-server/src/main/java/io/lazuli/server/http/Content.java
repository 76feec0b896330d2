package io.lazuli.server.http;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * The body of a request that has not been read yet. It is read at most once, completely or as a
 * stream. A client that sent {@code Expect: 100-continue} is asked for the body only then. May be
 * called from any thread; the stages complete on the request's event loop.
 */
public interface Content {
  /** No body. */
  Content NONE =
      new Content() {
        @Override
        public long length() {
          return 0;
        }

        @Override
        public CompletionStage<byte[]> read(int bytesMax) {
          return CompletableFuture.completedFuture(new byte[0]);
        }

        @Override
        public <T> CompletionStage<T> stream(
            BodyLimits limits, BodySink<T> sink, WorkerPool workers) {
          return CompletableFuture.completedFuture(sink.end());
        }
      };

  /** Returns the announced length; -1 if none was announced, as for a chunked body. */
  long length();

  /**
   * Reads the whole body. Fails with {@code RequestBodyTooLarge} as soon as more than the maximum
   * is announced or has arrived.
   */
  CompletionStage<byte[]> read(int bytesMax);

  /**
   * Passes the body to a sink as it arrives, in bounded memory. A client that is faster than the
   * sink is held back. Fails with the exception of the sink, with {@code
   * MissingContentLengthHeader}, {@code RequestBodyTooLarge} or {@code ServerBusy}, or with {@code
   * OperationTimedOut} if the client is too slow. Also fails if the client disconnects. In every
   * case the last call of the sink is {@link BodySink#end} or {@link BodySink#abort}.
   *
   * @param workers the threads that run the sink
   */
  <T> CompletionStage<T> stream(BodyLimits limits, BodySink<T> sink, WorkerPool workers);
}
