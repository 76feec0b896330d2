package io.lazuli.server.http;

import io.lazuli.server.error.CommonErrors;
import io.lazuli.server.error.ServiceError;
import io.lazuli.server.tls.TlsIdentity;
import io.lazuli.storage.thread.OutOfMemory;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.Http1ServerConfig;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerConfig;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.impl.HttpServerConnection;
import io.vertx.core.net.KeyCertOptions;
import io.vertx.core.net.ServerSSLOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One port that receives requests. */
public final class Listener {
  private static final Logger LOG = LoggerFactory.getLogger(Listener.class);

  /** The time that closing the port may take after the last request. An event loop may hang. */
  private static final Duration STOP_SLACK = Duration.ofSeconds(1);

  private static final Set<String> PROTOCOLS = Set.of("TLSv1.2", "TLSv1.3");

  /**
   * The suites that are offered, the best first: those of TLS 1.3, and for TLS 1.2 those with an
   * ephemeral key exchange and authenticated encryption.
   */
  private static final List<String> CIPHER_SUITES =
      List.of(
          "TLS_AES_256_GCM_SHA384",
          "TLS_AES_128_GCM_SHA256",
          "TLS_CHACHA20_POLY1305_SHA256",
          "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384",
          "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384",
          "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256",
          "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256",
          "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256",
          "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256");

  private final Vertx vertx;
  private final int port;
  private final ListenerConfig config;
  private final Http1ServerConfig http;
  private final ByteBudget heads;
  private final ByteBudget bodies;
  private final AnswerBudget answers;
  private final RequestHandler handler;
  private final List<HttpServer> servers = new CopyOnWriteArrayList<>();
  private final AtomicInteger connections = new AtomicInteger();
  private volatile boolean leaving;

  /**
   * @param freePort a negative number for which Vert.x chooses a free port, the same one for all
   *     servers that use this number
   */
  Listener(
      Vertx vertx,
      int freePort,
      ListenerConfig config,
      ByteBudget heads,
      ByteBudget bodies,
      AnswerBudget answers,
      RequestHandler handler) {
    this.vertx = vertx;
    this.port = config.port() == 0 ? freePort : config.port();
    this.config = config;
    this.http = options().getHttp1Config();
    this.heads = heads;
    this.bodies = bodies;
    this.answers = answers;
    this.handler = handler;
  }

  /** Returns the port of the listener. */
  public int port() {
    return servers.get(0).actualPort();
  }

  /** Returns the number of open connections. */
  public int connections() {
    return connections.get();
  }

  /**
   * Announces that the listener will stop: from now on, every answer says {@code Connection:
   * close}, and its connection is closed after it. New connections are still accepted.
   */
  public void leave() {
    leaving = true;
  }

  /** Stops accepting requests, waits a bounded time for running requests, and closes the port. */
  public void stop(Duration wait) {
    stop(List.of(this), wait);
  }

