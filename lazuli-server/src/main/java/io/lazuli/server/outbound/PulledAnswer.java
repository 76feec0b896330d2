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
 *
 * <p>The client of Vert.x reports the end of a connection at once, even if it still holds bytes of
 * the body, which it keeps for a slow reader, and the end of the body. A source that closes its
 * connection after the body would then look like one that broke off. So a failure counts only when
 * no more bytes come, and not for a body that has its announced length. A body without a length
 * fails then, because Vert.x drops its end. Copies do not accept one.
 */
final class PulledAnswer implements OutboundAnswer {
  /**
   * The number of times that the event loop may do other work, after the connection failed, before
   * bytes that were asked for come. All bytes that are left are in its memory by then.
   */
  private static final int TURNS_MAX = 3;

  private final Vertx vertx;
  private final HttpClientConnection connection;
  private final HttpClientResponse head;
  private final Runnable released;
  private final long length;

  @GuardedBy("this")
  private long received;

  @GuardedBy("this")
  private @Nullable CompletableFuture<@Nullable ByteBuffer> asked;

  @GuardedBy("this")
  private @Nullable Throwable failure;

  @GuardedBy("this")
  private boolean ended;

  /** Whether nothing is left of what arrived before the failure. */
  @GuardedBy("this")
  private boolean exhausted;

  @GuardedBy("this")
  private boolean closed;

  /** Called on the event loop, before it handles the body. */
  PulledAnswer(
      Vertx vertx, HttpClientConnection connection, HttpClientResponse head, Runnable released) {
    this.vertx = vertx;
    this.connection = connection;
    this.head = head;
    this.released = released;
    this.length = length(head);
    head.pause();
    head.handler(this::arrived);
    head.endHandler(end -> ended());
    head.exceptionHandler(this::failed);
  }

  /** Returns the length of the body; -1 if the head does not announce it. */
  private static long length(HttpClientResponse head) {
    String text = head.getHeader("Content-Length");
    if (text == null || head.getHeader("Transfer-Encoding") != null) {
      return -1;
    }
    return text.matches("[0-9]{1,18}") ? Long.parseLong(text) : -1;
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
      if (ended) {
        return CompletableFuture.completedFuture(null);
      } else if (failure != null && exhausted) {
        return CompletableFuture.failedFuture(failure);
      }
      asked = next;
    }
    vertx.runOnContext(
        now -> {
          head.fetch(1);
          settle(next, TURNS_MAX);
        });
    return next;
  }

  private void arrived(Buffer bytes) {
    CompletableFuture<@Nullable ByteBuffer> next;
    synchronized (this) {
      received += bytes.length();
      next = take();
    }
    if (next != null) {
      next.complete(ByteBuffer.wrap(bytes.getBytes(0, bytes.length())));
    }
  }

  private void ended() {
    CompletableFuture<@Nullable ByteBuffer> next;
    synchronized (this) {
      ended = true;
      next = take();
    }
    if (next != null) {
      next.complete(null);
    }
  }

  /** Called on the event loop. */
  private void failed(Throwable cause) {
    CompletableFuture<@Nullable ByteBuffer> next;
    synchronized (this) {
      failure = failure == null ? OutboundClient.translated(cause) : failure;
      next = asked;
    }
    if (next != null) {
      settle(next, TURNS_MAX);
    }
  }

  /**
   * After a failure, ends a read for which no bytes come. A body that is complete has ended,
   * however the connection ended. Called on the event loop.
   */
  private void settle(CompletableFuture<@Nullable ByteBuffer> read, int turns) {
    @Nullable Throwable reason;
    synchronized (this) {
      if (failure == null || asked != read) {
        return;
      } else if (turns > 0) {
        vertx.runOnContext(later -> settle(read, turns - 1));
        return;
      }
      asked = null;
      exhausted = true;
      ended = received == length;
      reason = ended ? null : failure;
    }
    if (reason == null) {
      read.complete(null);
    } else {
      read.completeExceptionally(reason);
    }
  }

  private synchronized @Nullable CompletableFuture<@Nullable ByteBuffer> take() {
    CompletableFuture<@Nullable ByteBuffer> next = asked;
    asked = null;
    return next;
  }

  @Override
  public void close() {
    OutboundException ended =
        new OutboundException(OutboundException.Kind.UNREACHABLE, "the call was ended");
    CompletableFuture<@Nullable ByteBuffer> next;
    synchronized (this) {
      if (closed) {
        return;
      }
      closed = true;
      exhausted = true;
      failure = failure == null ? ended : failure;
      next = take();
    }
    released.run();
    if (next != null) {
      next.completeExceptionally(ended);
    }
    vertx.runOnContext(now -> connection.close());
  }
}
