package io.lazuli.storage.hbase;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.cluster.Cluster;
import io.lazuli.cluster.ClusterSpec;
import io.lazuli.storage.Bytes;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.EngineConfig;
import io.lazuli.storage.Partition;
import io.lazuli.storage.PartitionView;
import io.lazuli.storage.Space;
import io.lazuli.storage.SpaceKind;
import io.lazuli.storage.contract.EngineFixture;
import io.lazuli.storage.hbase.cluster.ClusterConnection;
import io.lazuli.storage.keys.KeyCodec;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The cost of the engine compared with HBase's own client, measured in alternating turns, and the
 * cost of contention. Prints ratios. The bounds detect a collapse; they do not judge a machine.
 */
@Tag("long")
class EngineCostIT {
  private static final int ROWS = 2_000;

  @TempDir private Path folder;
  private final AtomicLong fresh = new AtomicLong();

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void readsAndInsertsComparedWithTheClientItself(int regionServers) {
    try (Cluster cluster = Cluster.start(ClusterSpec.of(regionServers));
        HBaseEngine one = open(cluster);
        HBaseEngine two = open(cluster);
        ClusterConnection raw =
            ClusterConnection.open(site(cluster), HBaseSettings.DEFAULT.user())) {
      Space space = newTable(one);
      for (int i = 0; i < ROWS; i++) {
        insert(one, space, "row" + i);
      }
      RawRecords records = new RawRecords(raw);
      Turns.print(
          regionServers, "read", () -> records.read(someKey(space)), () -> read(one, space));
      Turns.print(
          regionServers, "insert", records::insertNew, () -> insert(one, space, freshRow()));
      Turns.print(
          regionServers,
          "insert, two servers against one",
          () -> insert(one, space, freshRow()),
          () -> insert(fresh.get() % 2 == 0 ? one : two, space, freshRow()));
    }
  }

  @Test
  void twoServersOnOneCounterLoseNothing() {
    try (Cluster cluster = Cluster.start(ClusterSpec.of(1));
        HBaseEngine one = open(cluster);
        HBaseEngine two = open(cluster)) {
      Partition partition = new Partition(newTable(one), bytes("p"));
      LongAdder done = new LongAdder();
      double perSecond =
          Turns.rate(
              thread ->
                  () -> {
                    HBaseEngine engine = thread % 2 == 0 ? one : two;
                    engine
                        .transact(partition, List.of(), Deadline.NEVER, EngineCostIT::increment)
                        .join();
                    done.increment();
                  });
      long conflicts = one.conflicts() + two.conflicts();
      System.out.printf(
          Locale.ROOT,
          "one counter, two servers of %d threads: %.0f increments/s, %.2f conflicts each%n",
          Turns.THREADS / 2,
          perSecond,
          conflicts / done.doubleValue());
      byte[] value = EngineFixture.await(one.read(partition.row(bytes("n")), Deadline.NEVER));
      assertThat(new String(value, UTF_8)).isEqualTo(String.valueOf(done.sum()));
    }
  }

  private static Object increment(PartitionView view) {
    byte[] old = view.read(bytes("n"));
    long next = old == null ? 1 : Long.parseLong(new String(old, UTF_8)) + 1;
    view.put(bytes("n"), String.valueOf(next).getBytes(UTF_8));
    return next;
  }

  private static byte[] someKey(Space space) {
    return KeyCodec.encode(space.number(), bytes(someRow()), bytes("r"));
  }

  private static void read(HBaseEngine engine, Space space) {
    Partition partition = new Partition(space, bytes(someRow()));
    assertThat(EngineFixture.await(engine.read(partition.row(bytes("r")), Deadline.NEVER)))
        .isNotNull();
  }

  private static void insert(HBaseEngine engine, Space space, String row) {
    engine
        .transact(
            new Partition(space, bytes(row)),
            List.of(),
            Deadline.NEVER,
            view -> {
              if (view.read(bytes("r")) == null) {
                view.put(bytes("r"), new byte[RawRecords.VALUE_BYTES]);
              }
              return null;
            })
        .join();
  }

  private static String someRow() {
    return "row" + ThreadLocalRandom.current().nextInt(ROWS);
  }

  private String freshRow() {
    return "fresh" + fresh.incrementAndGet();
  }

  private HBaseEngine open(Cluster cluster) {
    return HBaseEngine.open(EngineConfig.of(folder), site(cluster), HBaseSettings.DEFAULT);
  }

  private static Configuration site(Cluster cluster) {
    return ClusterConnection.configuration(cluster.clientConfig());
  }

  private static Space newTable(HBaseEngine engine) {
    Partition home = new Partition(Space.CATALOGUE, bytes("account"));
    return new Space(EngineFixture.await(engine.newSpace(SpaceKind.TABLE, Deadline.NEVER)), home);
  }

  private static Bytes bytes(String text) {
    return Bytes.of(text.getBytes(UTF_8));
  }
}
