package io.lazuli.server;

import io.lazuli.server.access.Identity;
import io.lazuli.server.admin.AdminGate;
import io.lazuli.server.admin.RequestGuard;
import io.lazuli.server.admin.caller.AdminCallers;
import io.lazuli.server.auth.TokenCheck;
import io.lazuli.server.blob.protocol.BlobEndpoint;
import io.lazuli.server.config.Limits;
import io.lazuli.server.config.ServerConfig;
import io.lazuli.server.config.ServerStartException;
import io.lazuli.server.console.ConsoleEndpoint;
import io.lazuli.server.console.access.SasTrials;
import io.lazuli.server.console.api.BlobRoutes;
import io.lazuli.server.console.api.ContentRoutes;
import io.lazuli.server.console.api.CostRoutes;
import io.lazuli.server.console.api.EntityRoutes;
import io.lazuli.server.console.api.EventRoutes;
import io.lazuli.server.console.api.JobFileRoutes;
import io.lazuli.server.console.api.JobRoutes;
import io.lazuli.server.console.api.LiveRoutes;
import io.lazuli.server.console.api.LoadRoutes;
import io.lazuli.server.console.api.ModelRoutes;
import io.lazuli.server.console.api.QueryRoutes;
import io.lazuli.server.console.api.QueueRoutes;
import io.lazuli.server.console.api.Route;
import io.lazuli.server.console.api.Routes;
import io.lazuli.server.console.api.SasRoutes;
import io.lazuli.server.console.api.ServerRoutes;
import io.lazuli.server.console.api.SettingsRoutes;
import io.lazuli.server.console.api.Summaries;
import io.lazuli.server.console.api.TableRoutes;
import io.lazuli.server.console.json.ConsoleKey;
import io.lazuli.server.console.json.PageTokens;
import io.lazuli.server.console.model.ModelStore;
import io.lazuli.server.console.model.ModelTrial;
import io.lazuli.server.console.page.StaticFiles;
import io.lazuli.server.console.session.Passwords;
import io.lazuli.server.console.session.Role;
import io.lazuli.server.console.session.SignIn;
import io.lazuli.server.error.CommonErrors;
import io.lazuli.server.error.ServiceException;
import io.lazuli.server.event.RequestCounters;
import io.lazuli.server.http.Endpoint;
import io.lazuli.server.http.Request;
import io.lazuli.server.http.Response;
import io.lazuli.server.http.WorkerPool;
import io.lazuli.server.job.Jobs;
import io.lazuli.server.live.WhyRefused;
import io.lazuli.server.load.Sizes;
import io.lazuli.server.own.OwnTables;
import io.lazuli.server.queue.protocol.QueueEndpoint;
import io.lazuli.server.queue.service.QueueBrowser;
import io.lazuli.server.table.protocol.TableEndpoint;
import io.lazuli.server.table.service.TableBrowser;
import io.lazuli.server.table.service.TableService;
import io.lazuli.storage.Durability;
import io.lazuli.storage.EngineState;
import io.lazuli.storage.StorageException;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.function.BinaryOperator;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Assembles the console. The admin port listens before the services exist; until then the console
 * answers 503.
 */
