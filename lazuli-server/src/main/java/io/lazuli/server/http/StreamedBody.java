package io.lazuli.server.http;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** The body of an answer that is sent piece by piece. */
public sealed interface StreamedBody
    permits AnswerBuffer, StreamedBody.Announced, StreamedBody.Events, StreamedBody.Pulled {
  /** Returns the answer's {@code Content-Length}; -1 if it has none. */
  long length();

  /**
   * Releases the resources of the body. Called once, on any thread, whether or not the body was
   * sent.
   */
  void close();

  /**
   * The length alone, without a body, for an answer to HEAD.
   *
   * @param length the length that the body of GET would have
   */
  record Announced(long length) implements StreamedBody {
    @Override
    public void close() {}
  }

  /**
   * Bytes that are read from a source as fast as the client takes them.
   *
   * @param workers the threads that run the source
   */
  record Pulled(BodySource source, long length, WorkerPool workers) implements StreamedBody {
    @Override
    public void close() {
      if (!workers.tryExecute(source::close)) {
        source.close();
      }
    }
  }

  /**
   * A body without end, to which any thread adds: server-sent events. A client that leaves too much
   * unread is disconnected. The stream ends when either side closes it.
   */
  final class Events implements StreamedBody {
    private final long unsentBytesMax;
    private final Runnable ended;
    private final AtomicLong unsent = new AtomicLong();
    private final AtomicBoolean over = new AtomicBoolean();
    private final Promise<Void> sent = Promise.promise();
    private volatile @Nullable Context context;
    private volatile @Nullable HttpServerRequest request;

    /**
     * @param unsentBytesMax the bytes after which a client that does not read is disconnected
     * @param ended called once, when the stream is over, on any thread
     */
    public Events(long unsentBytesMax, Runnable ended) {
      this.unsentBytesMax = unsentBytesMax;
      this.ended = ended;
    }

    /** Returns -1: the length is not known. */
    @Override
    public long length() {
      return -1;
    }

    /** Starts sending. Status and headers are already set. Called on the event loop. */
    Future<Void> begin(Vertx vertx, HttpServerRequest newRequest) {
      HttpServerResponse out = newRequest.response();
      out.exceptionHandler(gone -> close());
      out.closeHandler(gone -> close());
      context = vertx.getOrCreateContext();
      request = newRequest;
      // Sends the head now, before the first event.
      Future<Void> unused = out.write(Buffer.buffer(": begun\n\n"));
      return sent.future();
    }

    /** Adds bytes, if the stream has begun and is not over. May be called from any thread. */
    public void send(byte[] bytes) {
      Context loop = context;
      HttpServerRequest to = request;
      if (loop == null || to == null || over.get()) {
        return;
      }
      if (unsent.addAndGet(bytes.length) > unsentBytesMax) {
        close();
        return;
      }
      loop.runOnContext(
          now -> {
            if (!over.get()) {
              Future<Void> unused =
                  to.response()
                      .write(Buffer.buffer(bytes))
                      .onComplete(taken -> unsent.addAndGet(-bytes.length));
            }
          });
    }

    /** Ends the stream and closes its connection. */
    @Override
    public void close() {
      if (!over.compareAndSet(false, true)) {
        return;
      }
      Context loop = context;
      HttpServerRequest to = request;
      if (loop != null && to != null) {
        loop.runOnContext(
            now -> {
              sent.tryComplete();
              Future<Void> unused = to.connection().close();
            });
      }
      ended.run();
    }
  }
}
