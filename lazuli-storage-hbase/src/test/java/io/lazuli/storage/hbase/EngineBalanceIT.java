package io.lazuli.storage.hbase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lazuli.storage.Bytes;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.Durability;
import io.lazuli.storage.EngineConfig;
import io.lazuli.storage.Partition;
import io.lazuli.storage.PartitionMap;
import io.lazuli.storage.Space;
import io.lazuli.storage.SpaceKind;
import io.lazuli.storage.contract.EngineFixture;
import io.lazuli.storage.hbase.balance.BalanceSettings;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Balancing on a real cluster, under load through a server that does not lead. */
class EngineBalanceIT {
  private static final int PARTITIONS = 40;
  private static final int RECORDS = 5;
  private static final BalanceSettings QUICK = quick(BalanceSettings.Mode.ON);

  @TempDir private Path folder;
  private HBaseEngine leader;
  private HBaseEngine other;

  @AfterEach
  void close() {
    if (other != null) {
      other.close();
    }
    if (leader != null) {
      leader.close();
    }
  }

  @Test
  void everyServerShowsWhereTheRangesAre() {
    start("map", QUICK);
    for (HBaseEngine engine : List.of(leader, other)) {
      PartitionMap map = EngineFixture.await(engine.partitionMap()).orElseThrow();
      assertThat(map.ranges()).extracting(PartitionMap.Range::table).contains("catalog", "tables");
      assertThat(map.ranges()).allMatch(range -> range.server().startsWith("localhost,"));
    }
  }

