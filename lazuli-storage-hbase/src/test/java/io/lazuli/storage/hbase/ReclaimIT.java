package io.lazuli.storage.hbase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lazuli.storage.Bytes;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.EngineConfig;
import io.lazuli.storage.Partition;
import io.lazuli.storage.PartitionMap;
import io.lazuli.storage.PartitionView;
import io.lazuli.storage.Space;
import io.lazuli.storage.SpaceKind;
import io.lazuli.storage.contract.EngineFixture;
import io.lazuli.storage.hbase.call.StoreTable;
import io.lazuli.storage.hbase.cluster.ClusterConnection;
import io.lazuli.storage.hbase.reclaim.ReclaimSettings;
import io.lazuli.storage.keys.KeyCodec;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import org.apache.hadoop.hbase.NamespaceDescriptor;
import org.apache.hadoop.hbase.client.AsyncAdmin;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Dropped spaces on a real cluster, between neighbours that stay. */
class ReclaimIT {
  private static final Partition HOME = new Partition(Space.CATALOGUE, bytes("home"));
  private static final int PARTITIONS = 8;
  private static final int ROWS = 250;
  private static final long RECORDS = (long) PARTITIONS * ROWS;

  /** The first numbers of a new store. Their order in the table is different. */
  private static final long DROPPED = Space.number(SpaceKind.TABLE, 1);

  private static final long BELOW = Space.number(SpaceKind.TABLE, 2);
  private static final long ABOVE = Space.number(SpaceKind.TABLE, 3);

  private final String namespace =
      "reclaim" + Long.toHexString(ThreadLocalRandom.current().nextLong());

  @TempDir private Path folder;
  private HBaseEngine engine;

  @AfterEach
  void close() {
    if (engine != null) {
      engine.close();
    }
  }

  @Test
  void aRegionWithOneDroppedSpaceIsTruncatedAndItsNeighboursStay() {
    createTables(KeyCodec.spaceStart(DROPPED), KeyCodec.spaceEnd(DROPPED));
    open(ReclaimSettings.DEFAULT);
    fillAndDrop();
    await().atMost(Duration.ofMinutes(1)).until(() -> engine.storedRecords(DROPPED) == 0);
    await()
        .atMost(Duration.ofMinutes(1))
        .untilAsserted(
            () -> assertThat(actions()).isEqualTo(if26("truncate tables 1/ to end of 1")));
    assertNeighboursStay();
  }

  @Test
  @Tag("long")
  void aLargeSpaceIsCutOutOfItsRegionAndTruncated() {
    open(new ReclaimSettings(Duration.ZERO, 10_000, 1_000, 1));
    fillAndDrop();
    await()
        .atMost(Duration.ofMinutes(4))
        .untilAsserted(
            () ->
                assertThat(actions())
                    .isEqualTo(
                        if26(
                            "truncate tables 1/ to end of 1",
                            "cut tables 1/ to … at end of 1",
                            "cut tables … to … at 1/")));
    await()
        .atMost(Duration.ofMinutes(1))
        .untilAsserted(() -> assertThat(engine.storedRecords(DROPPED)).isZero());
    assertNeighboursStay();
  }

  /** HBase 2.5 cannot truncate a region, so all rows are deleted one by one. */
  private static List<String> if26(String... actions) {
    return System.getProperty("hbase.server.version", "").startsWith("2.5")
        ? List.of()
        : List.of(actions);
  }

  private void createTables(byte[]... splits) {
    try (ClusterConnection connection =
        ClusterConnection.open(TestCluster.shared().site(), HBaseSettings.DEFAULT.user())) {
      AsyncAdmin admin = connection.admin();
      admin.createNamespace(NamespaceDescriptor.create(namespace).build()).join();
      admin.createTable(StoreTable.TABLES.descriptor(namespace), splits).join();
    }
  }

  private void open(ReclaimSettings reclaim) {
    HBaseSettings normal = TestCluster.SETTINGS;
    HBaseSettings settings =
        new HBaseSettings(
            namespace,
            normal.user(),
            normal.durability(),
            normal.calls(),
            normal.queued(),
            normal.transactions(),
            reclaim.withAfter(Duration.ZERO),
            normal.silence(),
            normal.lease(),
            normal.chunkGrace(),
            normal.balance(),
            normal.format(),
            normal.pushdown());
    engine = HBaseEngine.open(EngineConfig.of(folder), TestCluster.shared().site(), settings);
  }

  private void fillAndDrop() {
    for (long expected : List.of(DROPPED, BELOW, ABOVE)) {
      assertThat(EngineFixture.await(engine.newSpace(SpaceKind.TABLE, Deadline.NEVER)))
          .isEqualTo(expected);
      fill(new Space(expected, HOME));
    }
    transact(HOME, view -> view.drop(new Space(DROPPED, HOME)));
  }

  private void fill(Space space) {
    for (int i = 0; i < PARTITIONS; i++) {
      transact(
          new Partition(space, bytes("p" + i)),
          view -> {
            for (int row = 0; row < ROWS; row++) {
              view.put(bytes("r" + row), bytes("value").array());
            }
          });
    }
  }

  private void transact(Partition partition, Consumer<PartitionView> body) {
    engine
        .transact(
            partition,
            List.of(),
            Deadline.after(Duration.ofSeconds(30)),
            view -> {
              body.accept(view);
              return true;
            })
        .join();
  }

  private void assertNeighboursStay() {
    assertThat(engine.storedRecords(BELOW)).isEqualTo(RECORDS);
    assertThat(engine.storedRecords(ABOVE)).isEqualTo(RECORDS);
  }

  private List<String> actions() {
    return EngineFixture.await(engine.partitionMap()).orElseThrow().actions().stream()
        .map(PartitionMap.Action::what)
        .toList();
  }

  private static Bytes bytes(String text) {
    return Bytes.of(text.getBytes(StandardCharsets.UTF_8));
  }
}