  /** Stops several listeners at the same time. */
  public static void stop(List<Listener> listeners, Duration wait) {
    List<Future<Void>> stopped = new ArrayList<>();
    for (Listener listener : listeners) {
      listener.leave();
      for (HttpServer server : listener.servers) {
        stopped.add(server.shutdown(wait.toMillis(), TimeUnit.MILLISECONDS));
      }
    }
    try {
      Future.join(stopped)
          .toCompletionStage()
          .toCompletableFuture()
          .get(wait.plus(STOP_SLACK).toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException | TimeoutException e) {
      LOG.warn("a listener did not stop in order", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Adds a server on the event loop of this context. */
  Future<HttpServer> listenOn(Context context) {
    Executor loop = task -> context.runOnContext(ignored -> task.run());
    HttpServer server =
        create()
            .connectionHandler(this::connected)
            .requestHandler(request -> handle(request, loop))
            .invalidRequestHandler(request -> refuse(request, loop));
    servers.add(server);
    return server.listen(port, config.host());
  }

  /** Replaces the certificate for new connections, on all event loops. */
  public void identity(TlsIdentity fresh) {
    servers
        .get(0)
        .updateSSLOptions(secured(fresh))
        .toCompletionStage()
        .toCompletableFuture()
        .join();
  }

  private HttpServer create() {
    TlsIdentity identity = config.identity();
    return identity == null
        ? vertx.createHttpServer(options())
        : vertx.createHttpServer(
            new HttpServerConfig(options().setSsl(true))
                .setVersions(HttpVersion.HTTP_1_0, HttpVersion.HTTP_1_1),
            secured(identity));
  }

  private ServerSSLOptions secured(TlsIdentity identity) {
    ServerSSLOptions options = new ServerSSLOptions();
    CIPHER_SUITES.forEach(options::addEnabledCipherSuite);
    return options
        .setKeyCertOptions(KeyCertOptions.wrap(identity.keyManagers()))
        .setEnabledSecureTransportProtocols(PROTOCOLS)
        .setUseAlpn(false)
        .setSslHandshakeTimeoutUnit(TimeUnit.MILLISECONDS)
        .setSslHandshakeTimeout(config.handshakeTimeMax().toMillis());
  }

  private HttpServerOptions options() {
    return new HttpServerOptions()
        .setTcpNoDelay(true)
        .setMaxInitialLineLength(config.targetBytesMax())
        .setMaxHeaderSize(config.headerBytesMax())
        .setMaxChunkSize(Exchange.CHUNK_BYTES_MAX)
        .setIdleTimeoutUnit(TimeUnit.MILLISECONDS)
        .setIdleTimeout(Math.toIntExact(config.idleTimeout().toMillis()))
        .setHttp2ClearTextEnabled(false)
        // Without these two, Vert.x looks for WebSockets in every request.
        .setPerFrameWebSocketCompressionSupported(false)
        .setPerMessageWebSocketCompressionSupported(false)
        .setHandle100ContinueAutomatically(false);
  }

  /** Takes over the decoding of requests. Only here does Vert.x expose the channel. */
  private void connected(HttpConnection connection) {
    connections.incrementAndGet();
    connection.closeHandler(closed -> connections.decrementAndGet());
    connection.exceptionHandler(OutOfMemory::check);
    ChannelPipeline pipeline =
        ((HttpServerConnection) connection).channelHandlerContext().pipeline();
    RequestFlow.install(pipeline, http, config, heads, Connections.slot(pipeline.channel()));
  }

  private void handle(HttpServerRequest request, Executor loop) {
    Exchange exchange = exchange(request, loop);
    answer(
        exchange,
        exchange.hasOneHost()
            ? handler.handle(exchange.head())
            : handler.refuse(exchange.head(), HttpErrors.MALFORMED));
  }

  private Exchange exchange(HttpServerRequest request, Executor loop) {
    return new Exchange(vertx, request, config, bodies, answers, handler, loop, () -> leaving);
  }

  private void refuse(HttpServerRequest request, Executor loop) {
    Exchange exchange = exchange(request, loop);
    answer(exchange, handler.refuse(exchange.head(), problem(request)));
  }

  private static ServiceError problem(HttpServerRequest request) {
    Throwable cause = request.decoderResult().cause();
    if (cause instanceof TooLongHttpLineException) {
      return HttpErrors.URI_TOO_LONG;
    }
    if (cause instanceof RequestFlow.NoRoomException) {
      return CommonErrors.SERVER_BUSY;
    }
    return cause instanceof TooLongHttpHeaderException
        ? HttpErrors.HEADERS_TOO_LARGE
        : HttpErrors.MALFORMED;
  }

  private static void answer(Exchange exchange, CompletionStage<Response> answer) {
    answer.whenComplete((response, failure) -> write(exchange, response, failure));
  }

  /**
   * Writes an answer. This is the root of a thread: a failure that escaped would leave the client
   * waiting.
   */
  private static void write(
      Exchange exchange, @Nullable Response response, @Nullable Throwable failure) {
    try {
      if (response != null) {
        exchange.respond(response);
        return;
      }
      OutOfMemory.check(failure);
      LOG.error("a request got no answer", failure);
    } catch (RuntimeException | Error e) {
      OutOfMemory.check(e);
      LOG.error("an answer cannot be written", e);
    }
    exchange.abandon();
  }
}
