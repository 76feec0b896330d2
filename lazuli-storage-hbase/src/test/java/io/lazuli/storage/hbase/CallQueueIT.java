package io.lazuli.storage.hbase;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.cluster.Cluster;
import io.lazuli.cluster.ClusterSpec;
import io.lazuli.storage.Bytes;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.Direction;
import io.lazuli.storage.EngineConfig;
import io.lazuli.storage.KeyRange;
import io.lazuli.storage.Partition;
import io.lazuli.storage.RecordKey;
import io.lazuli.storage.Space;
import io.lazuli.storage.SpaceKind;
import io.lazuli.storage.Visit;
import io.lazuli.storage.contract.EngineFixture;
import io.lazuli.storage.hbase.cluster.ClusterConnection;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Prints how long reads by key and writes wait at a region server that is busy with slow pages of
 * scans: with one queue for all calls, as HBase has it, and with queues for scans.
 */
@Tag("long")
@Timeout(900)
class CallQueueIT {
  private static final int SCANS = 24;
  private static final int CLIENTS = 4;
  private static final Duration PHASE = Duration.ofSeconds(Integer.getInteger("queue.s", 20));

  @TempDir private Path folder;

  private record Figures(long[] reads, long[] writes) {
    static long p99(long[] nanos) {
      return nanos[nanos.length * 99 / 100];
    }
  }

  @Test
  void scansInQueuesOfTheirOwnLeaveHandlersForOtherCalls() throws Exception {
    ClusterSpec spec =
        ClusterSpec.of(1)
            .withSetting("hbase.regionserver.handler.count", "10")
            .withSetting("slow.millis", "0")
            .withSetting("slow.scan.millis", "200")
            .withSetting("hbase.coprocessor.user.region.classes", SlowTables.CLASS)
            .withJars(List.of(SlowTables.compile(folder)));
    Figures one = measure(spec);
    Figures several =
        measure(
            spec.withSetting("hbase.ipc.server.callqueue.handler.factor", "1")
                .withSetting("hbase.ipc.server.callqueue.read.ratio", "0.9")
                .withSetting("hbase.ipc.server.callqueue.scan.ratio", "0.3"));
    double reads = (double) Figures.p99(several.reads) / Figures.p99(one.reads);
    double writes = (double) Figures.p99(several.writes) / Figures.p99(one.writes);
    System.out.printf(
        "p99 with queues for scans, relative to one queue: reads %.2fx of %.0f ms (%d and %d"
            + " reads), writes %.2fx of %.0f ms (%d and %d writes)%n",
        reads,
        Figures.p99(one.reads) / 1e6,
        several.reads.length,
        one.reads.length,
        writes,
        Figures.p99(one.writes) / 1e6,
        several.writes.length,
        one.writes.length);
    assertThat(reads).isLessThan(1);
  }

  private Figures measure(ClusterSpec spec) throws Exception {
    ExecutorService threads = Executors.newCachedThreadPool();
    List<HBaseEngine> engines = new ArrayList<>();
    try (Cluster cluster = Cluster.start(spec)) {
      for (int i = 0; i < CLIENTS; i++) {
        engines.add(
            HBaseEngine.open(
                EngineConfig.of(folder),
                ClusterConnection.configuration(cluster.clientConfig()),
                HBaseSettings.DEFAULT));
      }
      Space space =
          new Space(
              EngineFixture.await(engines.get(0).newSpace(SpaceKind.TABLE, Deadline.NEVER)),
              new Partition(Space.CATALOGUE, bytes("home")));
      for (int i = 0; i < 50; i++) {
        write(engines.get(0), space, i);
      }
      long end = System.nanoTime() + PHASE.toNanos();
      List<Future<long[]>> scans = new ArrayList<>();
      List<Future<long[]>> reads = new ArrayList<>();
      List<Future<long[]>> writes = new ArrayList<>();
      for (int i = 0; i < SCANS; i++) {
        HBaseEngine engine = engines.get(i % CLIENTS);
        scans.add(threads.submit(times(end, turn -> scan(engine, space))));
      }
      for (HBaseEngine engine : engines) {
        reads.add(threads.submit(times(end, turn -> read(engine, space, turn % 50))));
        writes.add(threads.submit(times(end, turn -> write(engine, space, turn % 50))));
      }
      for (Future<long[]> scan : scans) {
        scan.get();
      }
      return new Figures(sorted(reads), sorted(writes));
    } finally {
      engines.forEach(HBaseEngine::close);
      threads.shutdownNow();
    }
  }

  private interface Turn {
    void run(int turn);
  }

  private static Callable<long[]> times(long end, Turn turn) {
    return () -> {
      List<Long> times = new ArrayList<>();
      for (long begin = System.nanoTime(); begin < end; begin = System.nanoTime()) {
        turn.run(times.size());
        times.add(System.nanoTime() - begin);
      }
      return times.stream().mapToLong(Long::longValue).toArray();
    };
  }

  private static long[] sorted(List<Future<long[]>> all) throws Exception {
    List<Long> times = new ArrayList<>();
    for (Future<long[]> some : all) {
      for (long time : some.get()) {
        times.add(time);
      }
    }
    return times.stream().mapToLong(Long::longValue).sorted().toArray();
  }

  private static void scan(HBaseEngine engine, Space space) {
    KeyRange all = KeyRange.ofPartition(bytes("p"));
    EngineFixture.await(
        engine.scan(
            space, List.of(all), Direction.FORWARD, Deadline.NEVER, record -> Visit.CONTINUE));
  }

  private static void read(HBaseEngine engine, Space space, int row) {
    byte[] unused = EngineFixture.await(engine.read(key(space, row), Deadline.NEVER));
  }

  private static void write(HBaseEngine engine, Space space, int row) {
    RecordKey key = key(space, row);
    boolean unused =
        EngineFixture.await(
            engine.transact(
                key.partition(),
                List.of(),
                Deadline.NEVER,
                view -> {
                  view.put(key.row(), new byte[100]);
                  return true;
                }));
  }

  private static RecordKey key(Space space, int row) {
    return new RecordKey(new Partition(space, bytes("p")), bytes("r" + row));
  }

  private static Bytes bytes(String text) {
    return Bytes.of(text.getBytes(UTF_8));
  }
}
