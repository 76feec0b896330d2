package io.lazuli.storage.hbase.requests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.lazuli.cluster.Cluster;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The cost of a request to one and to three Lazuli servers, compared with HBase's own asynchronous
 * client on the same rows, in alternating turns. The cost is processor time: of the region servers
 * and of Lazuli, or of the region servers and of the process with HBase's client. Prints ratios,
 * like {@code EngineCostIT}. The bound detects a collapse; it does not judge a machine.
 */
@Tag("long")
final class ServerCostIT {
  /** More than a few blocks of a file, so that reads use its index. */
  private static final int POINTS = Integer.getInteger("cost.points", 20_000);

  private static final int MANY = 64;
  private static final int SERVERS = Integer.getInteger("cost.servers", 3);
  private static final int TURNS = Integer.getInteger("cost.turns", 7);
  private static final int WARM_UP_TURNS = Integer.getInteger("cost.warm-up", 10);
  private static final int REGION_SERVERS_MAX = Integer.getInteger("cost.region-servers", 3);

  /** The kinds of requests to measure. */
  private static final Set<String> KINDS =
      Set.of(System.getProperty("cost.kinds", "POINT_GET,INSERT,SCAN").split(","));

  private static final Duration TURN = Duration.ofMillis(1_500);
  private static final Duration IDLE = Duration.ofSeconds(10);

  /** One turn: requests per second, and processor time for each in microseconds. */
  private record Turn(double rate, double ofCaller, double ofRegionServers) {
    double cost() {
      return ofCaller + ofRegionServers;
    }
  }

  /** Requests of some kind, and the call of HBase's client that is compared with them. */
  private record Comparison(String text, Kind kind, Supplier<CompletableFuture<?>> raw) {}

  /**
   * A cluster and the data of its servers.
   *
   * @param idle what the processes use in a second without requests
   */
  private record Setting(
      Cluster cluster, List<TestAccount> servers, Samples samples, ProcessorTime idle) {}

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void requestsComparedWithTheClientItself(int regionServers) throws IOException {
    assumeTrue(regionServers <= REGION_SERVERS_MAX);
    try (Cluster cluster = Cluster.start(PackedServers.spec(regionServers));
        Placement placement = new Placement(cluster)) {
      List<TestAccount> servers =
          PackedServers.start(cluster, SERVERS).stream().map(TestAccount::development).toList();
      Samples samples = new Samples(servers.get(0), "cost", POINTS, 1);
      samples.storeEntities();
      // Most records of a store are in files, not in memory.
      placement.connection().admin().flush(Placement.table("tables")).join();
      RawClient raw = new RawClient(placement);
      Setting setting = new Setting(cluster, servers, samples, idle(cluster, servers));
      for (Comparison each : comparisons(raw)) {
        if (!KINDS.contains(each.kind.name())) {
          continue;
        }
        warmUp(setting, each);
        print(setting, each, 1, MANY);
        print(setting, each, 1, 1);
        if (SERVERS > 1) {
          print(setting, each, SERVERS, MANY);
        }
      }
    }
  }

  private static List<Comparison> comparisons(RawClient raw) {
    return List.of(
        new Comparison("point GET and get", Kind.POINT_GET, raw::get),
        new Comparison("insert and put", Kind.INSERT, raw::put),
        new Comparison("insert and put if absent", Kind.INSERT, raw::insert),
        new Comparison("query and scan of 100", Kind.SCAN, raw::scan));
  }

  private static ProcessorTime idle(Cluster cluster, List<TestAccount> servers) {
    PacedClients.pass(IDLE);
    ProcessorTime.Snapshot before = ProcessorTime.now(cluster, servers);
    PacedClients.pass(IDLE);
    return ProcessorTime.now(cluster, servers).since(before).share(1.0 / IDLE.toSeconds(), 1);
  }

  /** Repeats the work until the JIT compilers of all processes have compiled it. */
  private static void warmUp(Setting setting, Comparison comparison) {
    for (int turn = 0; turn < WARM_UP_TURNS; turn++) {
      RawClient.run(comparison.raw, MANY, TURN);
      requests(setting, comparison.kind, 1, MANY);
      if (SERVERS > 1) {
        requests(setting, comparison.kind, SERVERS, MANY);
      }
    }
  }

  private static void print(Setting setting, Comparison comparison, int servers, int connections) {
    List<Turn> raws = new ArrayList<>();
    List<Turn> ours = new ArrayList<>();
    List<Double> costs = new ArrayList<>();
    List<Double> rates = new ArrayList<>();
    for (int turn = 0; turn < TURNS; turn++) {
      Turn raw = turn(setting, 0, () -> RawClient.run(comparison.raw, connections, TURN));
      Turn our =
          turn(setting, servers, () -> requests(setting, comparison.kind, servers, connections));
      raws.add(raw);
      ours.add(our);
      costs.add(raw.cost() / our.cost());
      rates.add(our.rate / raw.rate);
    }
    costs.sort(null);
    rates.sort(null);
    System.out.printf(
        Locale.ROOT,
        "%d region servers, %d Lazuli, %d connections, %s: at equal CPU %.2f x (%.2f to %.2f); HBase"
            + " %.0f + %.0f µs, Lazuli %.0f + %.0f µs; rate %.2f x (%.2f to %.2f), %.0f/s%n",
        setting.cluster.regionServers().size(),
        servers,
        connections,
        comparison.text,
        costs.get(TURNS / 2),
        costs.get(0),
        costs.get(TURNS - 1),
        median(raws, Turn::ofCaller),
        median(raws, Turn::ofRegionServers),
        median(ours, Turn::ofCaller),
        median(ours, Turn::ofRegionServers),
        rates.get(TURNS / 2),
        rates.get(0),
        rates.get(TURNS - 1),
        median(ours, Turn::rate));
    assertThat(rates.get(TURNS / 2)).isGreaterThan(0.02);
  }

  private static double median(List<Turn> turns, ToDoubleFunction<Turn> figure) {
    return turns.stream().mapToDouble(figure).sorted().toArray()[turns.size() / 2];
  }

  /**
   * Measures one turn.
   *
   * @param count how many Lazuli servers it uses; 0 for HBase's own client
   */
  private static Turn turn(Setting setting, int count, LongSupplier work) {
    List<TestAccount> servers = setting.servers.subList(0, count);
    ProcessorTime.Snapshot before = ProcessorTime.now(setting.cluster, servers);
    long begin = System.nanoTime();
    double done = work.getAsLong();
    double seconds = (System.nanoTime() - begin) / 1e9;
    ProcessorTime used =
        ProcessorTime.now(setting.cluster, servers)
            .since(before)
            .without(setting.idle.share(seconds, (double) count / SERVERS));
    long caller = count == 0 ? used.self() : used.servers();
    return new Turn(done / seconds, caller / done / 1e3, used.regionServers() / done / 1e3);
  }

  private static long requests(Setting setting, Kind kind, int servers, int connections) {
    PacedClients clients =
        new PacedClients(
            kind.text,
            connections,
            Duration.ZERO,
            number -> setting.samples.client(kind, number, setting.servers.get(number % servers)));
    PacedClients.pass(TURN);
    clients.close();
    assertThat(PacedClients.outcomes(clients.done()).get(Outcome.SERVED))
        .isEqualTo(clients.done().size());
    return clients.done().size();
  }
}
