package io.lazuli.server.http;

import io.lazuli.server.error.CommonErrors;
import io.lazuli.server.error.ServiceError;
import io.lazuli.server.error.ServiceException;
import io.lazuli.server.event.HeaderVisitor;
import io.lazuli.server.event.OperationType;
import io.lazuli.server.event.RequestEvent.Transfer;
import io.lazuli.server.event.RequestSource;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.HttpHeaders;
import io.vertx.core.Future;
import io.vertx.core.MultiMap;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClosedException;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.internal.buffer.BufferInternal;
import io.vertx.core.net.SocketAddress;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One request on its connection: provides its head and body, and writes its answer. Used only on
 * its event loop, with two exceptions: any thread may read the headers and ask for the body.
 *
 * <p>A body is paused until somebody asks for it. If the answer is written before the body has
 * arrived, the rest of the body is discarded, for a bounded time and up to a bounded number of
 * bytes, so that the client gets to read the answer. Then the connection continues with the next
 * request, or is closed.
 */
final class Exchange implements Content, Headers, RequestSource {
  /**
   * The maximum length of one piece of a body. Vert.x holds up to 16 pieces while a body is paused.
   */
  static final int CHUNK_BYTES_MAX = 8 << 10;

  private static final String NO_LENGTH = "0";
  private static final int NOT_MODIFIED = 304;
  private static final int FIRST_ERROR = 400;

  /** The memory of a head, for the budget. Most heads are smaller. */
  private static final int HEAD_BYTES = 1 << 10;

  private final Vertx vertx;
  private final Thread loop = Thread.currentThread();
  private final HttpServerRequest request;
  private final ListenerConfig config;
  private final MultiMap headers;
  private final SocketAddress peer;
  private final ByteBudget budget;
  private final AnswerBudget answers;
  private final RequestFlow flow;
  private final long announcedLength;
  private final boolean hasBody;
  private @Nullable String authority;
  private final RequestHandler handler;
  private final BooleanSupplier leaving;
  private final Request head;
  private boolean continuePending;
  private long heldBytes;

  /** The bytes of the answer that were charged, until the part that sends them gives them back. */
  private long chargedBytes;

  private long discardedBytes;
  private long bodyNanos;
  private long answeredNanos;
  private boolean over;

  Exchange(
      Vertx vertx,
      HttpServerRequest request,
      ListenerConfig config,
      ByteBudget budget,
      AnswerBudget answers,
      RequestHandler handler,
      Executor toLoop,
      BooleanSupplier leaving) {
    this.vertx = vertx;
    this.request = request;
    this.config = config;
    this.headers = request.headers();
    this.peer = request.remoteAddress();
    this.budget = budget;
    this.answers = answers;
    this.flow = RequestFlow.of(request.connection());
    this.announcedLength = announcedLength(headers);
    this.hasBody = announcedLength != 0;
    if (hasBody) {
      request.pause();
      continuePending = "100-continue".equalsIgnoreCase(headers.get("Expect"));
    }
    this.handler = handler;
    this.leaving = leaving;
    this.head = toRequest(toLoop);
    flow.begin();
  }

  /** Returns the head of the request. */
  Request head() {
    return head;
  }

  private Request toRequest(Executor toLoop) {
    String target = request.uri();
    int pathFrom =
        target.startsWith("http://") || target.startsWith("https://") ? splitAbsolute(target) : 0;
    int query = target.indexOf('?', pathFrom);
    return new Request(
        RequestIds.next(),
        request.method().name(),
        target.substring(pathFrom, query < 0 ? target.length() : query),
        query < 0 ? "" : target.substring(query + 1),
        this,
        request.isSSL() ? "https" : "http",
        peer.hostAddress(),
        System.nanoTime(),
        this,
        answers,
        toLoop);
  }

  /**
   * Returns false if there is a second Host header: two readers of the request could then use
   * different hosts (RFC 9112, 3.2).
   */
  boolean hasOneHost() {
    return headers.getAll("Host").size() <= 1;
  }

