package io.lazuli.storage.hbase.requests;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.cluster.Cluster;
import io.lazuli.cluster.ClusterProcess;
import io.lazuli.cluster.ProcessorQuota;
import io.lazuli.storage.hbase.requests.SpreadTable.Mix;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.IntFunction;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * A cluster of three region servers whose processes have quotas, with a table on each region
 * server, one on two of them, and one on all three. So turns with different numbers of region
 * servers follow one another within seconds, and other work on the machine disturbs all of them
 * alike.
 */
final class ScaleCluster implements AutoCloseable {
  static final int SERVERS = 3;
  static final int LAZULI = 2;
  static final Duration PERIOD = Duration.ofMillis(20);

  private static final String FLUSH_SIZE = "hbase.hregion.memstore.flush.size";

  private static final Duration SETTLE = Duration.ofMillis(800);
  private static final Duration WINDOW =
      Duration.ofMillis(Integer.getInteger("scale.window-millis", 4_000));

  private final Cluster cluster;
  private final Placement placement;
  private final List<TestAccount> lazuli;
  private final Map<Integer, SpreadTable> tables = new LinkedHashMap<>();
  private final QueueSamples queue;
  private final List<ServerName> servers;
  private final List<ProcessorQuota> ofRegionServers = new ArrayList<>();
  private final List<ProcessorQuota> ofLazuli = new ArrayList<>();
  private final List<ProcessorQuota> unbounded = new ArrayList<>();
  private final Map<String, Long> processes = new LinkedHashMap<>();

  /**
   * What region servers and Lazuli servers may use in a period.
   *
   * @param regionServer zero for no bound
   * @param lazuli zero for no bound
   */
  record Quotas(Duration regionServer, Duration lazuli) {
    static final Quotas NONE = new Quotas(Duration.ZERO, Duration.ZERO);
  }

  ScaleCluster() throws IOException {
    System.setProperty("lazuli.cluster.quick.compiler", "true");
    cluster =
        Cluster.start(
            PackedServers.spec(SERVERS).withSetting(FLUSH_SIZE, String.valueOf(128 << 20)));
    placement = new Placement(cluster);
    PackedServers.set(cluster, "lazuli.lease.millis", "1000");
    // It would move the regions.
    PackedServers.set(cluster, "lazuli.balance", "off");
    lazuli = PackedServers.start(cluster, LAZULI).stream().map(TestAccount::development).toList();
    servers = placement.servers();
    store();
    queue = QueueSamples.create(lazuli.get(0), "spread-queue");
    queue.fill(200, 8, lazuli);
    for (int i = 0; i < SERVERS; i++) {
      ClusterProcess process = Placement.process(cluster, servers.get(i));
      processes.put("rs" + i, process.pid());
      ofRegionServers.add(ProcessorQuota.of(process));
    }
    for (int i = 0; i < LAZULI; i++) {
      ClusterProcess process = lazuli.get(i).server().process();
      processes.put("lazuli" + i, process.pid());
      ofLazuli.add(ProcessorQuota.of(process));
    }
    for (int i = 0; i < cluster.dataNodes().size(); i++) {
      processes.put("dn" + i, cluster.dataNodes().get(i).pid());
      unbounded.add(ProcessorQuota.of(cluster.dataNodes().get(i)));
    }
    processes.put("client", ProcessHandle.current().pid());
    unbounded.add(ProcessorQuota.ofThisProcess());
  }

  /** Makes a table for each number of region servers, and spreads it over them. */
  private void store() throws IOException {
    Map<String, ServerName> owners = new HashMap<>();
    TableName name = Placement.table("tables");
    Map<TableName, SortedSet<byte[]>> all = new TreeMap<>();
    Map<TableName, SortedSet<byte[]>> known = Map.of();
    for (int count = 1; count <= SERVERS; count++) {
      SpreadTable table = new SpreadTable(lazuli.get(0), "spread" + count);
      table.store();
      tables.put(count, table);
      Map<TableName, SortedSet<byte[]>> now = Map.of(name, placement.rows(name));
      SortedSet<byte[]> fresh = Placement.without(now, known).get(name);
      // The server has tables of its own.
      fresh.removeIf(row -> !Bytes.toStringBinary(row).matches(".*p\\d{3}\\\\x00r1\\d\\d"));
      assertThat(fresh).hasSize(SpreadTable.PARTITIONS * SpreadTable.PAGE);
      int number = 0;
      for (byte[] row : fresh) {
        int server = number * count / fresh.size();
        // The table on three begins where the one before it ends, so there is a split less.
        owners.put(
            Bytes.toStringBinary(row),
            servers.get(count < SERVERS ? server : (server + 1) % SERVERS));
        number++;
      }
      known = now;
      all.computeIfAbsent(name, first -> fresh).addAll(fresh);
    }
    Function<byte[], ServerName> owner =
        row -> requireNonNull(owners.get(Bytes.toStringBinary(row)));
    placement.split(all, owner);
    placement.move(all, owner);
    placement.require(all, owner);
  }

