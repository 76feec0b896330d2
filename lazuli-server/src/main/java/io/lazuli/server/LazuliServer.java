package io.lazuli.server;

import io.lazuli.server.account.Account;
import io.lazuli.server.analytics.Analytics;
import io.lazuli.server.auth.Bearer;
import io.lazuli.server.auth.TokenCheck;
import io.lazuli.server.backup.Backups;
import io.lazuli.server.config.Limits;
import io.lazuli.server.config.ListenAddress;
import io.lazuli.server.config.MemoryPlan;
import io.lazuli.server.config.ServerConfig;
import io.lazuli.server.config.ServerStartException;
import io.lazuli.server.config.ServiceName;
import io.lazuli.server.delegation.DelegationKeys;
import io.lazuli.server.development.DevelopmentAccess;
import io.lazuli.server.event.RequestCounters;
import io.lazuli.server.http.AnswerBudget;
import io.lazuli.server.http.Connections;
import io.lazuli.server.http.Endpoint;
import io.lazuli.server.http.EventLoops;
import io.lazuli.server.http.RequestHandler;
import io.lazuli.server.http.WorkerPool;
import io.lazuli.server.identity.OwnIssuer;
import io.lazuli.server.identity.TokenConfig;
import io.lazuli.server.live.Live;
import io.lazuli.server.load.Load;
import io.lazuli.server.metrics.ServerMetrics;
import io.lazuli.server.own.OwnTables;
import io.lazuli.server.rehearsal.Dice;
import io.lazuli.server.requestlog.RequestLog;
import io.lazuli.server.scrub.Scrub;
import io.lazuli.server.tls.TlsIdentity;
import io.lazuli.server.watch.FileWatch;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.thread.OutOfMemory;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A running server. The constructor creates all parts from top to bottom; they are closed in
 * reverse order.
 */
