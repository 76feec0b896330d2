package io.lazuli.server;

import io.lazuli.server.account.Account;
import io.lazuli.server.admin.AdminEndpoint;
import io.lazuli.server.admin.AdminToken;
import io.lazuli.server.admin.CommandsEndpoint;
import io.lazuli.server.admin.Descriptors;
import io.lazuli.server.admin.HealthEndpoint;
import io.lazuli.server.admin.MetricsEndpoint;
import io.lazuli.server.admin.PartitionsEndpoint;
import io.lazuli.server.analytics.Analytics;
import io.lazuli.server.archive.Archiver;
import io.lazuli.server.backup.BackupConfig;
import io.lazuli.server.backup.Backups;
import io.lazuli.server.blob.protocol.HttpSources;
import io.lazuli.server.blob.service.BlobService;
import io.lazuli.server.blob.service.ExternalSources;
import io.lazuli.server.blob.service.PendingCopies;
import io.lazuli.server.catalog.Catalog;
import io.lazuli.server.config.ConnectionsConfig;
import io.lazuli.server.config.Limits;
import io.lazuli.server.config.ListenAddress;
import io.lazuli.server.config.MemoryPlan;
import io.lazuli.server.config.ServerConfig;
import io.lazuli.server.config.ServerStartException;
import io.lazuli.server.config.ServiceName;
import io.lazuli.server.engine.Engines;
import io.lazuli.server.error.Futures;
import io.lazuli.server.event.RequestCounters;
import io.lazuli.server.http.AnswerBudget;
import io.lazuli.server.http.ByteBudget;
import io.lazuli.server.http.Connections;
import io.lazuli.server.http.Endpoint;
import io.lazuli.server.http.EventLoops;
import io.lazuli.server.http.ListenException;
import io.lazuli.server.http.Listener;
import io.lazuli.server.http.ListenerConfig;
import io.lazuli.server.http.RequestHandler;
import io.lazuli.server.http.WorkerPool;
import io.lazuli.server.live.Live;
import io.lazuli.server.load.Load;
import io.lazuli.server.load.rule.Targets;
import io.lazuli.server.metrics.ServerMetrics;
import io.lazuli.server.outbound.AllowedSources;
import io.lazuli.server.outbound.HostLookup;
import io.lazuli.server.outbound.OutboundClient;
import io.lazuli.server.pipeline.RequestPipeline;
import io.lazuli.server.pipeline.ServicesByHost;
import io.lazuli.server.recovery.ItemRestore;
import io.lazuli.server.rehearsal.Dice;
import io.lazuli.server.requestlog.LogSweeper;
import io.lazuli.server.requestlog.RequestLog;
import io.lazuli.server.scrub.Scrub;
import io.lazuli.server.settings.ServiceProperties;
import io.lazuli.server.settings.ServicePropertiesStore;
import io.lazuli.server.table.protocol.ODataErrorForm;
import io.lazuli.server.tls.PinnedCertificate;
import io.lazuli.server.tls.TlsIdentity;
import io.lazuli.server.trace.RequestTraces;
import io.lazuli.server.watch.FileWatch;
import io.lazuli.storage.ChangeLog;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.StorageEngine;
import io.lazuli.storage.thread.OutOfMemory;
import io.lazuli.storage.thread.Threads;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A running server. The constructor creates all parts from top to bottom; they are closed in
 * reverse order.
 */