  /**
   * Writes what is in memory to files, so that no region server does it while it has a quota. It
   * would take most of it.
   */
  void flush() {
    bound(ofRegionServers, Duration.ZERO);
    placement.connection().admin().compactionSwitch(false, List.of()).join();
    for (String table : List.of("tables", "queues", "catalog")) {
      placement.connection().admin().flush(Placement.table(table)).join();
    }
  }

  /**
   * Measures requests for a table.
   *
   * @param count the number of region servers that have it
   */
  MeasuredTurn turn(String name, Mix mix, int count, int clients, Quotas quotas)
      throws IOException {
    SpreadTable table = requireNonNull(tables.get(count));
    return turn(
        name, mix.toString(), count, clients, number -> table.client(lazuli.get(0), mix), quotas);
  }

  /** Measures clients that put a message, take one and delete it, in turns. */
  MeasuredTurn queueTurn(String name, int clients, Quotas quotas) throws IOException {
    return turn(
        name,
        "queue",
        1,
        clients,
        number -> both(queue.puts(lazuli.get(0)), queue.takes(lazuli.get(0))),
        quotas);
  }

  private static Samples.Client both(Samples.Client puts, Samples.Client takes) {
    return new Samples.Client() {
      @Override
      public Outcome request() {
        puts.request();
        return takes.request();
      }

      @Override
      public void close() {
        puts.close();
        takes.close();
      }
    };
  }

  private MeasuredTurn turn(
      String name,
      String mix,
      int count,
      int clients,
      IntFunction<Samples.Client> client,
      Quotas quotas)
      throws IOException {
    bound(ofRegionServers, quotas.regionServer);
    bound(ofLazuli, quotas.lazuli);
    PacedClients all = new PacedClients("scale client", clients, Duration.ZERO, client);
    PacedClients.pass(SETTLE);
    Map<ServerName, Long> callsBefore = placement.calls();
    ProcessUse before = ProcessUse.now(processes);
    PacedClients.pass(WINDOW);
    ProcessUse after = ProcessUse.now(processes);
    Map<ServerName, Long> callsAfter = placement.calls();
    bound(ofRegionServers, Duration.ZERO);
    bound(ofLazuli, Duration.ZERO);
    all.close();
    Map<String, Double> figures = new LinkedHashMap<>();
    figures.put("servers", (double) count);
    figures.put("clients", (double) clients);
    times(all.done(), before.nanos(), after.nanos(), figures);
    for (String process : processes.keySet()) {
      figures.put(process, after.cores(process, before));
    }
    double seconds = (after.nanos() - before.nanos()) / 1e9;
    for (int i = 0; i < SERVERS; i++) {
      long calls = callsAfter.get(servers.get(i)) - callsBefore.get(servers.get(i));
      figures.put("calls" + i, calls / seconds);
    }
    String load = Files.readString(Path.of("/proc/loadavg")).split(" ", 2)[0];
    figures.put("load", Double.valueOf(load));
    return new MeasuredTurn(name, mix, figures);
  }

  private static void times(
      List<PacedClients.Done> done, long from, long to, Map<String, Double> figures) {
    double[] millis =
        done.stream()
            .filter(each -> each.end() - from >= 0 && each.end() - to < 0)
            .mapToDouble(each -> (each.end() - each.start()) / 1e6)
            .sorted()
            .toArray();
    figures.put("rate", PacedClients.rate(done, from, to));
    figures.put("p50", millis.length == 0 ? 0 : millis[millis.length / 2]);
    figures.put("p99", millis.length == 0 ? 0 : millis[millis.length * 99 / 100]);
  }

  private static void bound(List<ProcessorQuota> quotas, Duration used) {
    for (ProcessorQuota quota : quotas) {
      if (used.isZero()) {
        quota.lift();
      } else {
        quota.limit(used, PERIOD);
      }
    }
  }

  @Override
  public void close() {
    ofRegionServers.forEach(ProcessorQuota::close);
    ofLazuli.forEach(ProcessorQuota::close);
    unbounded.forEach(ProcessorQuota::close);
    placement.close();
    cluster.close();
    System.clearProperty("lazuli.cluster.quick.compiler");
  }
}
