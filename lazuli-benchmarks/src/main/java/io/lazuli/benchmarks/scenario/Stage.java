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
 * The environment of the scenarios: the running servers, their tables, and the alternating rounds.
 * Mutable; owned by the main thread. Closing it stops the servers.
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

  /**
   * The tables that are filled, by process. The address is not the key, because a later process may
   * get the address of an earlier one.
   */
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
   * @param folder the folder for their data
   * @param raw receives every series
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

  /** Returns Azurite; empty if it is not installed. */
  public Optional<ServerProcess> azurite() {
    return azurite;
  }

  @Override
  public void close() {
    lazuli.close();
    echo.close();
    azurite.ifPresent(ServerProcess::close);
  }

  /** Returns a new folder. */
  Path newFolder() throws IOException {
    return Files.createDirectories(folder.resolve("extra" + folders++));
  }

  /** Warms up each entrant, then measures all of them one after another, round by round. */
  List<Series> inTurns(List<Entrant> entrants) throws IOException {
    if (!warm) {
      warm = true;
      warmUp(echo);
      warmUp(lazuli);
    }
    return inTurns(entrants, scale);
  }

  /**
   * Like {@link #inTurns(List)}, in shorter and more rounds, on servers that the scenario starts
   * itself. Use it for entrants that hardly differ: disturbances affect both equally only if their
   * turns are short.
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

  /**
   * Warms up with a fixed number of inserts and point GETs, however long they take on a busy
   * machine.
   */
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

  /** Warms up with a fixed number of requests of these scripts, however long they take. */
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
   * Warms up until requests get no cheaper: the JVM compiles a server at run time, which takes a
   * while and costs CPU. The CPU cost decides, because it is steadier than the rate.
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

  /** Drives a server for some time; an error among the responses fails the run. */
  Sample load(
      ServerProcess server, List<? extends Script> scripts, long nanos, long entitiesPerRequest)
      throws IOException {
    LoadResult result = Load.run(server.address(), scripts, server::cpuNanos, nanos);
    return Sample.of(result.requireNoErrors(), entitiesPerRequest);
  }

  /** Drives a server until all scripts have ended. */
  LoadResult finish(ServerProcess server, List<? extends Script> scripts) throws IOException {
    return Load.run(server.address(), scripts, server::cpuNanos, () -> true).requireNoErrors();
  }

  /** Returns a table with this many entities, which is filled on first use. */
  String table(ServerProcess server, long entities) throws IOException {
    String table = "entities" + entities;
    if (filled.computeIfAbsent(server, key -> new HashSet<>()).add(table)) {
      createTable(server, table);
      fill(server, table, entities);
    }
    return table;
  }

  /** Inserts this many entities into an empty table. */
  void fill(ServerProcess server, String table, long entities) throws IOException {
    TableRequests requests = TableRequests.signedNow(server.endpoint());
    finish(
        server, Batches.filling(() -> requests.insertBatch(table), FILLING_CONNECTIONS, entities));
  }

  void createTable(ServerProcess server, String table) throws IOException {
    ByteBuffer request = TableRequests.signedNow(server.endpoint()).createTable(table);
    Exchange.require(server.address(), request);
  }

  /**
   * Fails unless a query finds the expected number of entities: a fast wrong response is worthless.
   */
  void requireEntities(ServerProcess server, ByteBuffer query, int expected) throws IOException {
    ResponseReader answer = Exchange.require(server.address(), query);
    int found = answer.body().split("\"RowKey\":", -1).length - 1;
    if (found != expected) {
      throw new LoadFailedException(
          server.name() + " found " + found + " entities instead of " + expected);
    }
  }
}
