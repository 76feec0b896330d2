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
import io.lazuli.storage.RangeSplit;
import io.lazuli.storage.Space;
import io.lazuli.storage.SpaceKind;
import io.lazuli.storage.contract.EngineFixture;
import io.lazuli.storage.hbase.balance.BalanceSettings;
import io.lazuli.storage.hbase.call.StoreTable;
import io.lazuli.storage.hbase.cluster.ClusterConnection;
import io.lazuli.storage.keys.KeyCodec;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A skewed load whose ranges are all on one of three region servers, under which the balancer, an
 * operator and a pause may not let a request fail. Measures how long the hottest server has more
 * than one and a half times the mean. The load of a server follows from the weights of the
 * partitions and the places of their regions, so it does not depend on what the balancer counts.
 * {@code -Dskewed.seconds} watches it further.
 */
@Tag("long")
final class SkewedLoadIT {
  private static final int PARTITIONS = 60;
  private static final int REGIONS = 6;
  private static final int CLIENTS = 6;
  private static final Duration WATCHED_MAX = Duration.ofMinutes(6);
  private static final double EVEN = 1.5;
  private static final Duration ROUND = Duration.ofSeconds(2);
  private static final TableName TABLES = StoreTable.TABLES.name(HBaseSettings.DEFAULT.namespace());

  private static final TableName CATALOG =
      StoreTable.CATALOG.name(HBaseSettings.DEFAULT.namespace());

  private static final BalanceSettings QUICK =
      new BalanceSettings(
          BalanceSettings.Mode.ON,
          ROUND,
          100,
          3,
          Duration.ofHours(1),
          Duration.ofSeconds(6),
          600,
          256L << 20,
          1);

  @TempDir private Path folder;
  private final AtomicLong done = new AtomicLong();
  private final AtomicReference<Throwable> failure = new AtomicReference<>();
  private final CountDownLatch ended = new CountDownLatch(CLIENTS);
  private volatile boolean stopped;

  /** The sums of the weights of the partitions, as in the law of Zipf, shuffled by a step. */
  private final double[] sums = new double[PARTITIONS];

  @Test
  void aSkewedLoadIsSpread() throws Exception {
    try (Cluster cluster = Cluster.start(ClusterSpec.of(3))) {
      Configuration site = ClusterConnection.configuration(cluster.clientConfig());
      HBaseSettings settings = TestCluster.SETTINGS.withBalance(QUICK);
      try (HBaseEngine engine = HBaseEngine.open(EngineConfig.of(folder), site, settings);
          ClusterConnection raw = ClusterConnection.open(site, settings.user())) {
        Space space = newSpace(engine);
        weigh();
        divide(raw, space);
        for (int i = 0; i < CLIENTS; i++) {
          new Thread(() -> load(engine, space), "load-" + i).start();
        }
        try {
          await().until(() -> done.get() > 500);
          watch(engine, raw, space);
          divideAnEmptyTable(engine, raw);
          pauseAServer(cluster, engine, raw);
        } finally {
          stopped = true;
          ended.await();
        }
        assertThat(failure.get()).isNull();
      }
    }
  }

  /** Splits the table of the space, and moves all regions to one server. */
  private static void divide(ClusterConnection raw, Space space) {
    for (int i = 1; i < REGIONS; i++) {
      byte[] key = partitionStart(space, i * PARTITIONS / REGIONS);
      int wanted = i + 1;
      await()
          .atMost(Duration.ofMinutes(2))
          .ignoreExceptions()
          .until(
              () -> {
                if (raw.admin().getRegions(TABLES).join().size() < wanted) {
                  raw.admin().split(TABLES, key).join();
                }
                return raw.admin().getRegions(TABLES).join().size() == wanted;
              });
    }
    ServerName one = List.copyOf(raw.admin().getRegionServers().join()).get(0);
    for (RegionInfo region : raw.admin().getRegions(TABLES).join()) {
      raw.admin().move(region.getEncodedNameAsBytes(), one).join();
    }
    await()
        .atMost(Duration.ofMinutes(1))
        .until(
            () ->
                locations(raw).stream().map(HRegionLocation::getServerName).distinct().count()
                    == 1);
  }

