package io.lazuli.server.http;

import io.lazuli.server.error.Futures;
import io.lazuli.storage.thread.OutOfMemory;
import io.netty.bootstrap.ServerBootstrap;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.file.FileSystemOptions;
import io.vertx.core.impl.transports.NioTransport;
import io.vertx.core.impl.transports.TransportInternal;
import io.vertx.core.net.TcpConfig;
import java.net.BindException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The threads that handle HTTP connections. Each listener uses all threads. The listeners share the
 * bounds on connections and on the memory of heads.
 */
public final class EventLoops implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(EventLoops.class);

  private static final int CLOSE_SECONDS_MAX = 3;

  private final Vertx vertx;
  private final int count;
  private final ByteBudget heads;
  private final AtomicInteger lastFreePort = new AtomicInteger();

  public EventLoops(int count, Connections connections, ByteBudget heads) {
    this.count = count;
    this.heads = heads;
    FileSystemOptions noFiles =
        new FileSystemOptions().setClassPathResolvingEnabled(false).setFileCachingEnabled(false);
    this.vertx =
        Vertx.builder()
            .with(
                new VertxOptions()
                    .setEventLoopPoolSize(count)
                    .setWorkerPoolSize(1)
                    .setInternalBlockingPoolSize(1)
                    .setUseDaemonThread(true)
                    .setFileSystemOptions(noFiles))
            .withTransport(
                new TransportInternal("nio", true, null, new CountingTransport(connections)))
            .build();
    vertx.exceptionHandler(EventLoops::failed);
  }

  /** Takes a failure that nothing on the event loop has handled. */
  private static void failed(Throwable failure) {
    OutOfMemory.check(failure);
    LOG.error("an event loop caught a failure", failure);
  }

  /**
   * Shows every accepted connection to {@link Connections}. The connection handler of Vert.x would
   * be too late: it is called after the TLS handshake (decision 0016).
   */
  private static final class CountingTransport extends NioTransport {
    private final Connections connections;

    CountingTransport(Connections connections) {
      this.connections = connections;
    }

    @Override
    public void configure(TcpConfig options, boolean domainSocket, ServerBootstrap bootstrap) {
      super.configure(options, domainSocket, bootstrap);
      bootstrap.handler(connections.acceptor(bootstrap));
    }
  }

  /**
   * Starts a listener with one server per event loop.
   *
   * @throws ListenException if the port cannot be opened
   */
  public Listener listen(
      ListenerConfig config, ByteBudget bodies, AnswerBudget answers, RequestHandler handler) {
    Listener listener =
        new Listener(
            vertx, lastFreePort.decrementAndGet(), config, heads, bodies, answers, handler);
    try {
      vertx
          .deployVerticle(() -> listener::listenOn, new DeploymentOptions().setInstances(count))
          .toCompletionStage()
          .toCompletableFuture()
          .join();
    } catch (CompletionException e) {
      throw cannotListen(config, Futures.cause(e));
    }
    return listener;
  }

  private static ListenException cannotListen(ListenerConfig config, Throwable cause) {
    String where = "port " + config.port() + " on " + config.host();
    boolean inUse = cause instanceof BindException && ("" + cause.getMessage()).contains("in use");
    String message =
        inUse ? where + " is in use" : "cannot listen on " + where + ": " + cause.getMessage();
    return new ListenException(message, config, inUse, cause);
  }

  /** Closes all connections. Waits a bounded time, because a loop may hang. */
  @Override
  public void close() {
    try {
      vertx
          .close()
          .toCompletionStage()
          .toCompletableFuture()
          .get(CLOSE_SECONDS_MAX, TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException e) {
      LOG.warn("the event loops did not end in order", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