  private static Bytes bytes(String text) {
    return Bytes.of(text.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  @Tag("long")
  void aHotRangeIsSplitUnderLoadAndItsPartsAreMergedWhenTheyAreCold() throws Exception {
    start("skewed", QUICK);
    Space space = newSpace();
    // Half of the requests go to a twentieth of the partitions.
    IntSupplier skewed =
        () -> {
          ThreadLocalRandom random = ThreadLocalRandom.current();
          return random.nextInt(random.nextBoolean() ? PARTITIONS / 20 : PARTITIONS);
        };
    long handled;
    try (Load load = new Load(other, space, skewed)) {
      await().atMost(Duration.ofSeconds(60)).until(() -> ranges(other).size() > 1);
      long before = load.done();
      await().atMost(Duration.ofSeconds(30)).until(() -> load.done() > before + 500);
      handled = load.done();
      load.requireNoFailure();
    }
    assertThat(handled).isPositive();
    PartitionMap split = EngineFixture.await(leader.partitionMap()).orElseThrow();
    assertThat(split.totals().splits()).isPositive();
    assertThat(split.balancing()).isEqualTo("on, this server leads");
    assertThat(EngineFixture.await(other.partitionMap()).orElseThrow().balancing())
        .isEqualTo("on, another server leads");
    assertThat(ranges(other).get(0).to())
        .matches(Space.counter(space.number()) + "/p\\d\\d")
        .isEqualTo(ranges(other).get(1).from());
    assertThat(split.actions()).anyMatch(action -> action.what().startsWith("split tables"));
    await().atMost(Duration.ofMinutes(4)).until(() -> ranges(other).size() == 1);
    // A range appears before it is served, and is served before the merge is noted.
    await().until(() -> totals().merges() == totals().splits());
    assertThat(records(space)).isPositive();
  }

  @Test
  @Tag("long")
  void aPartitionThatIsTooHotAloneIsReported() throws Exception {
    start("alone", QUICK);
    Space space = newSpace();
    try (Load load = new Load(other, space, () -> 7)) {
      await()
          .atMost(Duration.ofSeconds(60))
          .until(
              () -> EngineFixture.await(other.partitionMap()).orElseThrow().totals().tooHot() > 0);
      load.requireNoFailure();
    }
    PartitionMap map = EngineFixture.await(other.partitionMap()).orElseThrow();
    String partition = Space.counter(space.number()) + "/p07";
    assertThat(map.actions())
        .anyMatch(action -> action.what().equals("partition too hot: tables " + partition));
    assertThat(map.totals().splits()).isZero();
  }

  @Test
  @Tag("long")
  void aDryRunReportsASplitAndDoesNotDoIt() throws Exception {
    start("dry", quick(BalanceSettings.Mode.DRY_RUN));
    Space space = newSpace();
    try (Load load =
        new Load(other, space, () -> ThreadLocalRandom.current().nextInt(PARTITIONS))) {
      await().atMost(Duration.ofSeconds(60)).until(this::isDryRunReported);
      load.requireNoFailure();
    }
    assertThat(ranges(other)).hasSize(1);
    assertThat(EngineFixture.await(other.partitionMap()).orElseThrow().totals().splits()).isZero();
  }

  private boolean isDryRunReported() {
    return EngineFixture.await(other.partitionMap()).orElseThrow().actions().stream()
        .anyMatch(
            action ->
                action.what().startsWith("split tables")
                    && action.outcome().equals("not done: dry run"));
  }

  private PartitionMap.Totals totals() {
    return EngineFixture.await(leader.partitionMap()).orElseThrow().totals();
  }

  private List<PartitionMap.Range> ranges(HBaseEngine engine) {
    return EngineFixture.await(engine.partitionMap()).orElseThrow().ranges().stream()
        .filter(range -> range.table().equals("tables"))
        .toList();
  }

  private static BalanceSettings quick(BalanceSettings.Mode mode) {
    return new BalanceSettings(
        mode,
        Duration.ofSeconds(2),
        50,
        3,
        Duration.ofSeconds(30),
        Duration.ofSeconds(5),
        60,
        256L << 20,
        1);
  }

  private void start(String namespace, BalanceSettings balance) {
    HBaseSettings normal = TestCluster.SETTINGS;
    HBaseSettings settings =
        new HBaseSettings(
            namespace,
            normal.user(),
            Durability.DISK,
            normal.calls(),
            normal.queued(),
            normal.transactions(),
            normal.reclaim(),
            normal.silence(),
            normal.lease(),
            normal.chunkGrace(),
            balance,
            normal.format(),
            normal.pushdown());
    EngineConfig config = EngineConfig.of(folder);
    leader = HBaseEngine.open(config, TestCluster.shared().site(), settings);
    await()
        .until(
            () ->
                EngineFixture.await(leader.partitionMap())
                    .orElseThrow()
                    .balancing()
                    .contains("this server"));
    other = HBaseEngine.open(config, TestCluster.shared().site(), settings);
  }

  private Space newSpace() {
    Partition home =
        new Partition(Space.CATALOGUE, Bytes.of("home".getBytes(StandardCharsets.UTF_8)));
    return new Space(EngineFixture.await(leader.newSpace(SpaceKind.TABLE, Deadline.NEVER)), home);
  }

  private long records(Space space) {
    return leader.storedRecords(space.number());
  }

  /** Threads that write and read as fast as they get answers. */
  private static final class Load implements AutoCloseable {
    private static final int THREADS = 4;

    private final AtomicLong done = new AtomicLong();
    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    private final CountDownLatch ended = new CountDownLatch(THREADS);
    private volatile boolean stopped;

    Load(HBaseEngine engine, Space space, IntSupplier partitions) {
      for (int i = 0; i < THREADS; i++) {
        new Thread(() -> run(engine, space, partitions), "load-" + i).start();
      }
    }

    long done() {
      return done.get();
    }

    void requireNoFailure() {
      assertThat(failure.get()).isNull();
    }

    private void run(HBaseEngine engine, Space space, IntSupplier partitions) {
      try {
        while (!stopped && failure.get() == null) {
          Bytes name = bytes("p%02d".formatted(partitions.getAsInt()));
          Bytes row = bytes("r" + ThreadLocalRandom.current().nextInt(RECORDS));
          Partition partition = new Partition(space, name);
          Deadline deadline = Deadline.after(Duration.ofSeconds(30));
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
          assertThat(EngineFixture.await(engine.read(partition.row(row), deadline))).hasSize(100);
          done.incrementAndGet();
        }
      } catch (Throwable e) {
        failure.compareAndSet(null, e);
      } finally {
        ended.countDown();
      }
    }

    @Override
    public void close() throws InterruptedException {
      stopped = true;
      ended.await();
    }
  }
}
