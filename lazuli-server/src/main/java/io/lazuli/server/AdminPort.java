package io.lazuli.server;

import io.lazuli.server.admin.AdminEndpoint;
import io.lazuli.server.admin.AdminToken;
import io.lazuli.server.admin.CommandsEndpoint;
import io.lazuli.server.admin.Descriptors;
import io.lazuli.server.admin.HealthEndpoint;
import io.lazuli.server.admin.MetricsEndpoint;
import io.lazuli.server.admin.PartitionsEndpoint;
import io.lazuli.server.backup.Backups;
import io.lazuli.server.config.Limits;
import io.lazuli.server.config.ListenAddress;
import io.lazuli.server.config.ServerConfig;
import io.lazuli.server.config.ServerStartException;
import io.lazuli.server.config.ServiceName;
import io.lazuli.server.delegation.DelegationKeys;
import io.lazuli.server.http.AnswerBudget;
import io.lazuli.server.http.ByteBudget;
import io.lazuli.server.http.Connections;
import io.lazuli.server.http.EventLoops;
import io.lazuli.server.http.Listener;
import io.lazuli.server.http.ListenerConfig;
import io.lazuli.server.http.WorkerPool;
import io.lazuli.server.pipeline.RequestPipeline;
import io.lazuli.server.recovery.ItemRestore;
import io.lazuli.server.requestlog.RequestLog;
import io.lazuli.server.scrub.Scrub;
import io.lazuli.server.table.protocol.ODataErrorForm;
import io.lazuli.server.tls.PinnedCertificate;
import io.lazuli.server.tls.TlsIdentity;
import io.lazuli.server.watch.FileWatch;
import io.lazuli.storage.EngineState;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The admin port: health, metrics, commands and the console. It has an event loop and bounds of its
 * own, so that it answers while clients keep the event loops of the services busy or have used up
 * their bounds.
 */
final class AdminPort {
  private final ServerFrame frame;
  private final ServerConfig config;
  private final @Nullable FileWatch<TlsIdentity> tls;
  private final ServerConsole console;
  private final AdminToken token = AdminToken.create();
  private final Listener listener;

  /**
   * Opens the port.
   *
   * @param tls the certificate of the server; null if it has none
   * @param scrub null if the engine has none
   * @throws io.lazuli.server.http.ListenException if the port cannot be opened
   * @throws ServerStartException if a certificate is missing
   */
  AdminPort(
      ServerFrame frame,
      @Nullable FileWatch<TlsIdentity> tls,
      ServerStore store,
      RequestLog requestLog,
      @Nullable Scrub scrub,
      Backups backups,
      DelegationKeys delegationKeys,
      ServerConsole console) {
    this.frame = frame;
    this.config = frame.config();
    this.tls = tls;
    this.console = console;
    EventLoops loop =
        new EventLoops(
            1,
            new Connections(
                Limits.ADMIN_CONNECTIONS_MAX, Limits.ADMIN_CONNECTIONS_MAX, address -> false),
            new ByteBudget(Limits.HEADER_BYTES_MAX));
    frame.closers().push(loop::close);
    frame.health().add(Descriptors::trouble);
    AdminEndpoint endpoint = endpoint(store, requestLog, scrub, backups, delegationKeys);
    this.listener =
        loop.listen(
            config(config.listeners().admin(), identity()),
            new ByteBudget(Limits.HELD_COMMAND_BYTES_MAX),
            new AnswerBudget(
                Limits.HELD_ADMIN_ANSWER_BYTES_MAX,
                Limits.ANSWER_STALL_TIME_MAX,
                Limits.SHORT_ANSWER_TIME_MAX),
            RequestPipeline.ofAdmin(
                "Lazuli/" + Version.current(),
                Clock.systemUTC(),
                frame.adminEvents(),
                new ODataErrorForm(),
                Limits.CLIENT_REQUEST_ID_CHARS_MAX,
                endpoint));
    frame.closers().push(() -> listener.stop(Limits.STOP_NOTICE));
  }