  /**
   * Stores the host of an absolute target, which takes precedence over the Host header (RFC 9112,
   * 3.2.2). Returns the index at which the path begins.
   */
  private int splitAbsolute(String target) {
    int from = target.indexOf("//") + 2;
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
    // Vert.x is slow to collect an empty list.
    return headers.get(name) == null ? List.of() : headers.getAll(name);
  }

  @Override
  public Set<String> names() {
    return headers.names();
  }

  @Override
  public String method() {
    return head.method();
  }

  @Override
  public String scheme() {
    return head.scheme();
  }

  @Override
  public String host() {
    String host = first("Host");
    return host == null ? "" : host;
  }

  @Override
  public String target() {
    String target = request.uri();
    return authority == null
        ? target
        : target.substring(target.indexOf("//") + 2 + authority.length());
  }

  @Override
  public String peerAddress() {
    return head.remoteAddress();
  }

  @Override
  public int peerPort() {
    return peer.port();
  }

  @Override
  public long contentLength() {
    return announcedLength;
  }

  @Override
  public void visitHeaders(HeaderVisitor visitor) {
    visit(headers, visitor);
  }

  @Override
  public void visitAnswerHeaders(HeaderVisitor visitor) {
    visit(request.response().headers(), visitor);
  }

  /** Visits headers. For HTTP/1 it avoids converting every name to a string. */
  private static void visit(MultiMap headers, HeaderVisitor visitor) {
    if (headers instanceof HttpHeaders own) {
      own.iteratorCharSequence()
          .forEachRemaining(header -> visitor.visit(header.getKey(), header.getValue()));
    } else {
      headers.forEach(visitor::visit);
    }
  }

  @Override
  public OperationType operationByLine() {
    return handler.operationByLine(head);
  }

  @Override
  public long length() {
    return headers.contains("Content-Length") ? announcedLength : -1;
  }

  @Override
  public <T> CompletionStage<T> stream(BodyLimits limits, BodySink<T> sink, WorkerPool workers) {
    return onLoop(
        () -> {
          IncomingBody<T> body =
              new IncomingBody<>(vertx, request, length(), budget, limits, sink, workers);
          if (body.isWanted()) {
            askForBody();
            body.receive(this::discard);
            flow.wantBody();
            return timed(body.result());
          }
          return body.result();
        });
  }

  @Override
  public CompletionStage<byte[]> read(int bytesMax) {
    if (!hasBody) {
      return Content.NONE.read(bytesMax);
    }
    if (announcedLength > bytesMax) {
      return CompletableFuture.failedFuture(tooLarge(bytesMax));
    }
    return onLoop(() -> readOnLoop(bytesMax));
  }

  /** Runs work on the event loop. Steps of the pipeline already run there; endpoints do not. */
  private <T> CompletionStage<T> onLoop(Supplier<CompletionStage<T>> reading) {
    if (Thread.currentThread() == loop) {
      return reading.get();
    }
    return CompletableFuture.supplyAsync(reading, head.loop()).thenCompose(stage -> stage);
  }

  private void askForBody() {
    if (continuePending) {
      continuePending = false;
      request.response().writeContinue();
    }
  }

  private CompletionStage<byte[]> readOnLoop(int bytesMax) {
    askForBody();
    CompletableFuture<byte[]> body = new CompletableFuture<>();
    Buffer received = Buffer.buffer();
    request.exceptionHandler(failure -> fail(body, problem(failure)));
    request.endHandler(end -> body.complete(received.getBytes(0, received.length())));
    request.handler(chunk -> receive(chunk, received, bytesMax, body));
    request.resume();
    flow.wantBody();
    return body.isDone() ? body : failingWhenLate(body);
  }

  /**
   * Fails the body if it takes too long. The timer starts only if the body did not arrive together
   * with its head.
   */
  private CompletionStage<byte[]> failingWhenLate(CompletableFuture<byte[]> body) {
    long timer =
        vertx.setTimer(
            config.bodyTimeMax().toMillis(), late -> fail(body, CommonErrors.OPERATION_TIMED_OUT));
    return timed(body).whenComplete((received, failure) -> vertx.cancelTimer(timer));
  }