public final class LazuliServer implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(LazuliServer.class);

  private final ServerConfig config;
  private final ServerAccounts accounts;
  private final RequestCounters counters = new RequestCounters();
  private final QueueStates queueStates = new QueueStates();
  private final Live live = new Live(System::currentTimeMillis);
  private final ServerDevelopment development;
  private final ServerFrame frame;
  private final ServiceListeners listeners;
  private final RequestLog requestLog;
  private final ServerConsole console;
  private final AdminPort admin;

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
    return new LazuliServer(
        config,
        endpoints,
        new AnswerBudget(
            Limits.HELD_ANSWER_BYTES_MAX,
            Limits.ANSWER_STALL_TIME_MAX,
            Limits.SHORT_ANSWER_TIME_MAX));
  }

  /** Starts a server with other memory for answers, for tests. */
  static LazuliServer start(ServerConfig config, AnswerBudget answers) {
    return new LazuliServer(config, ServiceEndpoints::of, answers);
  }

  private static DelegationKeys delegationKeys(ServerStore store, WorkerPool workers) {
    OwnTables tables = new OwnTables(store.engine(), store.catalog(), "Key");
    return new DelegationKeys(
        (account, name, change) -> tables.change("delegation", account, name, change),
        workers::call);
  }

  /** Creates the endpoint of a service. */
  @FunctionalInterface
  interface Endpoints {
    Endpoint of(ServiceEndpoints own, StorageService service);
  }

  private LazuliServer(ServerConfig given, Endpoints endpoints, AnswerBudget answers) {
    this.accounts = ServerAccounts.of(given);
    this.development = ServerDevelopment.of(given);
    this.config = development.config();
    ServerTokens.require(config);
    FileWatch<TlsIdentity> tls = ServerTls.watch(config.listeners().tls());
    MemoryPlan memory = MemoryPlan.ofThisProcess();
    this.frame = ServerFrame.of(config);
    this.listeners = new ServiceListeners(frame, tls, memory, answers);
    try {
      frame.closers().push(development::close);
      frame.closers().push(OutOfMemory.onError(frame.health()::outOfMemory));
      frame.closers().push(frame.metrics()::close);
      frame.beginAudit();
      ServerRoles roles = ServerRoles.of(config);
      frame.closers().push(roles.follow(frame.audit()));
      frame.health().add(roles::trouble);
      ServerStore store = ServerStore.open(frame, accounts, this::ports);
      BackgroundWork work = new BackgroundWork(frame, accounts, store);
      Analytics analytics = work.startAnalytics();
      this.requestLog = work.startLogging(analytics, memory.logBytesMax());
      Load load = work.startLoad(queueStates, live);
      WorkerPool workers = frame.pool("worker", Limits.WORKER_THREADS, Limits.WORKER_QUEUE_MAX);
      EventLoops loops = listeners.startLoops();
      addMetrics(store, workers);
      Bearer bearer = bearer(roles, workers, tls);
      this.console = console(store, roles, bearer);
      frame.closers().push(console::close);
      Scrub scrub = work.startScrub();
      Backups backups = work.startBackups();
      DelegationKeys delegationKeys = delegationKeys(store, workers);
      this.admin =
          new AdminPort(frame, tls, store, requestLog, scrub, backups, delegationKeys, console);
      startServices(
          loops,
          endpoints,
          new ServerParts(
              config,
              accounts.registry(),
              bearer,
              delegationKeys,
              store.engine(),
              store.catalog(),
              store.properties(),
              store.blobs(),
              store.work(),
              requestLog,
              analytics,
              load,
              queueStates,
              live,
              backups,
              scrub,
              workers,
              store.content(),
              config.rehearsal().isOff() ? null : new Dice(config.rehearsal()),
              frame.metrics(),
              frame.audit(),
              work.startTracing(),
              this::ports,
              frame.health()::add,
              frame.closers()::push));
      follow(tls);
      admin.writeAddresses(listeners.addresses());
      frame.health().serving(true);
    } catch (RuntimeException | Error e) {
      close();
      throw e;
    }
  }

  private @Nullable Bearer bearer(
      ServerRoles roles, WorkerPool workers, @Nullable FileWatch<TlsIdentity> tls) {
    OwnIssuer own = development.open(frame, tls);
    return ServerTokens.start(frame, roles::access, workers, own);
  }

  private ServerConsole console(ServerStore store, ServerRoles roles, @Nullable Bearer bearer) {
    // A token that nobody checks opens no console.
    boolean basic = config.tokens().oauth() == TokenConfig.OAuth.BASIC;
    TokenCheck tokens = bearer == null || basic ? null : bearer.tokens();
    return new ServerConsole(
        config,
        accounts::names,
        store.engine()::state,
        counters,
        tokens,
        roles::ofConsole,
        listeners::url);
  }

  private void addMetrics(ServerStore store, WorkerPool workers) {
    ServerMetrics metrics = frame.metrics();
    metrics.add(
        to ->
            MetricSources.state(
                to,
                config.store().engine(),
                frame.health().isServing(),
                store.engine().state(),
                frame.health().troubleCount()));
    metrics.add(to -> MetricSources.format(to, store.engine()));
    metrics.add(to -> MetricSources.pool(to, "worker", workers));
    metrics.add(to -> MetricSources.pool(to, "content", store.content()));
    metrics.add(to -> MetricSources.requestLog(to, requestLog));
    metrics.add(to -> MetricSources.blobGarbage(to, store.blobs().garbage().waiting()));
    metrics.add(store.work()::metrics);
    metrics.add(store.engine()::metrics);
  }

  private void startServices(EventLoops loops, Endpoints endpoints, ServerParts parts) {
    ServicePipelines pipelines = new ServicePipelines(parts, counters);
    ServiceEndpoints own = new ServiceEndpoints(parts, pipelines);
    Map<StorageService, RequestHandler> handlers = new LinkedHashMap<>();
    for (StorageService service : listeners.services()) {
      handlers.put(service, pipelines.of(service, endpoints.of(own, service)));
    }
    listeners.open(loops, handlers);
    console.begin(own, pipelines, parts);
    ListenAddress web = config.listeners().web();
    if (web != null) {
      listeners.openWebsites(web, loops, pipelines.ofWebsites(web, own.websites()));
    }
    if (config.listeners().hasSignpost()) {
      listeners.openSignpost(loops, pipelines.of(StorageService.BLOB, own.signpost()));
    }
    parts.work().start();
    if (parts.dice() != null) {
      LOG.warn("rehearsing, requests fail on purpose: {}", config.rehearsal().text());
    }
  }

  /** Begins to follow the files of the certificate, if there is one. */
  private void follow(@Nullable FileWatch<TlsIdentity> tls) {
    if (tls == null) {
      return;
    }
    frame.closers().push(tls::close);
    frame.health().add(tls::trouble);
    ServerTls.follow(
        tls,
        fresh -> {
          listeners.identity(fresh);
          admin.identity(fresh);
          development.identity(fresh);
        });
  }

  private Set<Integer> ports() {
    Set<Integer> ports = listeners.ports();
    ports.add(admin.port());
    return ports;
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
    return listeners.port(service);
  }

  /** Returns the port of static websites. The server must have one. */
  public int webPort() {
    return listeners.webPort();
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
    return admin.url();
  }

  /** Returns a link that signs in to the console, once and within a minute. */
  public String signInLink() {
    return admin.signInLink();
  }

  /** Returns what clients need to use the development identity; null if the server has none. */
  public @Nullable DevelopmentAccess developmentIdentity() {
    return development.access();
  }

  /** Returns a connection string for any SDK, with the first account. */
  public String connectionString() {
    return ConnectionString.of(accounts.first(), listeners.addresses());
  }

  /** Returns the URL of the first account on a service. */
  public String endpoint(ServiceName service) {
    return listeners.address(service).url(service, accounts.first().name());
  }

  /** Returns the names of the enabled accounts, the development account first. */
  public List<String> accountNames() {
    return accounts.names();
  }

  /** Returns whether other machines can use the account with the public key. */
  public boolean offersPublicKeyBeyondLoopback() {
    return accounts.offersPublicKey() && !ServerAccounts.isLoopback(config);
  }

  /** Returns the accounts that other machines can use because a key is public or short. */
  public List<Account> weakAccountsBeyondLoopback() {
    return ServerAccounts.isLoopback(config) ? List.of() : accounts.weak();
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
    return listeners.connections();
  }

  /** Returns the memory of heads that all services take from their budget now. */
  long heldHeadBytes() {
    return listeners.heldHeadBytes();
  }

  /** Returns the bytes of request bodies that all services hold now. */
  long heldBodyBytes() {
    return listeners.heldBodyBytes();
  }

  /** Returns the bytes of answers that all services hold now. */
  long heldAnswerBytes() {
    return listeners.heldAnswerBytes();
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
    listeners.requestTimeMax(min(Limits.STOP_WAIT, timeMax.dividedBy(2)));
    listeners.awaitNoConnections(Deadline.after(min(Limits.STOP_NOTICE, timeMax.dividedBy(10))));
    frame.closers().closeWithin(timeMax);
  }

  private static Duration min(Duration a, Duration b) {
    return a.compareTo(b) < 0 ? a : b;
  }

  private void leave() {
    frame.health().serving(false);
    listeners.leave();
  }

  /**
   * Stops accepting requests, waits for running ones, and closes the store. Returns after {@link
   * Limits#STOP_TIME_MAX} even if a part hangs; a thread then continues to wait for that part.
   */
  @Override
  public void close() {
    leave();
    frame.closers().closeWithin(Limits.STOP_TIME_MAX);
  }
}
