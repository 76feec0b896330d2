package io.lazuli.benchmarks.scenario;

import io.lazuli.benchmarks.load.Exchange;
import io.lazuli.benchmarks.load.Load;
import io.lazuli.benchmarks.load.LoadFailedException;
import io.lazuli.benchmarks.load.LoadResult;
import io.lazuli.benchmarks.load.ResponseReader;
import io.lazuli.benchmarks.load.Script;
import io.lazuli.benchmarks.protocol.Batches;
import io.lazuli.benchmarks.protocol.Cycle;
import io.lazuli.benchmarks.protocol.Inserts;
import io.lazuli.benchmarks.protocol.TableRequests;
import io.lazuli.benchmarks.report.Sample;
import io.lazuli.benchmarks.report.Series;
import io.lazuli.benchmarks.server.ServerProcess;
import io.lazuli.benchmarks.server.Servers;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * What scenarios work on: the running servers, the tables they hold, and the rounds in turns.
 * Mutable; owned by the main thread. Closing it ends the servers.
 */
public final class Stage implements AutoCloseable {
  private static final int FILLING_CONNECTIONS = 8;
  private static final String WARM_UP_TABLE = "warmup";
  private static final int WARM_UP_CONNECTIONS = 64;
  private static final int WARM_UPS_MAX = 12;
  private static final double WARM_UP_GAIN = 0.95;

  private final Scale scale;
  private final Servers servers;
  private final Path folder;
  private final Consumer<Series> raw;
  private final ServerProcess lazuli;
  private final ServerProcess echo;
  private final Optional<ServerProcess> azurite;

  /** By process: a later one may get the address of an earlier one. */
  private final Map<ServerProcess, Set<String>> filled = new HashMap<>();

  private boolean warm;
  private int folders;

  private Stage(
      Scale scale,
      Servers servers,
      Path folder,
      Consumer<Series> raw,
      ServerProcess lazuli,
      ServerProcess echo,
      Optional<ServerProcess> azurite) {
    this.scale = scale;
    this.servers = servers;
    this.folder = folder;
    this.raw = raw;
    this.lazuli = lazuli;
    this.echo = echo;
    this.azurite = azurite;
  }

  /**
   * Starts the servers.
   *
   * @param folder for their data
   * @param raw is given every series as it was taken
   */
  public static Stage open(Scale scale, Servers servers, Path folder, Consumer<Series> raw)
      throws IOException {
    List<ServerProcess> started = new ArrayList<>();
    try {
      ServerProcess lazuli = servers.startLazuli(folder.resolve("lazuli"));
      started.add(lazuli);
      ServerProcess echo = servers.startEcho();
      started.add(echo);
      Optional<ServerProcess> azurite = servers.startAzurite(folder.resolve("azurite"));
      return new Stage(scale, servers, folder, raw, lazuli, echo, azurite);
    } catch (IOException e) {
      started.forEach(ServerProcess::close);
      throw e;
    }
  }

  public Scale scale() {
    return scale;
  }

  public Servers servers() {
    return servers;
  }

  public ServerProcess lazuli() {
    return lazuli;
  }

  public ServerProcess echo() {
    return echo;
  }

  /** Empty when it is not installed. */
  public Optional<ServerProcess> azurite() {
    return azurite;
  }

  @Override
  public void close() {
    lazuli.close();
    echo.close();
    azurite.ifPresent(ServerProcess::close);
  }

  /** A folder nobody has used. */
  Path newFolder() throws IOException {
    return Files.createDirectories(folder.resolve("extra" + folders++));
  }

  /** Warms each up, then measures all of them one after another, round by round. */
  List<Series> inTurns(List<Entrant> entrants) throws IOException {
    if (!warm) {
      warm = true;
      warmUp(echo);
      warmUp(lazuli);
    }
    return inTurns(entrants, scale);
  }

  /**
   * The same in shorter rounds and more of them, on servers of the scenario's own: things that
   * hardly differ are disturbed alike only if their turns are short.
   */
  List<Series> inShortTurns(List<Entrant> entrants) throws IOException {
    return inTurns(entrants, scale.inShortRounds());
  }

