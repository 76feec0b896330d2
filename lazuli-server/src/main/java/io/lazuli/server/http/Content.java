package io.lazuli.server.http;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * The body of a request that has not been read yet. It is read at most once, whole or as a stream,
 * and a client that waits to be asked for it is told to go on then. May be called from any thread;
 * the stages complete on the request's event loop.
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

  /** The length as announced; -1 if none was, which a body in chunks does not do. */
  long length();

  /**
   * Reads the whole body. Fails with {@code RequestBodyTooLarge} as soon as more than the maximum
   * is announced or has come.
   */
  CompletionStage<byte[]> read(int bytesMax);

  /**
   * Hands the body to a sink as it comes, in bounded memory; a client that is faster than the sink
   * is held back. Fails with what the sink threw, or with {@code MissingContentLengthHeader},
   * {@code RequestBodyTooLarge}, {@code ServerBusy}, {@code OperationTimedOut} if the client is too
   * slow, or because the client is gone; the sink is told of every end.
   *
   * @param workers where the sink runs
   */
  <T> CompletionStage<T> stream(BodyLimits limits, BodySink<T> sink, WorkerPool workers);
}
