package io.lazuli.server;

import io.lazuli.server.account.Account;
import io.lazuli.server.admin.HealthEndpoint;
import io.lazuli.server.admin.PartitionsEndpoint;
import io.lazuli.server.auth.Authenticator;
import io.lazuli.server.auth.PolicyLookup;
import io.lazuli.server.blob.garbage.BlobCollector;
import io.lazuli.server.blob.model.BlobErrors;
import io.lazuli.server.blob.protocol.BlobEndpoint;
import io.lazuli.server.blob.protocol.BlobSignpost;
import io.lazuli.server.blob.protocol.InnerRequests;
import io.lazuli.server.blob.service.BlobService;
import io.lazuli.server.catalog.Catalog;
import io.lazuli.server.config.Limits;
import io.lazuli.server.config.ServerConfig;
import io.lazuli.server.config.ServerStartException;
import io.lazuli.server.config.ServiceName;
import io.lazuli.server.engine.Engines;
import io.lazuli.server.error.CommonErrors;
import io.lazuli.server.error.ServiceError;
import io.lazuli.server.event.RequestCounters;
import io.lazuli.server.event.RequestDebugLog;
import io.lazuli.server.event.ServerEvents;
import io.lazuli.server.http.BodyBudget;
import io.lazuli.server.http.Endpoint;
import io.lazuli.server.http.EventLoops;
import io.lazuli.server.http.ListenException;
import io.lazuli.server.http.Listener;
import io.lazuli.server.http.ListenerConfig;
import io.lazuli.server.http.WorkerPool;
import io.lazuli.server.pipeline.Addressing;
import io.lazuli.server.pipeline.CommonHeaders;
import io.lazuli.server.pipeline.OwnerSettings;
import io.lazuli.server.pipeline.RehearsedTrouble;
import io.lazuli.server.pipeline.RequestPipeline;
import io.lazuli.server.queue.model.QueueErrors;
import io.lazuli.server.queue.protocol.QueueEndpoint;
import io.lazuli.server.queue.service.QueueService;
import io.lazuli.server.queue.service.QueueSweeper;
import io.lazuli.server.rehearsal.Dice;
import io.lazuli.server.requestlog.AccessLines;
import io.lazuli.server.requestlog.LogSweeper;
import io.lazuli.server.requestlog.RequestLog;
import io.lazuli.server.settings.AccessPolicies;
import io.lazuli.server.settings.ServicePropertiesStore;
import io.lazuli.server.settings.SettingsService;
import io.lazuli.server.table.protocol.ODataErrorForm;
import io.lazuli.server.table.protocol.TableEndpoint;
import io.lazuli.server.table.service.DeletedTables;
import io.lazuli.server.table.service.EntityQueries;
import io.lazuli.server.table.service.PartitionRates;
import io.lazuli.server.table.service.TableService;
import io.lazuli.server.throttle.RateTargets;
import io.lazuli.server.tls.TlsIdentity;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.StorageEngine;
import io.lazuli.storage.Ticks;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A running server. Everything is made in the constructor, top to bottom, and closed in the reverse
 * order.
 */
