package io.lazuli.server.http;

import io.lazuli.server.access.Caller;
import io.lazuli.server.config.Limits;
import io.lazuli.server.error.CommonErrors;
import io.lazuli.server.event.DocumentedOperation;
import io.lazuli.server.event.OperationType;
import io.lazuli.server.event.RequestEvent;
import io.lazuli.server.event.ServerEvents;
import io.lazuli.server.pipeline.Addressing;
import io.lazuli.server.pipeline.AllowedHosts;
import io.lazuli.server.pipeline.RequestPipeline;
import io.lazuli.server.pipeline.Step;
import io.lazuli.server.table.protocol.ODataErrorForm;
import io.lazuli.server.throttle.RateTargets;
import io.lazuli.server.tls.TlsIdentity;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A listener with the real pipeline in front of an endpoint that returns what it received. A
 * request with {@code Authorization: yes} is authenticated.
 */
public final class EchoService implements AutoCloseable {
  public static final String HEAD = " HTTP/1.1\r\nHost: localhost\r\nAuthorization: yes\r\n";

  private static final Duration LONG = Duration.ofSeconds(30);

  final ByteBudget budget;
  final AnswerBudget answers;
  public final List<RequestEvent> events = new CopyOnWriteArrayList<>();
  final Listener listener;
  final WorkerPool workers;
  final Connections connections;
  final ByteBudget heads;
  private final EventLoops loops;

  public EchoService() {
    this(EchoService::echo);
  }

  public EchoService(Endpoint endpoint) {
    this(endpoint, new ByteBudget(1 << 20), 100, new WorkerPool("test-worker", 4, 16));
  }

  /** Creates a service with short time-outs. */
  public EchoService(Duration idleTimeout, Duration headTimeMax, Duration bodyTimeMax) {
    this(
        EchoService::echo,
        RequestPipeline.wholeBody(1000),
        new ByteBudget(1 << 20),
        100,
        new WorkerPool("test-worker", 4, 16),
        idleTimeout,
        headTimeMax,
        bodyTimeMax,
        0);
  }

  /** Creates a service with a rate target for accounts. */
  public EchoService(int accountRate) {
    this(
        EchoService::echo,
        RequestPipeline.wholeBody(1000),
        new ByteBudget(1 << 20),
        100,
        new WorkerPool("test-worker", 4, 16),
        LONG,
        LONG,
        LONG,
        accountRate);
  }

  public EchoService(Endpoint endpoint, ByteBudget budget, int connectionsMax, WorkerPool workers) {
    this(
        endpoint,
        RequestPipeline.wholeBody(1000),
        budget,
        connectionsMax,
        workers,
        LONG,
        LONG,
        LONG,
        0);
  }

  /**
   * Creates a service that leaves bodies to its endpoint. Streamed bodies have their own time
   * limit.
   */
  static EchoService streaming(
      Endpoint endpoint, ByteBudget budget, WorkerPool workers, Duration idleTimeout) {
    Duration wholeBodyTimeMax = Duration.ofMillis(100);
    return new EchoService(
        endpoint,
        RequestPipeline.unreadBody(),
        budget,
        100,
        workers,
        idleTimeout,
        LONG,
        wholeBodyTimeMax,
        0);
  }

  /** Creates a service with this memory for answers, which may be slow to leave. */
  static EchoService holding(Endpoint endpoint, AnswerBudget answers, WorkerPool workers) {
    return new EchoService(
        endpoint,
        RequestPipeline.wholeBody(1 << 20),
        new ByteBudget(100 << 20),
        answers,
        new Heads(connections(100), new ByteBudget(1 << 20), 4096, 100),
        workers,
        LONG,
        LONG,
        LONG,
        0,
        null,
        LONG);
  }

  /** Creates a service with https. */
  static EchoService secured(TlsIdentity identity, Duration headTimeMax, Duration handshakeMax) {
    return secured(identity, headTimeMax, handshakeMax, connections(100));
  }

  /** Creates a service with https and a bound on connections. */
  static EchoService secured(
      TlsIdentity identity, Duration headTimeMax, Duration handshakeMax, Connections connections) {
    return new EchoService(
        EchoService::echo,
        RequestPipeline.wholeBody(1000),
        new ByteBudget(1 << 20),
        plenty(),
        new Heads(connections, new ByteBudget(1 << 20), 4096, 100),
        new WorkerPool("test-worker", 4, 16),
        LONG,
        headTimeMax,
        LONG,
        0,
        identity,
        handshakeMax);
  }

