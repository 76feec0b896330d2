package io.lazuli.storage.hbase;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lazuli.cluster.Cluster;
import io.lazuli.cluster.ClusterProcess;
import io.lazuli.cluster.ClusterSpec;
import io.lazuli.storage.Bytes;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.EngineConfig;
import io.lazuli.storage.Partition;
import io.lazuli.storage.PartitionMap;
import io.lazuli.storage.RecordKey;
import io.lazuli.storage.Space;
import io.lazuli.storage.SpaceKind;
import io.lazuli.storage.contract.EngineFixture;
import io.lazuli.storage.hbase.balance.BalanceSettings;
import io.lazuli.storage.hbase.call.StoreTable;
import io.lazuli.storage.hbase.cluster.ClusterConnection;
import io.lazuli.storage.keys.KeyCodec;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The death of a region server stops only the accounts whose homes it had. */
@Tag("long")
final class HomeSpreadIT {
  private static final int HOMES = 6;
  private static final Duration TIMEOUT = Duration.ofSeconds(40);
  private static final Duration REST = Duration.ofMillis(50);
  private static final String NAMESPACE = HBaseSettings.DEFAULT.namespace();

  private static final BalanceSettings QUICK =
      new BalanceSettings(
          BalanceSettings.Mode.ON,
          Duration.ofSeconds(1),
          1e9,
          3,
          Duration.ofHours(1),
          Duration.ofSeconds(2),
          60,
          256L << 20,
          1);

  @TempDir private Path folder;
  private final ExecutorService clients = Executors.newCachedThreadPool();
  private volatile boolean ended;

  /** Reads a record of one account again and again. */
  private final class Client {
    private final RecordKey record;
    private final AtomicLong longest = new AtomicLong();
    private final AtomicLong done = new AtomicLong();

    Client(RecordKey record) {
      this.record = record;
    }

    Partition home() {
      return record.partition().space().requireHome();
    }

    void run(HBaseEngine engine) {
      while (!ended) {
        long began = System.nanoTime();
        engine.read(record, Deadline.after(TIMEOUT)).join();
        longest.accumulateAndGet(System.nanoTime() - began, Math::max);
        done.incrementAndGet();
        LockSupport.parkNanos(REST.toNanos());
      }
    }
  }

  @Test
  void onlyTheAccountsOfADeadServerWait() {
    try (Cluster cluster = Cluster.start(ClusterSpec.of(3))) {
      Configuration site = ClusterConnection.configuration(cluster.clientConfig());
      HBaseSettings settings = TestCluster.SETTINGS.withBalance(QUICK);
      try (HBaseEngine engine = HBaseEngine.open(EngineConfig.of(folder), site, settings);
          ClusterConnection raw = ClusterConnection.open(site, settings.user())) {
        List<Client> all =
            IntStream.range(0, HOMES).mapToObj(i -> new Client(newRecord(engine, i))).toList();
        await().atMost(Duration.ofMinutes(4)).until(() -> serversOfHomes(engine).size() == 3);
        kill(cluster, engine, raw, all);
      }
    } finally {
      ended = true;
      clients.shutdownNow();
    }
  }

  private void kill(Cluster cluster, HBaseEngine engine, ClusterConnection raw, List<Client> all) {
    List<String> used =
        List.of(
            server(raw, TableName.META_TABLE_NAME, HConstants.EMPTY_START_ROW),
            server(raw, StoreTable.TABLES.name(NAMESPACE), HConstants.EMPTY_START_ROW));
    ClusterProcess victim =
        cluster.regionServers().stream()
            .filter(
                process -> process.serverName().filter(name -> !used.contains(name)).isPresent())
            .findFirst()
            .orElseThrow();
    String dead = victim.serverName().orElseThrow();
    List<Client> stopped = all.stream().filter(each -> dead.equals(server(raw, each))).toList();
    List<Client> others = all.stream().filter(each -> !stopped.contains(each)).toList();
    assertThat(stopped).isNotEmpty();
    assertThat(others).isNotEmpty();
    all.forEach(client -> clients.execute(() -> client.run(engine)));
    await().until(() -> all.stream().allMatch(client -> client.done.get() > 20));
    long killed = System.nanoTime();
    victim.kill();
    await()
        .atMost(TIMEOUT.multipliedBy(2))
        .until(() -> stopped.stream().allMatch(client -> client.longest.get() > 3_000_000_000L));
    long outage = System.nanoTime() - killed;
    ended = true;
    long wait = others.stream().mapToLong(client -> client.longest.get()).max().orElseThrow();
    System.out.printf(
        "homes of %d of %d accounts were away for %,d ms; the others waited for %,d ms at most%n",
        stopped.size(), HOMES, outage / 1_000_000, wait / 1_000_000);
    assertThat(wait).isLessThan(outage / 3);
  }

  private static String server(ClusterConnection raw, Client client) {
    return server(
        raw, StoreTable.CATALOG.name(NAMESPACE), KeyCodec.encode(client.home().row(Bytes.EMPTY)));
  }

  private static String server(ClusterConnection raw, TableName table, byte[] key) {
    return raw.data()
        .getRegionLocator(table)
        .getRegionLocation(key, true)
        .join()
        .getServerName()
        .getServerName();
  }

  private static Set<String> serversOfHomes(HBaseEngine engine) {
    Set<String> servers = new HashSet<>();
    for (PartitionMap.Range range :
        EngineFixture.await(engine.partitionMap()).orElseThrow().ranges()) {
      // The last range of the catalogue holds reports and no homes.
      if (range.table().equals("catalog")
          && !range.from().equals("\\xff")
          && !range.server().isEmpty()) {
        servers.add(range.server());
      }
    }
    return servers;
  }

  private static RecordKey newRecord(HBaseEngine engine, int number) {
    Partition home = new Partition(Space.CATALOGUE, bytes("account" + number + "/table"));
    write(engine, home.row(bytes("a name")));
    Space space =
        new Space(EngineFixture.await(engine.newSpace(SpaceKind.TABLE, Deadline.NEVER)), home);
    RecordKey record = new Partition(space, bytes("p")).row(bytes("r"));
    write(engine, record);
    return record;
  }

  private static void write(HBaseEngine engine, RecordKey key) {
    boolean unused =
        EngineFixture.await(
            engine.transact(
                key.partition(),
                List.of(),
                Deadline.after(TIMEOUT),
                view -> {
                  view.put(key.row(), new byte[] {1});
                  return true;
                }));
  }

  private static Bytes bytes(String text) {
    return Bytes.of(text.getBytes(UTF_8));
  }
}