public final class LazuliServer implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(LazuliServer.class);

  private final ServerConfig config;
  private final ServerAccounts accounts;
  private final @Nullable ServerTls tls;
  private final RequestCounters counters = new RequestCounters();
  private final AtomicBoolean serving = new AtomicBoolean();
  private final Deque<Runnable> closers = new ArrayDeque<>();
  private final RateTargets<String> accountRates;
  private final Catalog catalog;
  private final ServicePropertiesStore properties;
  private final BlobService blobs;
  private final RequestLog requestLog;
  private final BodyBudget bodies = new BodyBudget(Limits.HELD_BODY_BYTES_MAX);
  private final Map<ServiceName, Listener> listeners = new EnumMap<>(ServiceName.class);
  private final WorkerPool workers;
  private final @Nullable Dice dice;
  private final Listener admin;

  /**
   * Starts a server; requests are served when this returns.
   *
   * @throws io.lazuli.storage.EngineOpenException if the data cannot be opened
   * @throws io.lazuli.server.http.ListenException if a port cannot be listened on
   * @throws ServerStartException if it cannot run as configured
   */
  public static LazuliServer start(ServerConfig config) {
    return start(config, LazuliServer::endpointOf);
  }

  /** The same with other faces than the services', for tests. */
  static LazuliServer start(ServerConfig config, Endpoints endpoints) {
    return new LazuliServer(config, endpoints);
  }

  /** Makes the HTTP face of a service. */
  @FunctionalInterface
  interface Endpoints {
    Endpoint of(LazuliServer server, StorageService service, StorageEngine engine);
  }

  private LazuliServer(ServerConfig config, Endpoints endpoints) {
    this.config = config;
    this.dice = config.rehearsal().isOff() ? null : new Dice(config.rehearsal());
    this.accountRates =
        new RateTargets<>(
            config.rates().account(),
            Limits.WATCHED_ACCOUNTS_MAX,
            CommonErrors.ACCOUNT_BUSY,
            System::nanoTime);
    try {
      this.accounts = ServerAccounts.of(config);
      this.tls = ServerTls.of(config);
      StorageEngine engine = Engines.open(config.store());
      closers.push(engine::close);
      this.catalog = new Catalog(engine);
      closers.push(accounts.follow(catalog));
      this.properties = new ServicePropertiesStore(catalog);
      this.blobs = new BlobService(engine, catalog, UUID::randomUUID);
      this.requestLog = startLogging(Clock.systemUTC());
      this.workers = new WorkerPool("worker", Limits.WORKER_THREADS, Limits.WORKER_QUEUE_MAX);
      closers.push(workers::close);
      EventLoops loops = new EventLoops(Runtime.getRuntime().availableProcessors());
      closers.push(loops::close);
      this.admin = listenForAdmin(loops, engine);
      closers.push(() -> admin.stop(Limits.STOP_WAIT));
      for (StorageService service : services(config)) {
        Endpoint endpoint = endpoints.of(this, service, engine);
        YieldingPort.take(
            config.listeners().of(service.name()).port(), () -> listen(service, loops, endpoint));
      }
      if (config.listeners().hasSignpost()) {
        setUpSignpost(loops, engine);
      }
      if (tls != null) {
        closers.push(tls.follow(fresh -> listeners.values().forEach(one -> one.identity(fresh))));
      }
      if (dice != null) {
        LOG.warn("rehearsing, requests fail on purpose: {}", config.rehearsal().text());
      }
      closers.push(() -> serving.set(false));
      serving.set(true);
    } catch (RuntimeException | Error e) {
      close();
      throw e;
    }
  }

  private RequestLog startLogging(Clock clock) {
    RequestLog log =
        new RequestLog(blobs, clock, Limits.LOG_FLUSH_PERIOD, Limits.LOG_QUEUE_BYTES_MAX);
    closers.push(log::close);
    log.start();
    LogSweeper sweeper = new LogSweeper(blobs, this::accountNames, this::logRetention, clock);
    closers.push(sweeper::close);
    sweeper.start();
    return log;
  }

  private @Nullable Integer logRetention(String account, String label) {
    StorageService service =
        StorageService.ALL.stream().filter(s -> s.label().equals(label)).findFirst().orElseThrow();
    Deadline deadline = Deadline.after(Limits.REQUEST_TIME_MAX);
    return properties.read(service.home().apply(account), deadline).logging().retentionDays();
  }

  /** The one place where the services are plugged in. */
  private Endpoint endpointOf(StorageService service, StorageEngine engine) {
    if (service.equals(StorageService.BLOB)) {
      return blobs(engine);
    }
    return service.equals(StorageService.QUEUE) ? queues(engine) : tables(engine);
  }

  private Endpoint blobs(StorageEngine engine) {
    BlobCollector collector = new BlobCollector(engine, catalog, blobs.garbage());
    closers.push(collector::close);
    collector.start();
    WorkerPool content =
        new WorkerPool("content", Limits.CONTENT_THREADS, Limits.CONTENT_QUEUE_MAX);
    closers.push(content::close);
    StorageService blob = StorageService.BLOB;
    return new BlobEndpoint(
        blobs,
        settings(blob, BlobErrors.CONTAINER_NOT_FOUND, engine),
        new BlobEndpoint.Pools(workers, content),
        new InnerRequests(
            addressing(blob),
            authenticator(blob, Clock.systemUTC()),
            new CommonHeaders(
                serverName(blob), Clock.systemUTC(), Limits.CLIENT_REQUEST_ID_CHARS_MAX)),
        Limits.BLOB_MIB_TIME_MAX);
  }

  private Endpoint queues(StorageEngine engine) {
    QueueService service = new QueueService(engine, catalog, UUID::randomUUID, partitionRates());
    QueueSweeper sweeper = new QueueSweeper(catalog, service);
    closers.push(sweeper::close);
    sweeper.start();
    return new QueueEndpoint(
        service, settings(StorageService.QUEUE, QueueErrors.QUEUE_NOT_FOUND, engine));
  }

  private Endpoint tables(StorageEngine engine) {
    WorkerPool scans = new WorkerPool("scan", Limits.SCAN_THREADS, Limits.SCAN_QUEUE_MAX);
    closers.push(scans::close);
    PartitionRates rates = new PartitionRates(partitionRates());
    EntityQueries queries =
        new EntityQueries(engine, catalog, rates, scans, Limits.PAGE_TIME_MAX, dice);
    return new TableEndpoint(
        new TableService(
            engine, catalog, queries, rates, new DeletedTables(config.rehearsal().deleting())),
        settings(StorageService.TABLE, CommonErrors.RESOURCE_NOT_FOUND, engine),
        config.protocol().lenientPaths());
  }

  private <K> RateTargets<K> partitionRates() {
    return new RateTargets<>(
        config.rates().partition(),
        Limits.WATCHED_PARTITIONS_MAX,
        CommonErrors.SERVER_BUSY,
        System::nanoTime);
  }

  private SettingsService settings(
      StorageService service, ServiceError missing, StorageEngine engine) {
    return new SettingsService(
        service.home(),
        new AccessPolicies(catalog),
        properties,
        missing,
        () -> Ticks.toInstant(engine.now()),
        requestLog::prepare);
  }

  private static String serverName(StorageService service) {
    return "Lazuli-" + service.title() + "/" + Version.current();
  }

  private Addressing addressing(StorageService service) {
    return new Addressing(
        config.protocol().hostStyle() ? service.label() : null, accounts.registry()::exists);
  }

  private Authenticator authenticator(StorageService service, Clock clock) {
    AccessPolicies policies = new AccessPolicies(catalog);
    PolicyLookup lookup =
        (owner, resource, id) ->
            policies.find(
                service.home().apply(owner), resource, id, Deadline.after(Limits.REQUEST_TIME_MAX));
    return new Authenticator(
        accounts.registry(),
        service.sharedKey().apply(clock, config.protocol().dateWindow()),
        service.sharedAccess().of(lookup, workers, clock),
        service.anonymous());
  }

  /** Somebody else may have the port, or want it, and then whoever looks there finds them. */
  private void setUpSignpost(EventLoops loops, StorageEngine engine) {
    StorageService blob = StorageService.BLOB;
    SettingsService settings = settings(blob, BlobErrors.CONTAINER_NOT_FOUND, engine);
    YieldingPort port = YieldingPort.announce(config.listeners().blob().port());
    closers.push(port::close);
    try {
      Listener listener = listen(blob, loops, new BlobSignpost(blobs, settings));
      port.leaveWhenAsked(() -> listener.stop(Duration.ZERO));
    } catch (ListenException e) {
      port.close();
      LOG.info("no tool finds this server by way of the blob port: {}", e.getMessage());
    }
  }

  private Listener listen(StorageService service, EventLoops loops, Endpoint endpoint) {
    Clock clock = Clock.systemUTC();
    Addressing addressing = addressing(service);
    RequestPipeline.Parts parts =
        new RequestPipeline.Parts(
            serverName(service),
            clock,
            new ServerEvents(
                List.of(
                    counters,
                    new RequestDebugLog(),
                    new AccessLines(clock),
                    requestLog.of(service.label()))),
            service.operations(),
            service.errors(),
            new OwnerSettings(
                addressing,
                accounts.registry()::isPresent,
                service.home(),
                properties,
                workers,
                Limits.REQUEST_TIME_MAX),
            addressing,
            authenticator(service, clock),
            accountRates,
            dice == null ? null : new RehearsedTrouble(dice, service.operations()),
            service.body(),
            Limits.CLIENT_REQUEST_ID_CHARS_MAX,
            workers);
    ListenerConfig place =
        listenerConfig(
            config.listeners().of(service.name()).host(),
            config.listeners().of(service.name()).port(),
            tls == null ? null : tls.identity());
    Listener listener = loops.listen(place, bodies, RequestPipeline.ofService(parts, endpoint));
    listeners.put(service.name(), listener);
    closers.push(() -> listener.stop(Limits.STOP_WAIT));
    return listener;
  }

  private Listener listenForAdmin(EventLoops loops, StorageEngine engine) {
    HealthEndpoint health =
        new HealthEndpoint(
            engine::state, serving::get, requestLog::droppedLines, config.rehearsal());
    WorkerPool operators = new WorkerPool("partitions", 1, Limits.PARTITIONS_QUEUE_MAX);
    closers.push(operators::close);
    PartitionsEndpoint partitions = new PartitionsEndpoint(engine::partitionMap, operators);
    return loops.listen(
        listenerConfig(config.listeners().admin().host(), config.listeners().admin().port(), null),
        new BodyBudget(0),
        RequestPipeline.ofAdmin(
            "Lazuli/" + Version.current(),
            Clock.systemUTC(),
            new ODataErrorForm(),
            Limits.CLIENT_REQUEST_ID_CHARS_MAX,
            request ->
                request.rawPath().equals(PartitionsEndpoint.PATH)
                    ? partitions.handle(request)
                    : health.handle(request)));
  }

  private static ListenerConfig listenerConfig(
      String host, int port, @Nullable TlsIdentity identity) {
    return new ListenerConfig(
        host,
        port,
        Limits.TARGET_BYTES_MAX,
        Limits.HEADER_BYTES_MAX,
        Limits.CONNECTIONS_MAX,
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

  /** The port that a service of this server listens on. */
  public int port(ServiceName service) {
    return Objects.requireNonNull(listeners.get(service), "the server does not have it").port();
  }

  public int adminPort() {
    return admin.port();
  }

  /** The URL of the first account on the blob service. */
  public String blobEndpoint() {
    return endpoint(ServiceName.BLOB);
  }

  /** The URL of the first account on the queue service. */
  public String queueEndpoint() {
    return endpoint(ServiceName.QUEUE);
  }

  /** The URL of the first account on the table service. */
  public String tableEndpoint() {
    return endpoint(ServiceName.TABLE);
  }

  public String adminEndpoint() {
    return "http://" + ConnectionString.authority(config.listeners().admin().host(), adminPort());
  }

  /** With this any SDK reaches the server, as the first account. */
  public String connectionString() {
    Map<String, String> services = new LinkedHashMap<>();
    for (StorageService service : services(config)) {
      services.put(service.title(), url(service.name()));
    }
    return ConnectionString.of(firstAccount(), services);
  }

  /** The URL of the first account on a service of this server. */
  public String endpoint(ServiceName service) {
    return url(service) + "/" + firstAccount().name();
  }

  /** The names of the accounts that can be used now, the development account first. */
  public List<String> accountNames() {
    return accounts.enabled().stream().map(Account::name).toList();
  }

  /** True if whoever reaches the server can use the account whose key everybody knows. */
  public boolean offersPublicKeyBeyondLoopback() {
    return accounts.offersPublicKey() && !ServerAccounts.isLoopback(config);
  }

  private Account firstAccount() {
    List<Account> enabled = accounts.enabled();
    if (enabled.isEmpty()) {
      throw new IllegalStateException("no account can be used now");
    }
    return enabled.get(0);
  }

  /** Counts of the requests answered so far. */
  public RequestCounters counters() {
    return counters;
  }

  /** The request log of all services. */
  public RequestLog requestLog() {
    return requestLog;
  }

  /** Bytes of request bodies that are held now, of all services. */
  long heldBodyBytes() {
    return bodies.heldBytes();
  }

  private String url(ServiceName service) {
    return (tls == null ? "http://" : "https://")
        + ConnectionString.authority(config.listeners().of(service).host(), port(service));
  }

  /** Takes no more requests, lets those that run finish, closes the store. */
  @Override
  public void close() {
    Runnable closer;
    while ((closer = closers.poll()) != null) {
      closer.run();
    }
  }
}