public final class LazuliServer implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(LazuliServer.class);

  private static final String OUT_OF_MEMORY = "the process ran out of memory; restart the server";
  private static final Duration CHECK_PERIOD = Duration.ofMillis(10);

  private final ServerConfig config;
  private final ServerAccounts accounts;
  private final @Nullable FileWatch<TlsIdentity> tls;
  private final RequestCounters counters = new RequestCounters();
  private final ServerMetrics metrics = new ServerMetrics();
  private final QueueStates queueStates = new QueueStates();
  private final Live live = new Live(System::currentTimeMillis);
  private final AtomicBoolean serving = new AtomicBoolean();
  private final Deque<Runnable> closers = new ArrayDeque<>();
  private final List<Supplier<String>> troubles = new CopyOnWriteArrayList<>();
  private volatile String failure = "";
  private volatile Duration requestTimeMax = Limits.STOP_WAIT;
  private final RequestLog requestLog;
  private final MemoryPlan memory = MemoryPlan.ofThisProcess();
  private final ByteBudget bodies = new ByteBudget(memory.bodyBytesMax());
  private final ByteBudget heads = new ByteBudget(memory.headBytesMax());
  private final Connections connections;
  private final AnswerBudget answers;
  private final Map<ServiceName, Listener> listeners = new EnumMap<>(ServiceName.class);
  private final List<Listener> open = new CopyOnWriteArrayList<>();
  private final AdminToken token = AdminToken.create();
  private final Listener admin;
  private final ServerConsole console;
  private @Nullable Listener web;

  /**
   * Starts a server. Requests are served when this method returns.
   *
   * @throws io.lazuli.storage.EngineOpenException if the data cannot be opened
   * @throws io.lazuli.server.http.ListenException if a port cannot be opened
   * @throws ServerStartException if it cannot run as configured
   */
  public static LazuliServer start(ServerConfig config) {
    return start(config, ServiceEndpoints::of);
  }

  /** Starts a server whose services have other endpoints, for tests. */
  static LazuliServer start(ServerConfig config, Endpoints endpoints) {
    return new LazuliServer(config, endpoints, answers(Limits.HELD_ANSWER_BYTES_MAX));
  }

  /** Starts a server with other memory for answers, for tests. */
  static LazuliServer start(ServerConfig config, AnswerBudget answers) {
    return new LazuliServer(config, ServiceEndpoints::of, answers);
  }

  private static AnswerBudget answers(long bytesMax) {
    return new AnswerBudget(bytesMax, Limits.ANSWER_STALL_TIME_MAX, Limits.SHORT_ANSWER_TIME_MAX);
  }

  /** Creates the endpoint of a service. */
  @FunctionalInterface
  interface Endpoints {
    Endpoint of(ServiceEndpoints own, StorageService service);
  }

  private LazuliServer(ServerConfig config, Endpoints endpoints, AnswerBudget answers) {
    this.config = config;
    this.answers = answers;
    this.connections = connections(config.listeners().connections(), memory);
    try {
      closers.push(OutOfMemory.onError(this::outOfMemory));
      closers.push(metrics::close);
      this.accounts = ServerAccounts.of(config);
      this.tls = ServerTls.watch(config.listeners().tls());
      StorageEngine engine = Engines.open(config.store());
      closers.push(engine::close);
      Catalog catalog = new Catalog(engine);
      ServicePropertiesStore properties = new ServicePropertiesStore(catalog);
      WorkerPool content = pool("content", Limits.CONTENT_THREADS, Limits.CONTENT_QUEUE_MAX);
      BlobService blobs =
          new BlobService(
              engine,
              catalog,
              UUID::randomUUID,
              new AccountProtections(accounts.registry(), properties),
              content.orElse(ForkJoinPool.commonPool()),
              config.protocol().rehydrationTime(),
              externalSources(),
              PendingCopies.Times.DEFAULT);
      closers.push(accounts.follow(catalog, new ProtectedBlobs(blobs)));
      troubles.add(accounts::trouble);
      Analytics analytics = startAnalytics(engine, catalog, blobs, properties);
      this.requestLog = startLogging(blobs, properties, analytics);
      Load load = startLoad(engine, catalog);
      WorkerPool workers = pool("worker", Limits.WORKER_THREADS, Limits.WORKER_QUEUE_MAX);
      EventLoops loops =
          new EventLoops(Runtime.getRuntime().availableProcessors(), connections, heads);
      closers.push(loops::close);
      addMetrics(engine, workers, content, blobs);
      this.console = newConsole(engine);
      Scrub scrub = startScrub(engine);
      Backups backups = startBackups(engine);
      this.admin = listenForAdmin(engine, catalog, scrub, backups);
      startServices(
          loops,
          endpoints,
          new ServerParts(
              config,
              accounts.registry(),
              engine,
              catalog,
              properties,
              blobs,
              requestLog,
              analytics,
              load,
              queueStates,
              live,
              backups,
              scrub,
              workers,
              content,
              config.rehearsal().isOff() ? null : new Dice(config.rehearsal()),
              metrics,
              startTracing(),
              this::ports,
              troubles::add,
              closers::push));
      writeAddresses();
      serving.set(true);
    } catch (RuntimeException | Error e) {
      close();
      throw e;
    }
  }

  private void addMetrics(
      StorageEngine engine, WorkerPool workers, WorkerPool content, BlobService blobs) {
    metrics.add(
        to ->
            MetricSources.state(
                to,
                config.store().engine(),
                serving.get(),
                engine.state(),
                troubles.stream().filter(trouble -> !trouble.get().isEmpty()).count()));
    metrics.add(to -> MetricSources.bodies(to, bodies));
    metrics.add(to -> MetricSources.heads(to, heads));
    metrics.add(to -> MetricSources.answers(to, answers));
    metrics.add(to -> MetricSources.connections(to, connections));
    metrics.add(to -> MetricSources.pool(to, "worker", workers));
    metrics.add(to -> MetricSources.pool(to, "content", content));
    metrics.add(to -> MetricSources.requestLog(to, requestLog));
    metrics.add(to -> MetricSources.blobGarbage(to, blobs.garbage().waiting()));
    metrics.add(engine::metrics);
  }

  private WorkerPool pool(String name, int threads, int queueMax) {
    WorkerPool made = new WorkerPool(name, threads, queueMax);
    closers.push(made::close);
    return made;
  }

  private ServerConsole newConsole(StorageEngine engine) {
    ServerConsole made =
        new ServerConsole(config, this::accountNames, engine::state, counters, this::address);
    closers.push(made::close);
    return made;
  }

  /** Returns the reader of the servers that the operator listed for copies. */
  private ExternalSources externalSources() {
    AllowedSources allowed = config.protocol().copySources();
    if (allowed.isEmpty()) {
      return ExternalSources.NONE;
    }
    OutboundClient client =
        new OutboundClient(
            allowed,
            HostLookup.SYSTEM,
            this::isOwn,
            new OutboundClient.Times(
                Limits.COPY_SOURCE_CONNECT_TIME_MAX, Limits.COPY_SOURCE_IDLE_TIME_MAX),
            Limits.COPY_SOURCE_CALLS_MAX);
    closers.push(client::close);
    return new HttpSources(client);
  }

  private boolean isOwn(InetAddress address, int port) {
    try {
      return ports().contains(port) && NetworkInterface.getByInetAddress(address) != null;
    } catch (SocketException e) {
      return true;
    }
  }

  private Set<Integer> ports() {
    Set<Integer> ports = new HashSet<>(Set.of(admin.port()));
    open.forEach(listener -> ports.add(listener.port()));
    return ports;
  }

  private static Connections connections(ConnectionsConfig config, MemoryPlan memory) {
    int max = config.max() == 0 ? memory.connectionsMax() : config.max();
    int perAddressMax = config.perAddressMax() == 0 ? (max + 1) / 2 : config.perAddressMax();
    return new Connections(max, perAddressMax, config::isTrusted);
  }

  /**
   * The admin port has its own allowance, so that it answers when the services have used theirs.
   */
  private static Connections adminConnections() {
    return new Connections(
        Limits.ADMIN_CONNECTIONS_MAX, Limits.ADMIN_CONNECTIONS_MAX, address -> false);
  }

  private void startServices(EventLoops loops, Endpoints endpoints, ServerParts parts) {
    ServicePipelines pipelines = new ServicePipelines(parts, counters);
    ServiceEndpoints own = new ServiceEndpoints(parts, pipelines);
    Map<StorageService, RequestHandler> handlers = new LinkedHashMap<>();
    for (StorageService service : services(config)) {
      handlers.put(service, pipelines.of(service, endpoints.of(own, service)));
    }
    if (config.listeners().onePort() == null) {
      handlers.forEach((service, handler) -> take(List.of(service), loops, handler));
    } else {
      Map<String, RequestHandler> byLabel = new LinkedHashMap<>();
      handlers.forEach((service, handler) -> byLabel.put(service.label(), handler));
      take(services(config), loops, new ServicesByHost(byLabel));
      if (ServiceAddress.isMistaken(open.get(0).port())) {
        LOG.warn(
            "the SDK for .NET looks for the account in the path at port {}", open.get(0).port());
      }
    }
    console.begin(own, pipelines, parts);
    startWebsites(loops, own, pipelines);
    if (config.listeners().hasSignpost()) {
      setUpSignpost(loops, pipelines.of(StorageService.BLOB, own.signpost()));
    }
    if (tls != null) {
      closers.push(tls::close);
      troubles.add(tls::trouble);
      ServerTls.follow(tls, this::renewed);
    }
    if (parts.dice() != null) {
      LOG.warn("rehearsing, requests fail on purpose: {}", config.rehearsal().text());
    }
  }

  private void renewed(TlsIdentity fresh) {
    open.forEach(one -> one.identity(fresh));
    if (AdminAddress.isSecure(config.listeners())) {
      admin.identity(fresh);
      token.renew(adminEndpoint(), PinnedCertificate.fingerprint(fresh.certificate()));
    }
  }

  /** Returns the certificate of the admin port; null if the port uses plain http. */
  private @Nullable TlsIdentity adminIdentity() {
    if (!AdminAddress.isSecure(config.listeners())) {
      return null;
    }
    if (tls == null) {
      throw new ServerStartException("admin-tls needs tls-cert");
    }
    return tls.content();
  }

  /** Starts the listener of static websites, if there is to be one. */
  private void startWebsites(
      EventLoops loops, ServiceEndpoints endpoints, ServicePipelines pipelines) {
    ListenAddress address = config.listeners().web();
    if (address == null) {
      return;
    }
    web =
        loops.listen(
            listenerConfig(address, tls == null ? null : tls.content()),
            bodies,
            answers,
            pipelines.ofWebsites(address, endpoints.websites()));
    open.add(web);
    closers.push(this::stopListeners);
    LOG.info("static websites are served at port {}", web.port());
  }

  /** Writes the addresses of the server into the data folder, for other commands. */
  private void writeAddresses() {
    Path folder = config.store().folder();
    if (config.store().isInMemory()) {
      return;
    }
    TlsIdentity identity = adminIdentity();
    token.write(
        folder,
        adminEndpoint(),
        identity == null ? "" : PinnedCertificate.fingerprint(identity.certificate()));
    closers.push(token::close);
    EndpointsFile file = EndpointsFile.write(folder, addresses());
    if (file != null) {
      closers.push(file::close);
    }
  }

  private Analytics startAnalytics(
      StorageEngine engine, Catalog catalog, BlobService blobs, ServicePropertiesStore properties) {
    Analytics analytics =
        new Analytics(
            engine,
            catalog,
            blobs,
            this::accountNames,
            accounts.registry()::isPresent,
            (account, label) -> properties(properties, account, label),
            Clock.systemUTC());
    closers.push(analytics::close);
    troubles.add(analytics::trouble);
    metrics.add(to -> MetricSources.analytics(to, analytics));
    analytics.start();
    return analytics;
  }

  private Load startLoad(StorageEngine engine, Catalog catalog) {
    Load load =
        new Load(
            engine,
            catalog,
            Targets.of(config.rates().partition(), config.rates().account()),
            queueStates,
            live.shapes()::add,
            Clock.systemUTC());
    closers.push(load::close);
    troubles.add(load::trouble);
    metrics.add(load::metrics);
    load.start();
    return load;
  }

  private RequestLog startLogging(
      BlobService blobs, ServicePropertiesStore properties, Analytics analytics) {
    Clock clock = Clock.systemUTC();
    RequestLog log =
        new RequestLog(
            blobs, analytics::countLogWrite, clock, Limits.LOG_FLUSH_PERIOD, memory.logBytesMax());
    closers.push(log::close);
    troubles.add(log::trouble);
    log.start();
    LogSweeper sweeper =
        new LogSweeper(
            blobs,
            this::accountNames,
            (account, label) -> properties(properties, account, label).logging().retentionDays(),
            clock);
    closers.push(sweeper::close);
    troubles.add(sweeper::trouble);
    sweeper.start();
    return log;
  }

  /** Starts the scrub, unless the engine keeps nothing on disk or checks itself. */
  private @Nullable Scrub startScrub(StorageEngine engine) {
    if (config.store().isInMemory() || engine.isShared()) {
      return null;
    }
    Scrub scrub =
        new Scrub(
            engine,
            config.store().folder(),
            config.scrub().interval(),
            config.scrub().bytesPerSecond(),
            Clock.systemUTC());
    closers.push(scrub::close);
    troubles.add(scrub::trouble);
    metrics.add(scrub::metrics);
    scrub.start();
    return scrub;
  }

  private Backups startBackups(StorageEngine engine) {
    BackupConfig plan = config.backup();
    String target = plan.target();
    Backups backups =
        new Backups(
            engine,
            Version.current(),
            accounts::fileContent,
            target == null || !plan.isScheduled()
                ? null
                : new Backups.Schedule(
                    new Backups.Order(target, plan.accounts(), (long) plan.rateMib() << 20),
                    Duration.ofMinutes(plan.minutes()),
                    plan.keep()),
            Clock.systemUTC());
    closers.push(backups::close);
    troubles.add(backups::trouble);
    backups.start();
    startArchive(engine, backups);
    return backups;
  }

  private void startArchive(StorageEngine engine, Backups backups) {
    BackupConfig plan = config.backup();
    if (!plan.archive()) {
      return;
    }
    String target = plan.target();
    ChangeLog changes = engine.changes();
    if (target == null || changes == null) {
      throw new ServerStartException("backup-archive needs backup-target");
    }
    Backups.Order order = new Backups.Order(target, plan.accounts(), (long) plan.rateMib() << 20);
    Archiver archiver = new Archiver(changes, target, () -> backups.begin(order));
    closers.push(archiver::close);
    troubles.add(archiver::trouble);
    metrics.add(archiver::metrics);
    archiver.start();
  }

  private @Nullable RequestTraces startTracing() {
    URI collector = config.otlpEndpoint();
    if (collector == null) {
      return null;
    }
    RequestTraces traces = new RequestTraces(collector, Version.current(), Clock.systemUTC());
    closers.push(traces::close);
    troubles.add(traces::trouble);
    metrics.add(traces::metrics);
    return traces;
  }

  private static ServiceProperties properties(
      ServicePropertiesStore properties, String account, String label) {
    StorageService service =
        StorageService.ALL.stream().filter(s -> s.label().equals(label)).findFirst().orElseThrow();
    Deadline deadline = Deadline.after(Limits.REQUEST_TIME_MAX);
    return Futures.await(properties.read(service.home().apply(account), deadline));
  }

  /** Starts the signpost, unless another process has the blob port. */
  private void setUpSignpost(EventLoops loops, RequestHandler signpost) {
    YieldingPort port = YieldingPort.announce(config.listeners().blob().port());
    closers.push(port::close);
    try {
      Listener listener = listen(List.of(StorageService.BLOB), loops, signpost);
      troubles.add(port::trouble);
      port.leaveWhenAsked(() -> listener.stop(Duration.ZERO));
    } catch (ListenException e) {
      port.close();
      LOG.info("the server has no signpost at the blob port: {}", e.getMessage());
    }
  }

  private void take(List<StorageService> services, EventLoops loops, RequestHandler handler) {
    int port = config.listeners().of(services.get(0).name()).port();
    YieldingPort.take(port, () -> listen(services, loops, handler));
  }

  private Listener listen(List<StorageService> services, EventLoops loops, RequestHandler handler) {
    ListenAddress address = config.listeners().of(services.get(0).name());
    Listener listener =
        loops.listen(
            listenerConfig(address, tls == null ? null : tls.content()), bodies, answers, handler);
    services.forEach(service -> listeners.put(service.name(), listener));
    open.add(listener);
    closers.push(this::stopListeners);
    return listener;
  }

  /** Stops the listeners of all services at the same time. Does nothing if they are stopped. */
  private void stopListeners() {
    Listener.stop(open, requestTimeMax);
    open.clear();
  }

  /**
   * Starts the admin listener on an event loop of its own, so that it answers while clients keep
   * the event loops of the services busy.
   */
  private Listener listenForAdmin(
      StorageEngine engine, Catalog catalog, @Nullable Scrub scrub, Backups backups) {
    EventLoops loop =
        new EventLoops(1, adminConnections(), new ByteBudget(Limits.HEADER_BYTES_MAX));
    closers.push(loop::close);
    troubles.add(Descriptors::trouble);
    HealthEndpoint health =
        new HealthEndpoint(
            engine::state,
            serving::get,
            () -> failure,
            () -> troubles.stream().map(Supplier::get).toList(),
            requestLog::droppedLines,
            config.rehearsal());
    WorkerPool operators = new WorkerPool("partitions", 1, Limits.PARTITIONS_QUEUE_MAX);
    closers.push(operators::close);
    PartitionsEndpoint partitions = new PartitionsEndpoint(engine::partitionMap, operators);
    WorkerPool commanders = new WorkerPool("command", 1, Limits.COMMANDS_QUEUE_MAX);
    closers.push(commanders::close);
    CommandsEndpoint commands =
        new CommandsEndpoint(
            ServerCommands.of(
                scrub,
                backups,
                new ItemRestore(engine, catalog, config.store()),
                () -> Map.of("link", signInLink())),
            token,
            Limits.COMMAND_BODY_BYTES_MAX,
            commanders);
    Listener listener =
        loop.listen(
            adminConfig(config.listeners().admin(), adminIdentity()),
            new ByteBudget(Limits.HELD_COMMAND_BYTES_MAX),
            answers(Limits.HELD_ADMIN_ANSWER_BYTES_MAX),
            RequestPipeline.ofAdmin(
                "Lazuli/" + Version.current(),
                Clock.systemUTC(),
                new ODataErrorForm(),
                Limits.CLIENT_REQUEST_ID_CHARS_MAX,
                new AdminEndpoint(
                    health,
                    partitions,
                    new MetricsEndpoint(metrics, operators),
                    commands,
                    console.guard(),
                    console)));
    closers.push(() -> listener.stop(Limits.STOP_NOTICE));
    return listener;
  }

  private static ListenerConfig adminConfig(ListenAddress address, @Nullable TlsIdentity identity) {
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

  /**
   * Marks the server as failed. The error may have hit any part of it, so only a restart helps. The
   * process goes on: it may belong to an application or to a test.
   */
  private void outOfMemory(OutOfMemoryError error) {
    boolean first = failure.isEmpty();
    failure = OUT_OF_MEMORY;
    if (first) {
      LOG.error("the server ran out of memory and must be restarted", error);
    }
  }

  private static ListenerConfig listenerConfig(
      ListenAddress address, @Nullable TlsIdentity identity) {
    return new ListenerConfig(
        address.host(),
        address.port(),
        Limits.TARGET_BYTES_MAX,
        Limits.HEADER_BYTES_MAX,
        Limits.HEADER_LINES_MAX,
        Limits.IDLE_TIMEOUT,
        Limits.HEAD_TIME_MAX,
        Limits.BODY_TIME_MAX,
        Limits.DISCARDED_BODY_BYTES_MAX,
        Limits.DISCARD_TIME_MAX,
        identity,
        Limits.TLS_HANDSHAKE_TIME_MAX);
  }

  private static List<StorageService> services(ServerConfig config) {
    return StorageService.ALL.stream()
        .filter(s -> config.listeners().services().contains(s.name()))
        .toList();
  }

  public int blobPort() {
    return port(ServiceName.BLOB);
  }

  public int queuePort() {
    return port(ServiceName.QUEUE);
  }

  public int tablePort() {
    return port(ServiceName.TABLE);
  }

  /** Returns the port of a service. */
  public int port(ServiceName service) {
    return Objects.requireNonNull(listeners.get(service), "the server does not have this service")
        .port();
  }

  /** Returns the port of static websites. The server must have one. */
  public int webPort() {
    return Objects.requireNonNull(web, "the server has no websites").port();
  }

  public int adminPort() {
    return admin.port();
  }

  /** Returns the URL of the first account on the blob service. */
  public String blobEndpoint() {
    return endpoint(ServiceName.BLOB);
  }

  /** Returns the URL of the first account on the queue service. */
  public String queueEndpoint() {
    return endpoint(ServiceName.QUEUE);
  }

  /** Returns the URL of the first account on the table service. */
  public String tableEndpoint() {
    return endpoint(ServiceName.TABLE);
  }

  public String adminEndpoint() {
    return AdminAddress.url(config.listeners(), adminPort());
  }

  /** Returns a link that signs in to the console, once and within a minute. */
  public String signInLink() {
    return AdminAddress.console(config, adminPort()) + "/-/sign-in#" + console.link();
  }

  /** Returns a connection string for any SDK, with the first account. */
  public String connectionString() {
    return ConnectionString.of(firstAccount(), addresses());
  }

  /** Returns the URL of the first account on a service. */
  public String endpoint(ServiceName service) {
    return address(service).url(service, firstAccount().name());
  }

  /** Returns the names of the enabled accounts, the development account first. */
  public List<String> accountNames() {
    return accounts.enabled().stream().map(Account::name).toList();
  }

  /** Returns whether other machines can use the account with the public key. */
  public boolean offersPublicKeyBeyondLoopback() {
    return accounts.offersPublicKey() && !ServerAccounts.isLoopback(config);
  }

  /** Returns the accounts that other machines can use because a key is public or short. */
  public List<Account> weakAccountsBeyondLoopback() {
    return ServerAccounts.isLoopback(config) ? List.of() : accounts.weak();
  }

  private Account firstAccount() {
    List<Account> enabled = accounts.enabled();
    if (enabled.isEmpty()) {
      throw new IllegalStateException("no account is enabled");
    }
    return enabled.get(0);
  }

  /** Returns the counts of answered requests. */
  public RequestCounters counters() {
    return counters;
  }

  /** Returns the request log of all services. */
  public RequestLog requestLog() {
    return requestLog;
  }

  /** Returns the console, for tests. */
  ServerConsole console() {
    return console;
  }

  /** Returns the connections of all services, without those of the admin port. */
  Connections connections() {
    return connections;
  }

  /** Returns the memory of heads that all services take from their budget now. */
  long heldHeadBytes() {
    return heads.heldBytes();
  }

  /** Returns the bytes of request bodies that all services hold now. */
  long heldBodyBytes() {
    return bodies.heldBytes();
  }

  /** Returns the bytes of answers that all services hold now. */
  long heldAnswerBytes() {
    return answers.heldBytes();
  }

  private Map<ServiceName, ServiceAddress> addresses() {
    Map<ServiceName, ServiceAddress> addresses = new EnumMap<>(ServiceName.class);
    services(config).forEach(one -> addresses.put(one.name(), address(one.name())));
    return addresses;
  }

  /** Returns the URL of a service, by its label, of an account; empty if there is none. */
  private String address(String label, String account) {
    return services(config).stream()
        .map(StorageService::name)
        .filter(name -> name.label().equals(label))
        .map(name -> address(name).url(name, account))
        .findFirst()
        .orElse("");
  }

  private ServiceAddress address(ServiceName service) {
    return ServiceAddress.of(config, service, port(service));
  }

  /**
   * Announces the end, then closes the server. From now on {@code /ready} answers 503, and answers
   * say that their connection will be closed. New connections are refused once all connections are
   * closed, or after {@link Limits#STOP_NOTICE}. Then running requests may use half of the time.
   *
   * @param timeMax the time in which the caller wants the server to be closed
   */
  public void stop(Duration timeMax) {
    leave();
    requestTimeMax = min(Limits.STOP_WAIT, timeMax.dividedBy(2));
    Deadline notice = Deadline.after(min(Limits.STOP_NOTICE, timeMax.dividedBy(10)));
    while (open.stream().anyMatch(one -> one.connections() > 0) && !notice.hasPassed()) {
      LockSupport.parkNanos(CHECK_PERIOD.toNanos());
    }
    closeWithin(timeMax);
  }

  private static Duration min(Duration a, Duration b) {
    return a.compareTo(b) < 0 ? a : b;
  }

  private void leave() {
    serving.set(false);
    open.forEach(Listener::leave);
  }

  /**
   * Stops accepting requests, waits for running ones, and closes the store. Returns after {@link
   * Limits#STOP_TIME_MAX} even if a part hangs; a thread then continues to wait for that part.
   */
  @Override
  public void close() {
    closeWithin(Limits.STOP_TIME_MAX);
  }

  private void closeWithin(Duration timeMax) {
    leave();
    Thread closing = Threads.daemon(this::closeAll, "close");
    closing.start();
    if (!Threads.join(closing, timeMax)) {
      LOG.error("the server was not closed in time; a part of it hangs");
    }
  }

  /** Closes all parts. A part that fails does not keep the others open. */
  private synchronized void closeAll() {
    Runnable closer;
    while ((closer = closers.poll()) != null) {
      try {
        closer.run();
      } catch (RuntimeException | Error e) {
        OutOfMemory.check(e);
        LOG.error("a part of the server could not be closed", e);
      }
    }
  }
}