  /** Creates a service with the limits of heads of the real server, except for their budget. */
  static EchoService withHeads(Endpoint endpoint, Connections connections, ByteBudget heads) {
    return new EchoService(
        endpoint,
        RequestPipeline.wholeBody(1000),
        new ByteBudget(1 << 20),
        plenty(),
        new Heads(connections, heads, Limits.HEADER_BYTES_MAX, Limits.HEADER_LINES_MAX),
        new WorkerPool("test-worker", 4, 16),
        LONG,
        LONG,
        LONG,
        0,
        null,
        LONG);
  }

  static Connections connections(int max) {
    return new Connections(max, max, address -> false);
  }

  private record Heads(Connections connections, ByteBudget budget, int bytesMax, int linesMax) {}

  private EchoService(
      Endpoint endpoint,
      Step body,
      ByteBudget budget,
      int connectionsMax,
      WorkerPool workers,
      Duration idleTimeout,
      Duration headTimeMax,
      Duration bodyTimeMax,
      int accountRate) {
    this(
        endpoint,
        body,
        budget,
        plenty(),
        new Heads(connections(connectionsMax), new ByteBudget(1 << 20), 4096, 100),
        workers,
        idleTimeout,
        headTimeMax,
        bodyTimeMax,
        accountRate,
        null,
        LONG);
  }

  private static AnswerBudget plenty() {
    return new AnswerBudget(100 << 20, LONG, LONG);
  }

  private EchoService(
      Endpoint endpoint,
      Step body,
      ByteBudget budget,
      AnswerBudget answers,
      Heads head,
      WorkerPool workers,
      Duration idleTimeout,
      Duration headTimeMax,
      Duration bodyTimeMax,
      int accountRate,
      TlsIdentity identity,
      Duration handshakeTimeMax) {
    this.budget = budget;
    this.answers = answers;
    this.workers = workers;
    this.connections = head.connections();
    this.heads = head.budget();
    this.loops = new EventLoops(2, connections, heads);
    RequestPipeline.Parts parts =
        new RequestPipeline.Parts(
            "Echo/1",
            Clock.systemUTC(),
            new ServerEvents(List.of((event, source) -> events.add(event))),
            EchoService::operation,
            new ODataErrorForm(),
            "Bearer",
            AllowedHosts.of("127.0.0.1", false, List.of(), "localhost"),
            account -> false,
            (request, next) -> next.handle(request),
            new Addressing("table", List.of("acct", "other")::contains),
            EchoService::authenticate,
            new RateTargets<>(accountRate, 10, CommonErrors.ACCOUNT_BUSY, () -> 0),
            null,
            body,
            1024,
            workers,
            true);
    listener =
        loops.listen(
            new ListenerConfig(
                "127.0.0.1",
                0,
                4096,
                head.bytesMax(),
                head.linesMax(),
                idleTimeout,
                headTimeMax,
                bodyTimeMax,
                8 << 20,
                Duration.ofSeconds(5),
                identity,
                handshakeTimeMax),
            budget,
            answers,
            RequestPipeline.ofService(parts, endpoint));
  }

  public RawConnection connect() throws IOException {
    return new RawConnection(listener.port());
  }

  private static OperationType operation(Request request) {
    return new DocumentedOperation(request.method().equals("REPORT") ? "GetReport" : "Echo");
  }

  private static CompletionStage<Response> authenticate(Request request, Endpoint next) {
    if (!"yes".equals(request.header("Authorization"))) {
      throw CommonErrors.AUTHENTICATION_FAILED.exception();
    }
    return next.handle(request.withCaller(new Caller("tester", false)));
  }

  /** Returns method, raw path and query, address, body and thread, one per line. */
  public static CompletableFuture<Response> echo(Request request) {
    String text =
        String.join(
            "\n",
            request.method(),
            request.rawPath() + "|" + request.rawQuery(),
            request.address().toString(),
            new String(request.body(), StandardCharsets.UTF_8),
            Thread.currentThread().getName());
    return CompletableFuture.completedFuture(
        Response.of(200).body("text/plain", text.getBytes(StandardCharsets.ISO_8859_1)).build());
  }

  @Override
  public void close() {
    listener.stop(Duration.ofSeconds(2));
    loops.close();
    workers.close();
  }
}
