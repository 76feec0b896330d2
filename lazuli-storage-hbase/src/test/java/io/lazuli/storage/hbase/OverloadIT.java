package io.lazuli.storage.hbase;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.cluster.Cluster;
import io.lazuli.cluster.ClusterSpec;
import io.lazuli.storage.Bytes;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.EngineConfig;
import io.lazuli.storage.Partition;
import io.lazuli.storage.RecordKey;
import io.lazuli.storage.Space;
import io.lazuli.storage.SpaceKind;
import io.lazuli.storage.StorageException;
import io.lazuli.storage.contract.EngineFixture;
import io.lazuli.storage.hbase.balance.BalanceSettings;
import io.lazuli.storage.hbase.call.StoreTable;
import io.lazuli.storage.hbase.cluster.ClusterConnection;
import io.lazuli.storage.hbase.regions.RegionChanges;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Four servers overload a region server. They must not make it worse with repeated calls, and the
 * clients of another region server must notice nothing. Prints figures: acknowledged operations at
 * 1, 4 and 16 times the load that saturates the region server.
 */
@Tag("long")
@Timeout(900)
class OverloadIT {
  private static final int SERVERS = 4;

  /** Clients of all servers together that saturate the slow region server. */
  private static final int SATURATING = 32;

  private static final int HEALTHY_CLIENTS = 4;
  private static final int PARTITIONS = 64;
  private static final Duration TIME_MAX = Duration.ofSeconds(6);
  private static final Duration PHASE = Duration.ofSeconds(Integer.getInteger("overload.s", 12));

  /** The pause of a client whose request was refused, as an SDK makes it; half to three halves. */
  private static final int PAUSE_MILLIS = 800;

  @TempDir private Path folder;
  private final List<HBaseEngine> engines = new ArrayList<>();
  private final ScheduledExecutorService pauses = Executors.newScheduledThreadPool(2);
  private Space slow;
  private Space healthy;

  private enum Kind {
    READ,
    WRITE
  }

  /** What became of the operations of some clients. */
  private static final class Counts {
    private final LongAdder done = new LongAdder();
    private final Map<StorageException.Kind, LongAdder> failed =
        new EnumMap<>(StorageException.Kind.class);
    private final AtomicLong longestNanos = new AtomicLong();

    Counts() {
      for (StorageException.Kind kind : StorageException.Kind.values()) {
        failed.put(kind, new LongAdder());
      }
    }

    long failed() {
      return failed.values().stream().mapToLong(LongAdder::sum).sum();
    }

    @Override
    public String toString() {
      StringBuilder text = new StringBuilder();
      failed.forEach((kind, count) -> text.append(count.sum() > 0 ? " " + kind + " " + count : ""));
      return "%d done, failed:%s, longest %.1f s"
          .formatted(done.sum(), text.isEmpty() ? " 0" : text, longestNanos.get() / 1e9);
    }
  }

  /** Calls beyond the short queue of the region server are refused. */
  @Test
  void aRegionServerThatRefusesCallsGoesOn() {
    run(
        "short queue",
        ClusterSpec.of(2)
            .withSetting("hbase.regionserver.handler.count", "4")
            .withSetting("hbase.ipc.server.max.callqueue.length", "20")
            .withSetting("slow.millis", "10"),
        100);
  }

  /** Calls wait in a long queue, longer than the library waits for their answers. */
  @Test
  void aRegionServerThatAnswersTooLateGoesOn() {
    run(
        "long queue",
        ClusterSpec.of(2)
            .withSetting("hbase.regionserver.handler.count", "4")
            .withSetting("hbase.ipc.server.max.callqueue.length", "10000")
            .withSetting("slow.millis", "50"),
        100);
  }

  /** A region refuses writes while its memory is being written to files. */
  @Test
  void aRegionWhoseMemoryIsFullGoesOn() {
    run(
        "small memory",
        ClusterSpec.of(2)
            .withSetting("hbase.hregion.memstore.flush.size", "2097152")
            .withSetting("hbase.hregion.memstore.block.multiplier", "1")
            .withSetting("slow.millis", "0"),
        60_000);
  }

  private void run(String name, ClusterSpec spec, int valueBytes) {
    ClusterSpec slowed =
        spec.withSetting("hbase.coprocessor.user.region.classes", SlowTables.CLASS)
            .withJars(List.of(SlowTables.compile(folder)));
    try (Cluster cluster = Cluster.start(slowed)) {
      open(ClusterConnection.configuration(cluster.clientConfig()));
      phase(Kind.WRITE, SATURATING, valueBytes);
      for (Kind kind : Kind.values()) {
        long saturated = 0;
        for (int factor : new int[] {1, 4, 16}) {
          long callsBefore = calls();
          Counts[] both = phase(kind, SATURATING * factor, valueBytes);
          long done = Math.max(1, both[0].done.sum());
          saturated = factor == 1 ? done : saturated;
          double callsOfEach = (double) (calls() - callsBefore - both[1].done.sum()) / done;
          System.out.printf(
              "%s, %s at %dx: %s; %.2fx of 1x; %.1f calls for each; healthy: %s%n",
              name, kind, factor, both[0], (double) done / saturated, callsOfEach, both[1]);
          // The rate depends on what else the machine does, but the calls for each answer do not.
          assertThat(callsOfEach).as("%s, %s at %dx: calls", name, kind, factor).isLessThan(6);
          assertThat(both[1].failed())
              .as("requests of the healthy region server")
              .isLessThanOrEqualTo(both[1].done.sum() / 20);
        }
      }
    } finally {
      engines.forEach(HBaseEngine::close);
      pauses.shutdownNow();
    }
  }