  private AdminEndpoint endpoint(
      ServerStore store,
      RequestLog requestLog,
      @Nullable Scrub scrub,
      Backups backups,
      DelegationKeys delegationKeys) {
    HealthEndpoint health =
        new HealthEndpoint(
            () -> state(store),
            frame.health()::isServing,
            frame.health()::failure,
            frame.health()::troubles,
            requestLog::droppedLines,
            config.rehearsal());
    WorkerPool operators = frame.pool("partitions", 1, Limits.PARTITIONS_QUEUE_MAX);
    WorkerPool commanders = frame.pool("command", 1, Limits.COMMANDS_QUEUE_MAX);
    WorkerPool dividers = frame.pool("divide", 1, Limits.COMMANDS_QUEUE_MAX);
    CommandsEndpoint commands =
        new CommandsEndpoint(
            ServerCommands.of(
                scrub,
                backups,
                new ItemRestore(store.engine(), store.catalog(), config.store()),
                delegationKeys,
                new ServerPartitions(store.engine(), store.catalog()),
                () -> Map.of("link", signInLink())),
            token,
            Limits.COMMAND_BODY_BYTES_MAX,
            name -> ServerCommands.WAITING.contains(name) ? dividers : commanders);
    return new AdminEndpoint(
        health,
        new PartitionsEndpoint(store.engine()::partitionMap, operators),
        new MetricsEndpoint(frame.metrics(), operators),
        commands,
        console.guard(),
        console.gate(),
        console);
  }

  /** Returns the state of the engine, with a line about the work that servers share. */
  private static EngineState state(ServerStore store) {
    EngineState state = store.engine().state();
    String work = store.work().line();
    return work.isEmpty() || !state.writable()
        ? state
        : new EngineState(true, state.detail() + "; " + work, state.fault());
  }

  /** Returns the bounds of a listener that is not one of a service. */
  static ListenerConfig config(ListenAddress address, @Nullable TlsIdentity identity) {
    return new ListenerConfig(
        address.host(),
        address.port(),
        Limits.ADMIN_HEAD_BYTES_MAX,
        Limits.ADMIN_HEAD_BYTES_MAX,
        Limits.HEADER_LINES_MAX,
        Limits.IDLE_TIMEOUT,
        Limits.HEAD_TIME_MAX,
        Limits.BODY_TIME_MAX,
        Limits.DISCARDED_BODY_BYTES_MAX,
        Limits.DISCARD_TIME_MAX,
        identity,
        Limits.TLS_HANDSHAKE_TIME_MAX);
  }

  /** Returns the certificate of the port; null if the port uses plain http. */
  private @Nullable TlsIdentity identity() {
    if (!AdminAddress.isSecure(config.listeners())) {
      return null;
    }
    if (tls == null) {
      throw new ServerStartException("admin-tls needs tls-cert");
    }
    return tls.content();
  }

  /** Shows a renewed certificate from now on. Does nothing if the port uses plain http. */
  void identity(TlsIdentity fresh) {
    if (AdminAddress.isSecure(config.listeners())) {
      listener.identity(fresh);
      token.renew(url(), PinnedCertificate.fingerprint(fresh.certificate()));
    }
  }

  /** Writes the addresses of the server into the data folder, for other commands. */
  void writeAddresses(Map<ServiceName, ServiceAddress> services) {
    if (config.store().isInMemory()) {
      return;
    }
    Path folder = config.store().folder();
    TlsIdentity identity = identity();
    token.write(
        folder,
        url(),
        identity == null ? "" : PinnedCertificate.fingerprint(identity.certificate()));
    frame.closers().push(token::close);
    EndpointsFile file = EndpointsFile.write(folder, services);
    if (file != null) {
      frame.closers().push(file::close);
    }
  }

  int port() {
    return listener.port();
  }

  String url() {
    return AdminAddress.url(config.listeners(), port());
  }

  /** Returns a link that signs in to the console, once and within a minute. */
  String signInLink() {
    return AdminAddress.console(config, port()) + "/-/sign-in#" + console.link();
  }
}
