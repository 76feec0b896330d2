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
import io.lazuli.storage.keys.KeyCodec;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.IntFunction;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What the engine costs over HBase's own client, in turns of one run, and what rivals cost. Prints
 * ratios; the bounds are there to catch a collapse, not to judge a machine.
 */
@Tag("long")
class EngineCostTest {
  private static final int THREADS = 8;
  private static final int TURNS = 7;
  private static final Duration TURN = Duration.ofMillis(1_500);
  private static final byte[] VALUE = new byte[380];
  private static final int ROWS = 2_000;

  @TempDir private Path folder;
  private final AtomicLong fresh = new AtomicLong();

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void readsAndInsertsBesideTheClientItself(int regionServers) {
    try (Cluster cluster = Cluster.start(ClusterSpec.of(regionServers));
        HBaseEngine one = open(cluster);
        HBaseEngine two = open(cluster);
        ClusterConnection raw = ClusterConnection.open(site(cluster), HBaseSettings.DEFAULT)) {
      Space space = newTable(one);
      for (int i = 0; i < ROWS; i++) {
        insert(one, space, "row" + i);
      }
      AsyncTable<?> table =
          raw.data().getTable(StoreTable.TABLES.name(HBaseSettings.DEFAULT.namespace()));
      print(regionServers, "read", () -> rawRead(table, space), () -> read(one, space));
      print(regionServers, "insert", () -> rawInsert(table), () -> insert(one, space, freshRow()));
      print(
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
          rate(
              thread ->
                  () -> {
                    HBaseEngine engine = thread % 2 == 0 ? one : two;
                    engine
                        .transact(partition, List.of(), Deadline.NEVER, EngineCostTest::increment)
                        .join();
                    done.increment();
                  });
      long conflicts = one.conflicts() + two.conflicts();
      System.out.printf(
          Locale.ROOT,
          "one counter, two servers of %d threads: %.0f increments/s, %.2f conflicts each%n",
          THREADS / 2,
          perSecond,
          conflicts / done.doubleValue());
      byte[] value = one.read(partition.row(bytes("n")), Deadline.NEVER);
      assertThat(new String(value, UTF_8)).isEqualTo(String.valueOf(done.sum()));
    }
  }

  private static Object increment(PartitionView view) {
    byte[] old = view.read(bytes("n"));
    long next = old == null ? 1 : Long.parseLong(new String(old, UTF_8)) + 1;
    view.put(bytes("n"), String.valueOf(next).getBytes(UTF_8));
    return next;
  }

  /** Runs both in turns, several times, and prints the median of the ratios of their rates. */
  private static void print(int regionServers, String what, Runnable raw, Runnable ours) {
    rate(thread -> raw);
    rate(thread -> ours);
    List<Double> ratios = new ArrayList<>();
    double last = 0;
    for (int turn = 0; turn < TURNS; turn++) {
      double base = rate(thread -> raw);
      last = rate(thread -> ours);
      ratios.add(last / base);
    }
    Collections.sort(ratios);
    double median = ratios.get(TURNS / 2);
    System.out.printf(
        Locale.ROOT,
        "%d region servers, %s: %.2f x the rate (%.2f to %.2f), %.0f/s%n",
        regionServers,
        what,
        median,
        ratios.get(0),
        ratios.get(TURNS - 1),
        last);
    assertThat(median).isGreaterThan(0.05);
  }

  /** How often per second all threads together do it, for one turn. */
  private static double rate(IntFunction<Runnable> work) {
    LongAdder count = new LongAdder();
    long begin = System.nanoTime();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      Runnable task = work.apply(i);
      Thread thread =
          new Thread(
              () -> {
                while (System.nanoTime() - begin < TURN.toNanos()) {
                  task.run();
                  count.increment();
                }
              });
      thread.start();
      threads.add(thread);
    }
    for (Thread thread : threads) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    }
    return count.sum() * 1e9 / (System.nanoTime() - begin);
  }

  private void rawRead(AsyncTable<?> table, Space space) {
    byte[] key = KeyCodec.encode(space.number(), bytes(someRow()), bytes("r"));
    assertThat(table.get(new Get(key)).join().isEmpty()).isFalse();
  }

  private static void read(HBaseEngine engine, Space space) {
    Partition partition = new Partition(space, bytes(someRow()));
    assertThat(engine.read(partition.row(bytes("r")), Deadline.NEVER)).isNotNull();
  }

  private void rawInsert(AsyncTable<?> table) {
    byte[] key = ("\u00ff" + freshRow()).getBytes(UTF_8);
    Put put =
        new Put(key)
            .addColumn(StoreTable.FAMILY, StoreTable.QUALIFIER, VALUE)
            .setDurability(Durability.FSYNC_WAL);
    CheckAndMutate absent =
        CheckAndMutate.newBuilder(key)
            .ifNotExists(StoreTable.FAMILY, StoreTable.QUALIFIER)
            .build(put);
    assertThat(table.checkAndMutate(absent).join().isSuccess()).isTrue();
  }

  private static void insert(HBaseEngine engine, Space space, String row) {
    engine
        .transact(
            new Partition(space, bytes(row)),
            List.of(),
            Deadline.NEVER,
            view -> {
              if (view.read(bytes("r")) == null) {
                view.put(bytes("r"), VALUE.clone());
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
    return new Space(engine.newSpace(SpaceKind.TABLE), home);
  }

  private static Bytes bytes(String text) {
    return Bytes.of(text.getBytes(UTF_8));
  }
}
