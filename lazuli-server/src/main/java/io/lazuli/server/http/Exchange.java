package io.lazuli.server.http;

import io.lazuli.server.error.CommonErrors;
import io.lazuli.server.error.ServiceError;
import io.lazuli.server.error.ServiceException;
import io.vertx.core.MultiMap;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClosedException;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * One request on its connection: gives its head and body, writes its answer. Used on its event loop
 * only, except the headers, which anybody may read.
 *
 * <p>A body is paused until it is asked for. If the answer leaves before the body has come, the
 * rest is thrown away for a bounded time and a bounded number of bytes, so that the client gets to
 * read the answer; then the connection serves on, or is closed.
 */
final class Exchange implements Content, Headers {
  private static final String NO_LENGTH = "0";

  private final Vertx vertx;
  private final HttpServerRequest request;
  private final ListenerConfig config;
  private final MultiMap headers;
  private final BodyBudget budget;
  private final long announcedLength;
  private final boolean hasBody;
  private @Nullable String authority;
  private boolean continuePending;
  private long heldBytes;
  private long discardedBytes;

  Exchange(Vertx vertx, HttpServerRequest request, ListenerConfig config, BodyBudget budget) {
    this.vertx = vertx;
    this.request = request;
    this.config = config;
    this.headers = request.headers();
    this.budget = budget;
    this.announcedLength = announcedLength(headers);
    this.hasBody = announcedLength != 0;
    if (hasBody) {
      request.pause();
      continuePending = "100-continue".equalsIgnoreCase(headers.get("Expect"));
    }
  }

  /** The head of the request. */
  Request toRequest() {
    String target = request.uri();
    int pathFrom = target.startsWith("http://") ? splitAbsolute(target) : 0;
    int query = target.indexOf('?', pathFrom);
    return new Request(
        RequestIds.next(),
        request.method().name(),
        target.substring(pathFrom, query < 0 ? target.length() : query),
        query < 0 ? "" : target.substring(query + 1),
        this,
        request.isSSL() ? "https" : "http",
        request.remoteAddress().hostAddress(),
        System.nanoTime(),
        this);
  }

  /** A second host would let two readers of one request disagree (RFC 9112, 3.2). */
  boolean hasOneHost() {
    return headers.getAll("Host").size() <= 1;
  }

  /** The host of an absolute target counts, not that of the header (RFC 9112, 3.2.2). */
  private int splitAbsolute(String target) {
    int from = "http://".length();
    int path = target.indexOf('/', from);
    int end = path < 0 ? target.length() : path;
    authority = target.substring(from, end);
    return end;
  }

  @Override
  public @Nullable String first(String name) {
    return authority != null && name.equals("Host") ? authority : headers.get(name);
  }

  @Override
  public List<String> all(String name) {
    // Vert.x takes its time to collect nothing.
    return headers.get(name) == null ? List.of() : headers.getAll(name);
  }

  @Override
  public Set<String> names() {
    return headers.names();
  }

  @Override
  public CompletionStage<byte[]> read(int bytesMax) {
    if (!hasBody) {
      return Content.NONE.read(bytesMax);
    }
    if (announcedLength > bytesMax) {
      return CompletableFuture.failedFuture(tooLarge(bytesMax));
    }
    if (continuePending) {
      continuePending = false;
      request.response().writeContinue();
    }
    CompletableFuture<byte[]> body = new CompletableFuture<>();
    Buffer received = Buffer.buffer();
    request.exceptionHandler(failure -> fail(body, problem(failure)));
    request.endHandler(end -> body.complete(received.getBytes(0, received.length())));
    request.handler(chunk -> receive(chunk, received, bytesMax, body));
    request.resume();
    return body.isDone() ? body : failingWhenLate(body);
  }

  /** Time runs only for a body that did not come together with its head. */
  private CompletionStage<byte[]> failingWhenLate(CompletableFuture<byte[]> body) {
    long timer =
        vertx.setTimer(
            config.bodyTimeMax().toMillis(), late -> fail(body, CommonErrors.OPERATION_TIMED_OUT));
    return body.whenComplete((received, failure) -> vertx.cancelTimer(timer));
  }

  private void receive(
      Buffer chunk, Buffer received, int bytesMax, CompletableFuture<byte[]> body) {
    if (body.isDone()) {
      discard(chunk);
    } else if (received.length() + (long) chunk.length() > bytesMax) {
      body.completeExceptionally(tooLarge(bytesMax));
    } else if (!budget.tryTake(chunk.length())) {
      fail(body, CommonErrors.SERVER_BUSY);
    } else {
      heldBytes += chunk.length();
      received.appendBuffer(chunk);
    }
  }

  private static ServiceException tooLarge(int bytesMax) {
    String max = Integer.toString(bytesMax);
    return CommonErrors.REQUEST_BODY_TOO_LARGE.exception().with("MaxLimit", max);
  }

  private static ServiceError problem(Throwable failure) {
    return failure instanceof HttpClosedException ? HttpErrors.CLIENT_GONE : HttpErrors.MALFORMED;
  }

  private static void fail(CompletableFuture<byte[]> body, ServiceError error) {
    body.completeExceptionally(error.exception());
  }

  /** Writes the answer; the connection is then ready for the next request, or closed. */
  void respond(Response response) {
    budget.giveBack(heldBytes);
    heldBytes = 0;
    HttpServerResponse out = request.response();
    out.setStatusCode(response.status());
    MultiMap outHeaders = out.headers();
    List<String> list = response.headers();
    for (int i = 0; i < list.size(); i += 2) {
      outHeaders.add(list.get(i), list.get(i + 1));
    }
    int length = response.body().length;
    outHeaders.add("Content-Length", length == 0 ? NO_LENGTH : Integer.toString(length));
    boolean bodyOutstanding = hasBody && !request.isEnded();
    // Behind what is no request nothing can be read: Vert.x closes, and the client should know.
    if ((bodyOutstanding && continuePending) || request.decoderResult().isFailure()) {
      outHeaders.set("Connection", "close");
    }
    out.end(length == 0 ? Buffer.buffer() : Buffer.buffer(response.body()));
    if (bodyOutstanding) {
      discardRest();
    }
  }

  /** Ends the connection without an answer, after a fault. */
  void abandon() {
    budget.giveBack(heldBytes);
    heldBytes = 0;
    request.connection().close();
  }

  private void discardRest() {
    long timer =
        vertx.setTimer(config.discardTimeMax().toMillis(), late -> request.connection().close());
    request.exceptionHandler(failure -> vertx.cancelTimer(timer));
    request.endHandler(
        end -> {
          vertx.cancelTimer(timer);
          if (continuePending) {
            request.connection().close();
          }
        });
    request.handler(this::discard);
    request.resume();
  }

  private void discard(Buffer chunk) {
    discardedBytes += chunk.length();
    if (discardedBytes > config.discardedBytesMax()) {
      request.connection().close();
    }
  }

  /**
   * The length as announced; -1 if it comes in chunks or, in what is no request, makes no sense.
   */
  private static long announcedLength(MultiMap headers) {
    String length = headers.get("Content-Length");
    if (length == null) {
      return headers.contains("Transfer-Encoding") ? -1 : 0;
    }
    try {
      return Long.parseLong(length.trim());
    } catch (NumberFormatException e) {
      return -1;
    }
  }
}
