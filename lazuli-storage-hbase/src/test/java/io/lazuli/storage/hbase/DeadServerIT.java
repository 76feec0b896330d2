package io.lazuli.storage.hbase;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.cluster.Cluster;
import io.lazuli.cluster.ClusterProcess;
import io.lazuli.cluster.ClusterSpec;
import io.lazuli.storage.Bytes;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.Direction;
import io.lazuli.storage.EngineConfig;
import io.lazuli.storage.KeyRange;
import io.lazuli.storage.Partition;
import io.lazuli.storage.Space;
import io.lazuli.storage.SpaceKind;
import io.lazuli.storage.StorageException;
import io.lazuli.storage.Visit;
import io.lazuli.storage.contract.EngineFixture;
import io.lazuli.storage.hbase.call.StoreTable;
import io.lazuli.storage.hbase.cluster.ClusterConnection;
import io.lazuli.storage.keys.KeyCodec;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A region server is paused, and later dies, while many clients request its partitions. Requests
 * for other partitions must not wait for it.
 */
@Tag("long")
class DeadServerIT {
  private static final int CLIENTS = 24;

  /** Fewer than the clients of the paused server, so that calls also wait for it. */
  private static final int CALLS = 16;

  private static final int DURING_THE_PAUSE = 500;
  private static final Duration TIMEOUT = Duration.ofSeconds(30);
  private static final Duration REST = Duration.ofMillis(50);

  private static final Partition HOME =
      new Partition(Space.CATALOGUE, Bytes.of("DeadServerIT".getBytes(UTF_8)));

  @TempDir private Path folder;
  private final ExecutorService clients = Executors.newCachedThreadPool();
  private volatile boolean ended;

  @Test
  void healthyPartitionsAreServedWhileAServerIsPausedOrDead() {
    try (Cluster cluster = Cluster.start(ClusterSpec.of(2))) {
      Configuration site = ClusterConnection.configuration(cluster.clientConfig());
      HBaseSettings settings = HBaseSettings.DEFAULT.withCalls(CALLS, 4 * CLIENTS);
      EngineConfig config = EngineConfig.of(folder);
      try (HBaseEngine engine = HBaseEngine.open(config, site, settings);
          ClusterConnection raw = ClusterConnection.open(site, settings.user())) {
        Partition healthy = new Partition(newTable(engine), bytes("a"));
        Partition dead = new Partition(healthy.space(), bytes("n"));
        write(engine, healthy).join();
        write(engine, dead).join();
        ClusterProcess victim = processOf(cluster, spread(raw, healthy, dead));
        run(engine, healthy, dead, victim);
      }
    } finally {
      ended = true;
      clients.shutdownNow();
    }
  }

  private void run(HBaseEngine engine, Partition healthy, Partition dead, ClusterProcess victim) {
    Tally onHealthy = new Tally();
    Tally onDead = new Tally();
    for (int i = 0; i < CLIENTS; i++) {
      start(onHealthy, () -> write(engine, healthy));
      start(onHealthy, () -> read(engine, healthy));
      start(onHealthy, () -> scan(engine, healthy));
      start(onDead, () -> write(engine, dead));
      start(onDead, () -> read(engine, dead));
      start(onDead, () -> scan(engine, dead));
    }
    Awaitility.await().until(() -> onHealthy.done.get() > 500 && onDead.done.get() > 500);
    victim.pause();
    int before = onHealthy.done.get();
    Awaitility.await().until(() -> onHealthy.done.get() > before + DURING_THE_PAUSE);
    victim.resume();
    int paused = onDead.done.get();
    Awaitility.await().until(() -> onDead.done.get() > paused + 500);
    assertThat(onDead.refused).as("a pause refuses nobody").hasValue(0);
    long killed = System.nanoTime();
    victim.kill();
    int served = onDead.done.get();
    Awaitility.await()
        .atMost(TIMEOUT.multipliedBy(3))
        .until(() -> onDead.done.get() > served + 500);
    long outage = System.nanoTime() - killed;
    ended = true;
    System.out.printf(
        "dead server: away for %,d ms, healthy partition: %,d done, %d refused, longest wait %,d ms;"
            + " its own: %,d refused, %d failed%n",
        outage / 1_000_000,
        onHealthy.done.get(),
        onHealthy.refused.get(),
        onHealthy.longest.get() / 1_000_000,
        onDead.refused.get(),
        onDead.failed.get());
    assertThat(onHealthy.refused).hasValue(0);
    assertThat(onHealthy.failed).hasValue(0);
    assertThat(onHealthy.longest.get()).isLessThan(outage / 3);
  }