  private void watch(HBaseEngine engine, ClusterConnection raw, Space space) {
    long began = System.nanoTime();
    double first = imbalance(raw, space);
    double now = first;
    List<String> course = new ArrayList<>();
    while (now >= EVEN && System.nanoTime() - began < WATCHED_MAX.toNanos()) {
      LockSupport.parkNanos(Duration.ofSeconds(1).toNanos());
      now = imbalance(raw, space);
      course.add("%.2f".formatted(now));
    }
    double seconds = (System.nanoTime() - began) / 1e9;
    PartitionMap map = EngineFixture.await(engine.partitionMap()).orElseThrow();
    System.out.printf(
        "skewed load: hottest/mean %.2f, after %.0f s (%.0f rounds) %.2f; %s; %d requests, %d"
            + " ranges%n  course %s%n",
        first,
        seconds,
        seconds / ROUND.toSeconds(),
        now,
        map.totals(),
        done.get(),
        locations(raw).size(),
        course);
    long watched =
        System.nanoTime() + Duration.ofSeconds(Long.getLong("skewed.seconds", 0)).toNanos();
    while (System.nanoTime() < watched) {
      LockSupport.parkNanos(Duration.ofSeconds(10).toNanos());
      System.out.printf("  later %.2f%n", imbalance(raw, space));
    }
    map.actions()
        .forEach(
            action ->
                System.out.printf(
                    "  %s %s (%s): %s%n",
                    action.time(), action.what(), action.why(), action.outcome()));
    assertThat(now).isLessThan(EVEN);
  }

  /** What an operator does before an import. The load on the other table goes on. */
  private static void divideAnEmptyTable(HBaseEngine engine, ClusterConnection raw) {
    Space empty = newSpace(engine);
    engine.nameSpaces(
        spaces -> spaces.contains(empty.number()) ? Map.of(empty.number(), "acme/New") : Map.of());
    List<Partition> at =
        Stream.of("b", "d", "f", "h", "j", "l", "n", "p", "r")
            .map(name -> new Partition(empty, bytes(name)))
            .toList();
    RangeSplit[] last = new RangeSplit[1];
    int[] calls = new int[1];
    long began = System.nanoTime();
    await()
        .atMost(Duration.ofMinutes(3))
        .pollInterval(Duration.ofMillis(200))
        .until(
            () -> {
              calls[0]++;
              last[0] = EngineFixture.await(engine.splitRanges(at)).orElseThrow();
              return last[0].waiting() == 0;
            });
    System.out.printf(
        "pre-split: %s after %d steps and %.0f s%n",
        last[0], calls[0], (System.nanoTime() - began) / 1e9);
    assertThat(last[0].boundaries()).isEqualTo(9);
    assertThat(last[0].nodes()).isEqualTo(3);
    PartitionMap map = EngineFixture.await(engine.partitionMap()).orElseThrow();
    assertThat(map.ranges()).extracting(PartitionMap.Range::from).contains("acme/New/b");
    assertThat(map.actions()).anyMatch(action -> action.what().contains("acme/New/"));
    // The ranges are cold, and the balancer leaves them alone.
    assertThat(map.totals().merges()).isZero();
    assertThat(raw.admin().getRegions(TABLES).join()).hasSizeGreaterThanOrEqualTo(REGIONS + 9);
  }

