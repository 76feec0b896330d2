package io.lazuli.server;

import io.lazuli.server.config.Limits;
import io.lazuli.server.config.ListenAddress;
import io.lazuli.server.config.ServerConfig;
import io.lazuli.server.config.ServerStartException;
import io.lazuli.server.config.TlsFiles;
import io.lazuli.server.development.DevelopmentAccess;
import io.lazuli.server.development.DevelopmentFiles;
import io.lazuli.server.development.DevelopmentIssuer;
import io.lazuli.server.event.ServerEvents;
import io.lazuli.server.http.AnswerBudget;
import io.lazuli.server.http.ByteBudget;
import io.lazuli.server.http.Connections;
import io.lazuli.server.http.Endpoint;
import io.lazuli.server.http.EventLoops;
import io.lazuli.server.http.Listener;
import io.lazuli.server.http.WorkerPool;
import io.lazuli.server.identity.OwnIssuer;
import io.lazuli.server.pipeline.RequestPipeline;
import io.lazuli.server.tls.LocalAuthority;
import io.lazuli.server.tls.TlsException;
import io.lazuli.server.tls.TlsIdentity;
import io.lazuli.server.watch.FileWatch;
import io.lazuli.server.watch.RefusedFileException;
import java.time.Clock;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The development identity of one server, if it has one, with a port and bounds of its own. The
 * port is always on 127.0.0.1 and always uses https, because SDKs refuse other authorities.
 */
final class ServerDevelopment implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ServerDevelopment.class);

  private static final String HOST = "127.0.0.1";

  private final ServerConfig config;
  private final @Nullable DevelopmentFiles files;
  private @Nullable Listener listener;
  private @Nullable DevelopmentAccess access;

  private ServerDevelopment(ServerConfig config, @Nullable DevelopmentFiles files) {
    this.config = config;
    this.files = files;
  }

  /**
   * Reads or makes the keys, and the certificate unless the operator gave one.
   *
   * @throws ServerStartException if the server cannot have the identity that is configured
   */
  static ServerDevelopment of(ServerConfig given) {
    boolean loopback = ServerAccounts.isLoopback(given) && given.listeners().admin().isLoopback();
    String problem = given.development().contradiction(given.tokens().isOn(), loopback);
    if (!problem.isEmpty()) {
      throw new ServerStartException(problem);
    } else if (!given.development().on()) {
      return new ServerDevelopment(given, null);
    }
    try {
      return certified(given);
    } catch (RefusedFileException | TlsException e) {
      throw new ServerStartException("dev-identity: " + e.getMessage());
    }
  }

  private static ServerDevelopment certified(ServerConfig given) throws TlsException {
    DevelopmentFiles files =
        given.store().isInMemory()
            ? DevelopmentFiles.temporary()
            : DevelopmentFiles.inside(given.store().folder());
    if (given.listeners().tls() != null) {
      return new ServerDevelopment(given, files);
    }
    LocalAuthority authority = files.certify(given.listeners().domain());
    TlsFiles tls = new TlsFiles(authority.serverCertificate(), authority.serverKey(), null);
    return new ServerDevelopment(given.withTls(tls), files);
  }

  /** Returns the configuration of the server. With the identity, it has a certificate. */
  ServerConfig config() {
    return config;
  }

  /**
   * Opens the port.
   *
   * @return the issuer whose tokens the services accept; null if there is none
   * @throws io.lazuli.server.http.ListenException if the port cannot be opened
   */
  @Nullable OwnIssuer open(ServerFrame frame, @Nullable FileWatch<TlsIdentity> tls) {
    return files == null || tls == null ? null : open(frame, tls.content(), files);
  }

  private OwnIssuer open(ServerFrame frame, TlsIdentity certificate, DevelopmentFiles own) {
    EventLoops loop =
        new EventLoops(
            1,
            new Connections(
                Limits.IDENTITY_CONNECTIONS_MAX, Limits.IDENTITY_CONNECTIONS_MAX, address -> false),
            new ByteBudget(Limits.HEADER_BYTES_MAX));
    frame.closers().push(loop::close);
    // The issuer has the port in its name, so its endpoint is made once the port is open.
    CompletableFuture<Endpoint> endpoint = new CompletableFuture<>();
    Listener opened =
        loop.listen(
            AdminPort.config(new ListenAddress(HOST, config.development().port()), certificate),
            new ByteBudget(Limits.HELD_IDENTITY_BYTES_MAX),
            new AnswerBudget(
                Limits.HELD_IDENTITY_BYTES_MAX,
                Limits.ANSWER_STALL_TIME_MAX,
                Limits.SHORT_ANSWER_TIME_MAX),
            RequestPipeline.ofAdmin(
                "Lazuli/" + Version.current(),
                Clock.systemUTC(),
                new ServerEvents(List.of()),
                DevelopmentIssuer.ERRORS,
                Limits.CLIENT_REQUEST_ID_CHARS_MAX,
                request -> endpoint.thenCompose(made -> made.handle(request))));
    frame.closers().push(() -> opened.stop(Limits.STOP_NOTICE));
    listener = opened;
    WorkerPool signers = frame.pool("identity", 1, Limits.IDENTITY_QUEUE_MAX);
    DevelopmentIssuer issuer =
        DevelopmentIssuer.of(
            config.development(),
            own,
            "https://" + ConnectionString.authority(HOST, opened.port()),
            Limits.IDENTITY_RATE_MAX,
            Limits.IDENTITY_FORM_BYTES_MAX,
            signers);
    access = issuer.access();
    boolean unused = endpoint.complete(issuer.endpoint());
    LOG.warn(
        "dev-identity: every program that knows the secret gets tokens at {}; for development"
            + " only",
        issuer.access().authority());
    return issuer.issuer();
  }

  /** Returns what clients need; null if the server has no development identity. */
  @Nullable DevelopmentAccess access() {
    return access;
  }

  /** Shows a renewed certificate from now on. */
  void identity(TlsIdentity fresh) {
    if (listener != null) {
      listener.identity(fresh);
    }
  }

  @Override
  public void close() {
    if (files != null) {
      files.close();
    }
  }
}