  /** Counts the answers to clients. */
  private static final class Tally {
    private final AtomicInteger done = new AtomicInteger();
    private final AtomicInteger refused = new AtomicInteger();
    private final AtomicInteger failed = new AtomicInteger();
    private final AtomicLong longest = new AtomicLong();

    void add(long nanos) {
      longest.accumulateAndGet(nanos, Math::max);
      done.incrementAndGet();
    }

    void add(StorageException failure) {
      (failure.kind() == StorageException.Kind.UNAVAILABLE ? refused : failed).incrementAndGet();
    }
  }

  private interface Operation {
    CompletableFuture<?> begin();
  }

  private void start(Tally tally, Operation operation) {
    clients.execute(
        () -> {
          while (!ended) {
            long pending = System.nanoTime();
            try {
              operation.begin().join();
              tally.add(System.nanoTime() - pending);
            } catch (CompletionException e) {
              tally.add((StorageException) e.getCause());
            }
            LockSupport.parkNanos(REST.toNanos());
          }
        });
  }

  private static CompletableFuture<Boolean> write(HBaseEngine engine, Partition partition) {
    Bytes row = bytes("r" + Thread.currentThread().getId());
    return engine.transact(
        partition,
        List.of(),
        Deadline.after(TIMEOUT),
        view -> {
          view.put(row, new byte[] {1});
          return true;
        });
  }

  private static CompletableFuture<byte[]> read(HBaseEngine engine, Partition partition) {
    return engine.read(partition.row(bytes("r")), Deadline.after(TIMEOUT));
  }

  private static CompletableFuture<Void> scan(HBaseEngine engine, Partition partition) {
    return engine.scan(
        partition.space(),
        List.of(KeyRange.ofPartition(partition.name())),
        Direction.FORWARD,
        Deadline.after(TIMEOUT),
        record -> Visit.CONTINUE);
  }

  private static Space newTable(HBaseEngine engine) {
    return new Space(EngineFixture.await(engine.newSpace(SpaceKind.TABLE, Deadline.NEVER)), HOME);
  }

  /**
   * Moves one partition to a server of its own, and everything else to the server of {@code
   * hbase:meta}.
   */
  private static ServerName spread(ClusterConnection raw, Partition healthy, Partition dead) {
    List<ServerName> servers = new ArrayList<>(raw.admin().getRegionServers().join());
    ServerName meta = locate(raw, TableName.META_TABLE_NAME, HConstants.EMPTY_START_ROW).server;
    servers.remove(meta);
    byte[] border = key(dead);
    TableName tables = StoreTable.TABLES.name(HBaseSettings.DEFAULT.namespace());
    TableName catalog = StoreTable.CATALOG.name(HBaseSettings.DEFAULT.namespace());
    raw.admin().splitRegion(locate(raw, tables, border).region.getRegionName(), border).join();
    move(raw, locate(raw, catalog, HConstants.EMPTY_START_ROW), meta);
    move(raw, locate(raw, tables, key(healthy)), meta);
    move(raw, locate(raw, tables, border), servers.get(0));
    return servers.get(0);
  }

  private record Place(RegionInfo region, ServerName server) {}

  private static Place locate(ClusterConnection raw, TableName table, byte[] key) {
    var location = raw.data().getRegionLocator(table).getRegionLocation(key, true).join();
    return new Place(location.getRegion(), location.getServerName());
  }

  private static void move(ClusterConnection raw, Place place, ServerName target) {
    if (!place.server.equals(target)) {
      raw.admin().move(place.region.getEncodedNameAsBytes(), target).join();
    }
  }

  private static ClusterProcess processOf(Cluster cluster, ServerName server) {
    return cluster.regionServers().stream()
        .filter(process -> process.serverName().filter(server.toString()::equals).isPresent())
        .findFirst()
        .orElseThrow();
  }

  private static byte[] key(Partition partition) {
    byte[] key = KeyCodec.encode(partition.row(Bytes.EMPTY));
    return Arrays.copyOf(key, key.length - 1);
  }

  private static Bytes bytes(String text) {
    return Bytes.of(text.getBytes(UTF_8));
  }
}