  private long calls() {
    return engines.stream().mapToLong(HBaseEngine::calls).sum();
  }

  private void open(Configuration site) {
    BalanceSettings normal = BalanceSettings.DEFAULT;
    BalanceSettings off =
        new BalanceSettings(
            BalanceSettings.Mode.OFF,
            normal.round(),
            normal.hotRate(),
            normal.hotRounds(),
            normal.coldTime(),
            normal.pause(),
            normal.operationsPerHour(),
            normal.mergeBytesMax(),
            normal.rangesMin());
    for (int i = 0; i < SERVERS; i++) {
      engines.add(
          HBaseEngine.open(EngineConfig.of(folder), site, HBaseSettings.DEFAULT.withBalance(off)));
    }
    try (ClusterConnection connection = ClusterConnection.open(site, "lazuli")) {
      connection.admin().balancerSwitch(false, true).join();
      List<ServerName> servers =
          connection.admin().getRegionServers().join().stream().sorted().toList();
      for (StoreTable table : StoreTable.values()) {
        ServerName target = servers.get(table == StoreTable.TABLES ? 0 : 1);
        for (RegionInfo region : connection.admin().getRegions(table.name("lazuli")).join()) {
          RegionChanges.untilDone(
              () -> connection.admin().move(region.getRegionName(), target).join());
        }
      }
    }
    slow = space(SpaceKind.TABLE);
    healthy = space(SpaceKind.QUEUE);
    awaitDone(healthy);
    awaitDone(slow);
  }

  private void awaitDone(Space space) {
    for (HBaseEngine engine : engines) {
      Awaitility.await()
          .atMost(Duration.ofMinutes(1))
          .ignoreExceptions()
          .until(() -> EngineFixture.await(write(engine, space, 10)));
    }
  }

  private Space space(SpaceKind kind) {
    long number =
        EngineFixture.await(engines.get(0).newSpace(kind, Deadline.after(Duration.ofMinutes(1))));
    return new Space(number, new Partition(Space.CATALOGUE, Bytes.of("home".getBytes(UTF_8))));
  }

  /** Returns the counts of the clients of the slow region server, and of the other one. */
  private Counts[] phase(Kind kind, int clients, int valueBytes) {
    Counts[] counts = {new Counts(), new Counts()};
    long end = System.nanoTime() + PHASE.toNanos();
    List<CompletableFuture<Boolean>> ends = new ArrayList<>();
    for (int i = 0; i < clients; i++) {
      ends.add(client(engines.get(i % SERVERS), slow, kind, valueBytes, counts[0], end));
    }
    for (int i = 0; i < HEALTHY_CLIENTS; i++) {
      ends.add(client(engines.get(i % SERVERS), healthy, kind, 100, counts[1], end));
    }
    ends.forEach(CompletableFuture::join);
    return counts;
  }

  private CompletableFuture<Boolean> client(
      HBaseEngine engine, Space space, Kind kind, int valueBytes, Counts counts, long end) {
    CompletableFuture<Boolean> ended = new CompletableFuture<>();
    pauses.execute(() -> next(engine, space, kind, valueBytes, counts, end, ended));
    return ended;
  }

  private void next(
      HBaseEngine engine,
      Space space,
      Kind kind,
      int valueBytes,
      Counts counts,
      long end,
      CompletableFuture<Boolean> ended) {
    long begin = System.nanoTime();
    if (begin >= end) {
      ended.complete(true);
      return;
    }
    CompletableFuture<?> operation =
        kind == Kind.READ
            ? engine.read(key(space), Deadline.after(TIME_MAX))
            : write(engine, space, valueBytes);
    CompletableFuture<?> unused =
        operation.whenComplete(
            (value, failure) -> {
              long now = System.nanoTime();
              counts.longestNanos.accumulateAndGet(now - begin, Math::max);
              int pause = 0;
              if (failure == null && now < end) {
                counts.done.increment();
              } else if (failure instanceof StorageException e) {
                counts.failed.get(e.kind()).increment();
                pause = PAUSE_MILLIS / 2 + ThreadLocalRandom.current().nextInt(PAUSE_MILLIS);
              }
              ScheduledFuture<?> unusedPause =
                  pauses.schedule(
                      () -> next(engine, space, kind, valueBytes, counts, end, ended),
                      pause,
                      TimeUnit.MILLISECONDS);
            });
  }

  private static CompletableFuture<Boolean> write(HBaseEngine engine, Space space, int bytes) {
    RecordKey key = key(space);
    byte[] value = new byte[bytes];
    ThreadLocalRandom.current().nextBytes(value);
    return engine.transact(
        key.partition(),
        List.of(),
        Deadline.after(TIME_MAX),
        view -> {
          view.put(key.row(), value);
          return true;
        });
  }

  private static RecordKey key(Space space) {
    ThreadLocalRandom random = ThreadLocalRandom.current();
    Bytes partition = Bytes.of(("p" + random.nextInt(PARTITIONS)).getBytes(UTF_8));
    Bytes row = Bytes.of(("r" + random.nextInt(100)).getBytes(UTF_8));
    return new RecordKey(new Partition(space, partition), row);
  }
}