final class ServerConsole implements Endpoint, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ServerConsole.class);

  private final ServerConfig config;
  private final Supplier<List<String>> accounts;
  private final Supplier<EngineState> engineState;
  private final SignIn signIn;
  private final AdminCallers callers;
  private final RequestGuard guard;
  private final WorkerPool workers =
      new WorkerPool("console", Limits.CONSOLE_THREADS, Limits.CONSOLE_QUEUE_MAX);
  private final RequestCounters counters;
  private final BinaryOperator<String> addresses;
  private volatile @Nullable EventRoutes events;
  private volatile @Nullable Endpoint begun;
  private volatile List<Route> routes = List.of();

  /**
   * @param tokens verifies tokens; null if the server trusts no issuer
   * @param roles finds the role of an identity on the server; null for none
   * @param addresses returns the URL of a service of an account
   * @throws ServerStartException if the console would be open to other machines
   */
  ServerConsole(
      ServerConfig config,
      Supplier<List<String>> accounts,
      Supplier<EngineState> engineState,
      RequestCounters counters,
      @Nullable TokenCheck tokens,
      Function<Identity, @Nullable Role> roles,
      BinaryOperator<String> addresses) {
    this.config = config;
    this.accounts = accounts;
    this.engineState = engineState;
    this.counters = counters;
    this.addresses = addresses;
    boolean open = config.console().open();
    String host = config.listeners().admin().host();
    boolean loopback = AdminAddress.isLoopback(config.listeners());
    boolean secure = AdminAddress.isSecure(config.listeners());
    if (open && !loopback) {
      throw new ServerStartException("console-open needs an admin-host on loopback");
    }
    if (open) {
      LOG.warn("console-open: everybody on this machine is an administrator of the console");
    }
    this.signIn = new SignIn(open, new Passwords(config.console().users()), Clock.systemUTC());
    this.callers = new AdminCallers(loopback, tokens, roles, signIn, workers);
    boolean known = signIn.haveAdministrator() || tokens != null;
    if (!loopback && !known) {
      throw new ServerStartException(
          "admin-host "
              + host
              + " is not loopback, so the admin port needs console-users with an administrator"
              + " (lazuli console --user), or tokens (oidc-issuer, oidc-jwks)");
    }
    this.guard =
        new RequestGuard(
            host,
            config.console().hosts(),
            config.listeners().allowedHosts(),
            config.listeners().domain(),
            loopback,
            () -> secure && (tokens != null || signIn.haveAdministrator()));
    if (!loopback) {
      report(secure);
    }
  }

  private void report(boolean secure) {
    if (secure) {
      LOG.info("the console answers beyond loopback, over https");
    } else {
      LOG.warn(
          "the console and /metrics answer 403 beyond loopback: {}",
          config.listeners().tls() == null ? "tls-cert is not set" : "admin-tls is off");
    }
  }

  AdminGate gate() {
    return callers;
  }

  RequestGuard guard() {
    return guard;
  }

  /** Returns the secret of a new sign-in link. */
  String link() {
    return signIn.link();
  }

  /** Returns the sessions, for tests. */
  SignIn signIn() {
    return signIn;
  }

  /** Returns the routes, for tests. */
  List<Route> routes() {
    return routes;
  }

  /** Starts to answer, now that the services exist. */
  void begin(ServiceEndpoints services, ServicePipelines pipelines, ServerParts parts) {
    PageTokens tokens = new PageTokens(tokenKey(parts));
    TableService tables = services.tableService();
    TableBrowser browser = new TableBrowser(parts.engine(), parts.catalog(), tables.sizes());
    BlobRoutes blobs = new BlobRoutes(parts.blobs(), tokens);
    Sizes sizes = startSizes(parts);
    Summaries summaries =
        new Summaries(
            tables,
            services.queueService(),
            parts.blobs(),
            counters,
            parts.metrics()::serverTimes,
            sizes,
            engineState,
            Clock.systemUTC());
    EventRoutes streams = new EventRoutes(summaries, name -> accounts.get().contains(name));
    events = streams;
    streams.start();
    // Before the admin port stops, which would wait for open streams.
    parts.closers().accept(streams::close);
    Jobs jobs = jobs(parts, tables, browser, streams);
    Routes all =
        new Routes(
            List.of(
                new ServerRoutes(signIn, accounts, this::about, () -> routes).routes(),
                new TableRoutes(tables, browser, tokens).routes(),
                new QueryRoutes(browser, tokens).routes(),
                new EntityRoutes(tables).routes(),
                new QueueRoutes(
                        services.queueService(),
                        new QueueBrowser(parts.engine(), parts.catalog()),
                        tokens)
                    .routes(),
                streams.routes(),
                blobs.routes(),
                new ContentRoutes(parts.blobs(), blobs, workers).routes(),
                new LoadRoutes(parts.load(), Clock.systemUTC()).routes(),
                new CostRoutes(parts.load(), sizes, Clock.systemUTC()).routes(),
                new SasRoutes(
                        parts.accounts()::find,
                        addresses,
                        new SasTrials(pipelines::access),
                        Clock.systemUTC())
                    .routes(),
                settings(services).routes(),
                new JobRoutes(jobs).routes(),
                new JobFileRoutes(jobs, workers).routes(),
                new ModelRoutes(
                        new ModelStore(new OwnTables(parts.engine(), parts.catalog(), "Model")),
                        new ModelTrial(tables, browser))
                    .routes(),
                live(parts, pipelines).routes()));
    routes = all.all();
    parts.metrics().add(to -> MetricSources.pool(to, "console", workers));
    begun =
        new ConsoleEndpoint(
            guard,
            signIn,
            callers::session,
            StaticFiles.ofClassPath(),
            all,
            name -> accounts.get().contains(name),
            workers,
            Limits.CONSOLE_BODY_BYTES_MAX,
            Limits.REQUEST_TIME_MAX);
  }

  /** Returns the key of page tokens: that of the cluster, or that of the data folder. */
  private byte[] tokenKey(ServerParts parts) {
    byte[] own = ConsoleKey.of(config.store().isInMemory() ? null : config.store().folder());
    if (!parts.engine().isShared()) {
      return own;
    }
    try {
      OwnTables keys = new OwnTables(parts.engine(), parts.catalog(), "Key");
      byte[] stored = keys.change("console", "key", "pages", old -> old == null ? own : null);
      return stored == null ? own : stored;
    } catch (StorageException | ServiceException e) {
      LOG.warn("page tokens are valid at this server only: {}", e.toString());
      return own;
    }
  }

  /** Makes the jobs, and goes on with those that a stopped server left. */
  private static Jobs jobs(
      ServerParts parts, TableService tables, TableBrowser browser, EventRoutes streams) {
    Jobs jobs = ServerJobs.of(parts, tables, browser);
    jobs.onChange(job -> streams.sendJob(job.account(), json -> JobRoutes.fields(json, job)));
    streams.openJobs(account -> JobRoutes.open(jobs.list(account)));
    parts.closers().accept(jobs::close);
    parts.troubles().accept(jobs::trouble);
    jobs.start();
    return jobs;
  }

  private Sizes startSizes(ServerParts parts) {
    Sizes sizes =
        new Sizes(parts.engine(), parts.catalog(), parts.blobs(), accounts, Clock.systemUTC());
    parts.closers().accept(sizes::close);
    parts.troubles().accept(sizes::trouble);
    sizes.start();
    return sizes;
  }

  private static SettingsRoutes settings(ServiceEndpoints services) {
    return new SettingsRoutes(
        Map.of(
            "blob",
            new SettingsRoutes.Service(
                services.settings(StorageService.BLOB), BlobEndpoint.POLICY_LETTERS),
            "queue",
            new SettingsRoutes.Service(
                services.settings(StorageService.QUEUE), QueueEndpoint.POLICY_LETTERS),
            "table",
            new SettingsRoutes.Service(
                services.settings(StorageService.TABLE), TableEndpoint.POLICY_LETTERS)));
  }

  /** Makes the routes about recent requests, and starts their streams. */
  private LiveRoutes live(ServerParts parts, ServicePipelines pipelines) {
    WhyRefused why =
        new WhyRefused(
            parts.live().refusals(),
            pipelines::addressed,
            parts.accounts()::find,
            () ->
                accounts.get().stream()
                    .map(parts.accounts()::find)
                    .flatMap(Stream::ofNullable)
                    .toList(),
            Clock.systemUTC(),
            config.protocol().dateWindow());
    LiveRoutes live = new LiveRoutes(parts.live(), why, name -> accounts.get().contains(name));
    live.start();
    parts.closers().accept(live::close);
    return live;
  }

  private ServerRoutes.About about() {
    return new ServerRoutes.About(
        Version.current(),
        config.store().engine(),
        !config.rehearsal().isOff(),
        config.store().durability() != Durability.RELAXED && !config.store().isInMemory(),
        engineState.get().writable());
  }

  @Override
  public CompletionStage<Response> handle(Request request) {
    Endpoint endpoint = begun;
    if (endpoint == null) {
      throw CommonErrors.SERVER_BUSY.exception();
    }
    return endpoint.handle(request);
  }

  @Override
  public void close() {
    EventRoutes streams = events;
    if (streams != null) {
      streams.close();
    }
    workers.close();
  }
}