  /** The pause is shorter than a session, because a local folder does not fence. */
  private static void pauseAServer(Cluster cluster, HBaseEngine engine, ClusterConnection raw) {
    String meta =
        raw.data()
            .getRegionLocator(TableName.META_TABLE_NAME)
            .getRegionLocation(new byte[0], true)
            .join()
            .getServerName()
            .getServerName();
    ClusterProcess victim =
        cluster.regionServers().stream()
            .filter(process -> !process.serverName().orElse(meta).equals(meta))
            .findFirst()
            .orElseThrow();
    String paused = victim.serverName().orElseThrow();
    // Without the catalogue there is no leader, wherever the fault is.
    for (RegionInfo region : raw.admin().getRegions(CATALOG).join()) {
      raw.admin().move(region.getEncodedNameAsBytes(), ServerName.valueOf(meta)).join();
    }
    victim.pause();
    try {
      // Rounds go on, and know the others.
      await()
          .atMost(Duration.ofSeconds(9))
          .until(
              () ->
                  EngineFixture.await(engine.partitionMap()).orElseThrow().nodes().stream()
                      .allMatch(node -> node.answers() != node.server().equals(paused)));
    } finally {
      victim.resume();
    }
    await()
        .atMost(Duration.ofSeconds(30))
        .until(
            () ->
                EngineFixture.await(engine.partitionMap()).orElseThrow().nodes().stream()
                    .allMatch(PartitionMap.Node::answers));
  }

  /** Returns the load of the hottest server as a multiple of the mean of the three. */
  private double imbalance(ClusterConnection raw, Space space) {
    Map<ServerName, Double> loads = new HashMap<>();
    raw.admin().getRegionServers().join().forEach(server -> loads.put(server, 0.0));
    for (HRegionLocation location : locations(raw)) {
      for (int i = 0; i < PARTITIONS; i++) {
        if (location.getRegion().containsRow(partitionStart(space, i))) {
          loads.merge(location.getServerName(), weight(i), Double::sum);
        }
      }
    }
    return Collections.max(loads.values()) * loads.size() / sums[PARTITIONS - 1];
  }

  private static List<HRegionLocation> locations(ClusterConnection raw) {
    return raw.data().getRegionLocator(TABLES).getAllRegionLocations().join().stream()
        .filter(location -> location.getServerName() != null)
        .toList();
  }

  private void weigh() {
    double sum = 0;
    for (int i = 0; i < PARTITIONS; i++) {
      sum += 1 / Math.pow(i * 17 % PARTITIONS + 1, 0.9);
      sums[i] = sum;
    }
  }

  private double weight(int partition) {
    return partition == 0 ? sums[0] : sums[partition] - sums[partition - 1];
  }

  private int choice() {
    int at =
        Arrays.binarySearch(sums, ThreadLocalRandom.current().nextDouble(sums[PARTITIONS - 1]));
    return at < 0 ? -at - 1 : at;
  }

  private void load(HBaseEngine engine, Space space) {
    try {
      while (!stopped && failure.get() == null) {
        Partition partition = new Partition(space, name(choice()));
        Bytes row = bytes("r" + ThreadLocalRandom.current().nextInt(5));
        Deadline deadline = Deadline.after(Duration.ofSeconds(30));
        if (ThreadLocalRandom.current().nextInt(4) == 0) {
          engine
              .transact(
                  partition,
                  List.of(row),
                  deadline,
                  view -> {
                    view.put(row, new byte[100]);
                    return true;
                  })
              .join();
        } else {
          byte[] unused = engine.read(partition.row(row), deadline).join();
        }
        done.incrementAndGet();
      }
    } catch (Throwable e) {
      failure.compareAndSet(null, e);
    } finally {
      ended.countDown();
    }
  }

  private static Space newSpace(HBaseEngine engine) {
    Partition home = new Partition(Space.CATALOGUE, bytes("account/table"));
    return new Space(EngineFixture.await(engine.newSpace(SpaceKind.TABLE, Deadline.NEVER)), home);
  }

  private static byte[] partitionStart(Space space, int partition) {
    byte[] key = KeyCodec.encode(new Partition(space, name(partition)).row(Bytes.EMPTY));
    return Arrays.copyOf(key, key.length - 1);
  }

  private static Bytes name(int partition) {
    return bytes("p%02d".formatted(partition));
  }

  private static Bytes bytes(String text) {
    return Bytes.of(text.getBytes(UTF_8));
  }
}