  /** Measures how long the client takes to send its body, which is not the server's time. */
  private <T> CompletionStage<T> timed(CompletableFuture<T> body) {
    long asked = System.nanoTime();
    return body.whenComplete((received, failure) -> bodyNanos += System.nanoTime() - asked);
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

  static ServiceException tooLarge(long bytesMax) {
    String max = Long.toString(bytesMax);
    return CommonErrors.REQUEST_BODY_TOO_LARGE.exception().with("MaxLimit", max);
  }

  static ServiceError problem(Throwable failure) {
    return failure instanceof HttpClosedException ? HttpErrors.CLIENT_GONE : HttpErrors.MALFORMED;
  }

  private static void fail(CompletableFuture<byte[]> body, ServiceError error) {
    body.completeExceptionally(error.exception());
  }

  /**
   * Writes the answer. Then the connection is ready for the next request, or closed. Large and
   * logged answers are reported once they are flushed or have failed. All others are reported
   * immediately: nobody measures them, and this avoids a callback.
   */
  void respond(Response response) {
    answeredNanos = System.nanoTime();
    budget.giveBack(heldBytes);
    heldBytes = 0;
    if (isLarge(response)) {
      if (request.response().closed()) {
        drop(response);
        return;
      } else if (!isCharged(response)) {
        refuse(response);
        return;
      }
    }
    send(response);
  }

  private static boolean isLarge(Response response) {
    return response.streamed() != null || response.body().length > AnswerBudget.SMALL_BYTES_MAX;
  }

  /**
   * Charges the answer, or the first piece of a pulled one. An encoded answer was charged before.
   * Returns false if the budget has no bytes left.
   */
  private boolean isCharged(Response response) {
    StreamedBody streamed = response.streamed();
    long bytes = 0;
    if (streamed == null) {
      bytes = response.body().length;
    } else if (streamed instanceof StreamedBody.Pulled pulled) {
      bytes = OutgoingBody.pieceBytes(pulled);
    }
    if (isHeadOnly(response.status()) || bytes == 0) {
      return true;
    }
    boolean taken = isRead() ? answers.tryTakeLarge(bytes) : answers.tryTake(bytes);
    chargedBytes = taken ? bytes : 0;
    return taken;
  }

  /** Returns whether the answer may still be refused, because the request changed nothing. */
  private boolean isRead() {
    return request.method().equals(HttpMethod.GET) || request.method().equals(HttpMethod.HEAD);
  }

  /**
   * Answers 503 instead of an answer for which there is no memory. If the request changed
   * something, closes the connection: 503 would say that nothing was changed.
   */
  private void refuse(Response response) {
    if (!isRead()) {
      drop(response);
      AnswerBudget.Watch.closeNow(request.connection());
      return;
    }
    if (response.streamed() != null) {
      response.streamed().close();
    }
    handler
        .refuse(head, CommonErrors.SERVER_BUSY)
        .whenComplete(
            (busy, failure) -> {
              if (busy == null) {
                abandon();
              } else {
                send(busy);
              }
            });
  }

  /** Discards an answer that cannot be sent. */
  private void drop(Response response) {
    answers.giveBack(chargedBytes);
    chargedBytes = 0;
    if (response.streamed() != null) {
      response.streamed().close();
    }
    ended(response, false);
  }

  private void send(Response response) {
    boolean bodyOutstanding = hasBody && !request.isEnded();
    Future<?> sent;
    try {
      sent = write(response, bodyOutstanding && continuePending);
    } catch (RuntimeException e) {
      drop(response);
      throw e;
    }
    if (bodyOutstanding) {
      discardRest();
    }
    if (sent.isComplete()) {
      ended(response, !sent.failed());
      return;
    }
    if (!isLarge(response)) {
      hold(HEAD_BYTES + response.body().length, sent);
    }
    if (isLarge(response) || head.details().isMeasured()) {
      sent.onComplete(result -> ended(response, result.succeeded()));
    } else {
      ended(response, !sent.failed());
    }
  }

  /**
   * Charges a small answer that the socket did not take immediately. If even the reserve is used
   * up, closes the connection.
   */
  private void hold(long bytes, Future<?> sent) {
    if (!answers.tryTake(bytes)) {
      AnswerBudget.Watch.closeNow(request.connection());
      return;
    }
    AnswerBudget.Watch watch = new AnswerBudget.Watch(vertx, request.connection(), answers);
    sent.onComplete(
        end -> {
          watch.end();
          answers.giveBack(bytes);
        });
  }

  private void ended(Response response, boolean complete) {
    long now = System.nanoTime();
    long serverNanos = answeredNanos - head.arrivedNanos() - bodyNanos;
    Transfer transfer =
        new Transfer(
            request.bytesRead(),
            request.response().bytesWritten(),
            now - head.arrivedNanos(),
            Math.max(0, serverNanos),
            complete);
    handler.ended(head, response.status(), transfer, this);
    endFlow();
  }

  private void endFlow() {
    if (!over) {
      over = true;
      flow.ended();
    }
  }

  private Future<?> write(Response response, boolean last) {
    HttpServerResponse out = request.response();
    out.setStatusCode(response.status());
    if (response.reason() != null) {
      out.setStatusMessage(response.reason());
    }
    MultiMap outHeaders = out.headers();
    List<String> list = response.headers();
    for (int i = 0; i < list.size(); i += 2) {
      outHeaders.add(list.get(i), list.get(i + 1));
    }
    boolean head = request.method().equals(HttpMethod.HEAD);
    // Azure sends no length with an error on HEAD (blob-rest 3.3).
    if (response.length() < 0) {
      out.setChunked(true);
    } else if (!head || response.status() < FIRST_ERROR) {
      // HTTP would give the length of the body with 304, but Azure sends 0 (blob-rest 4.1).
      long length = response.status() == NOT_MODIFIED ? 0 : response.length();
      outHeaders.add("Content-Length", length == 0 ? NO_LENGTH : Long.toString(length));
    }
    // After a malformed request nothing more can be read. Vert.x closes the connection, and the
    // client should know.
    boolean leaves = leaving.getAsBoolean();
    if (last || leaves || request.decoderResult().isFailure()) {
      outHeaders.set("Connection", "close");
    }
    if (leaves) {
      // Closes the connection after this answer and the rest of the request's body.
      request.connection().shutdown(config.bodyTimeMax().toMillis(), TimeUnit.MILLISECONDS);
    }
    StreamedBody streamed = response.streamed();
    if (streamed != null) {
      return stream(response.status(), streamed);
    } else if (chargedBytes > 0) {
      return stream(response.status(), AnswerBuffer.charged(answers, takeCharge(response.body())));
    }
    boolean empty = head || response.body().length == 0;
    // A buffer around the array; the other ways to make one copy the bytes.
    return out.end(
        empty ? Buffer.buffer() : BufferInternal.buffer(Unpooled.wrappedBuffer(response.body())));
  }

  /** Leaves it to the receiver of the bytes to give them back. */
  private byte[] takeCharge(byte[] bytes) {
    chargedBytes = 0;
    return bytes;
  }

  private boolean isHeadOnly(int status) {
    return request.method().equals(HttpMethod.HEAD) || status == NOT_MODIFIED;
  }

  private Future<?> stream(int status, StreamedBody body) {
    if (body instanceof StreamedBody.Events events) {
      Future<?> sent = events.begin(vertx, request);
      flow.closeWithInput();
      return sent;
    } else if (isHeadOnly(status) || body.length() == 0) {
      Future<?> sent = request.response().end();
      body.close();
      return sent;
    } else if (body instanceof AnswerBuffer encoded) {
      return encoded.send(vertx, request);
    } else if (body instanceof StreamedBody.Pulled pulled) {
      chargedBytes = 0;
      return new OutgoingBody(vertx, request, pulled, answers).begin();
    }
    throw new IllegalStateException("only HEAD is answered with a length alone");
  }

  /** Closes the connection without an answer, after a fault. */
  void abandon() {
    budget.giveBack(heldBytes);
    heldBytes = 0;
    endFlow();
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
    flow.wantBody();
  }

  private void discard(Buffer chunk) {
    discardedBytes += chunk.length();
    if (discardedBytes > config.discardedBytesMax()) {
      request.connection().close();
    }
  }

  /**
   * Returns the announced length; -1 if the body is chunked, or if the length of a malformed
   * request is not a number.
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