  private List<Series> inTurns(List<Entrant> entrants, Scale rounds) throws IOException {
    for (Entrant entrant : entrants) {
      warmUp(entrant);
    }
    List<List<Sample>> samples = new ArrayList<>();
    entrants.forEach(entrant -> samples.add(new ArrayList<>()));
    for (int round = 0; round < rounds.rounds(); round++) {
      for (int i = 0; i < entrants.size(); i++) {
        long nanos = TimeUnit.MILLISECONDS.toNanos(rounds.roundMillis());
        samples.get(i).add(entrants.get(i).measure().take(nanos));
      }
    }
    List<Series> series = new ArrayList<>();
    for (int i = 0; i < entrants.size(); i++) {
      series.add(new Series(entrants.get(i).name(), samples.get(i)));
    }
    series.forEach(raw);
    return series;
  }

  /** So many inserts and point GETs, whatever time they take on a machine that is not quiet. */
  void warmUp(ServerProcess server) throws IOException {
    createTable(server, WARM_UP_TABLE);
    TableRequests requests = TableRequests.signedNow(server.endpoint());
    Exchange.require(server.address(), requests.insert(WARM_UP_TABLE).fill(0, 0));
    count(
        server,
        Inserts.of(WARM_UP_CONNECTIONS, requests, WARM_UP_TABLE, new AtomicLong(1)),
        scale.warmUpRequests());
    count(
        server,
        Cycle.of(WARM_UP_CONNECTIONS, 1, () -> requests.get(WARM_UP_TABLE, 0, 0)),
        scale.warmUpRequests());
  }

  /** So many requests of these scripts: time would not do, as above. */
  void warmUp(ServerProcess server, List<? extends Script> scripts) throws IOException {
    count(server, scripts, 2 * scale.warmUpRequests());
  }

  private static void count(ServerProcess server, List<? extends Script> scripts, long requests)
      throws IOException {
    AtomicLong left = new AtomicLong(requests);
    Load.run(server.address(), scripts, server::cpuNanos, () -> left.decrementAndGet() >= 0)
        .requireNoErrors();
  }

  /**
   * Until a request gets no cheaper: a server that compiles while it runs needs a while, and pays
   * for the compiler meanwhile. Cost is looked at because it is steadier than the rate.
   */
  private void warmUp(Entrant entrant) throws IOException {
    long nanos = TimeUnit.MILLISECONDS.toNanos(scale.warmUpMillis());
    double least = Double.MAX_VALUE;
    int noCheaper = 0;
    for (int i = 0; i < WARM_UPS_MAX && noCheaper < 2; i++) {
      double cost = entrant.measure().take(nanos).cpuMicros();
      noCheaper = cost < least * WARM_UP_GAIN ? 0 : noCheaper + 1;
      least = Math.min(least, cost);
    }
  }

  /** Drives a server for some time; an error among the answers fails the run. */
  Sample load(
      ServerProcess server, List<? extends Script> scripts, long nanos, long entitiesPerRequest)
      throws IOException {
    LoadResult result = Load.run(server.address(), scripts, server::cpuNanos, nanos);
    return Sample.of(result.requireNoErrors(), entitiesPerRequest);
  }

  /** Drives a server until all scripts are at their end. */
  LoadResult finish(ServerProcess server, List<? extends Script> scripts) throws IOException {
    return Load.run(server.address(), scripts, server::cpuNanos, () -> true).requireNoErrors();
  }

  /** A table of so many entities, filled when it is first asked for. */
  String table(ServerProcess server, long entities) throws IOException {
    String table = "entities" + entities;
    if (filled.computeIfAbsent(server, key -> new HashSet<>()).add(table)) {
      createTable(server, table);
      fill(server, table, entities);
    }
    return table;
  }

  /** Inserts so many entities into an empty table. */
  void fill(ServerProcess server, String table, long entities) throws IOException {
    TableRequests requests = TableRequests.signedNow(server.endpoint());
    finish(
        server, Batches.filling(() -> requests.insertBatch(table), FILLING_CONNECTIONS, entities));
  }

  void createTable(ServerProcess server, String table) throws IOException {
    ByteBuffer request = TableRequests.signedNow(server.endpoint()).createTable(table);
    Exchange.require(server.address(), request);
  }

  /** Fails unless a query finds as many entities as it should: a fast wrong answer is none. */
  void requireEntities(ServerProcess server, ByteBuffer query, int expected) throws IOException {
    ResponseReader answer = Exchange.require(server.address(), query);
    int found = answer.body().split("\"RowKey\":", -1).length - 1;
    if (found != expected) {
      throw new LoadFailedException(
          server.name() + " found " + found + " entities instead of " + expected);
    }
  }
}
