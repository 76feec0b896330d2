package io.lazuli.server.outbound;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientConnection;
import io.vertx.core.http.HttpClientResponse;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * An answer whose body is read on request: the connection is read no further while nobody asks for
 * bytes. Thread-safe.
 */
final class PulledAnswer implements OutboundAnswer {
  private final Vertx vertx;
  private final HttpClientConnection connection;
  private final HttpClientResponse head;
  private final Runnable released;

  @GuardedBy("this")
  private @Nullable CompletableFuture<@Nullable ByteBuffer> asked;

  @GuardedBy("this")
  private @Nullable Throwable failure;

  @GuardedBy("this")
  private boolean ended;

  @GuardedBy("this")
  private boolean closed;

  /** Called on the event loop, before it handles the body. */
  PulledAnswer(
      Vertx vertx, HttpClientConnection connection, HttpClientResponse head, Runnable released) {
    this.vertx = vertx;
    this.connection = connection;
    this.head = head;
    this.released = released;
    head.pause();
    head.handler(this::arrived);
    head.endHandler(end -> ended());
    head.exceptionHandler(this::failed);
  }

  @Override
  public int status() {
    return head.statusCode();
  }

  @Override
  public @Nullable String header(String name) {
    return head.getHeader(name);
  }

  @Override
  public Map<String, String> headersWith(String prefix) {
    Map<String, String> found = new LinkedHashMap<>();
    head.headers()
        .forEach(
            (name, value) -> {
              if (name.toLowerCase(Locale.ROOT).startsWith(prefix)) {
                found.put(name.substring(prefix.length()), value);
              }
            });
    return found;
  }

  @Override
  public CompletionStage<@Nullable ByteBuffer> read() {
    CompletableFuture<@Nullable ByteBuffer> next = new CompletableFuture<>();
    synchronized (this) {
      if (failure != null) {
        return CompletableFuture.failedFuture(failure);
      } else if (ended) {
        return CompletableFuture.completedFuture(null);
      }
      asked = next;
    }
    vertx.runOnContext(now -> head.fetch(1));
    return next;
  }

  private void arrived(Buffer bytes) {
    CompletableFuture<@Nullable ByteBuffer> next = take();
    if (next != null) {
      next.complete(ByteBuffer.wrap(bytes.getBytes(0, bytes.length())));
    }
  }

  private void ended() {
    synchronized (this) {
      ended = true;
    }
    CompletableFuture<@Nullable ByteBuffer> next = take();
    if (next != null) {
      next.complete(null);
    }
  }

  private void failed(Throwable cause) {
    OutboundException translated = OutboundClient.translated(cause);
    synchronized (this) {
      if (ended) {
        return;
      }
      failure = failure == null ? translated : failure;
    }
    CompletableFuture<@Nullable ByteBuffer> next = take();
    if (next != null) {
      next.completeExceptionally(translated);
    }
  }

  private synchronized @Nullable CompletableFuture<@Nullable ByteBuffer> take() {
    CompletableFuture<@Nullable ByteBuffer> next = asked;
    asked = null;
    return next;
  }

  @Override
  public void close() {
    synchronized (this) {
      if (closed) {
        return;
      }
      closed = true;
    }
    released.run();
    failed(new OutboundException(OutboundException.Kind.UNREACHABLE, "the call was ended"));
    vertx.runOnContext(now -> connection.close());
  }
}
