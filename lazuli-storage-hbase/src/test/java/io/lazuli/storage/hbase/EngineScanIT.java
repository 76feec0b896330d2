package io.lazuli.storage.hbase;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.storage.Bytes;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.Direction;
import io.lazuli.storage.EngineConfig;
import io.lazuli.storage.KeyRange;
import io.lazuli.storage.Partition;
import io.lazuli.storage.Space;
import io.lazuli.storage.SpaceKind;
import io.lazuli.storage.Visit;
import io.lazuli.storage.contract.EngineFixture;
import io.lazuli.storage.hbase.call.StoreTable;
import io.lazuli.storage.hbase.call.StoredCell;
import io.lazuli.storage.hbase.cluster.ClusterConnection;
import io.lazuli.storage.keys.KeyCodec;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AdvancedScanResultConsumer;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Scans across regions and over deleted records. */
class EngineScanIT {
  private static final Partition HOME =
      new Partition(Space.CATALOGUE, Bytes.of("EngineScanIT".getBytes(UTF_8)));

  /** A region server needs several times the time of one call to cross these. */
  private static final int TOMBSTONES = 1_500_000;

  @TempDir private Path folder;

  @Test
  void scansCrossRegionsInBothDirections() {
    TestCluster cluster = TestCluster.shared();
    HBaseSettings settings = TestCluster.SETTINGS;
    try (HBaseEngine engine = HBaseEngine.open(EngineConfig.of(folder), cluster.site(), settings);
        ClusterConnection raw = ClusterConnection.open(cluster.site(), settings.user())) {
      Space space =
          new Space(EngineFixture.await(engine.newSpace(SpaceKind.TABLE, Deadline.NEVER)), HOME);
      List<String> keys = new ArrayList<>();
      for (String partition : List.of("p0", "p1", "p2", "p3", "p4", "p5")) {
        List.of("r0", "r1", "r2").forEach(row -> put(engine, space, partition, row));
        List.of("r0", "r1", "r2").forEach(row -> keys.add(partition + "/" + row));
      }
      split(raw, space, "p3");
      assertScans(engine, space, List.of(KeyRange.ALL), keys);
      List<KeyRange> some =
          List.of("p1", "p2", "p4").stream()
              .map(name -> KeyRange.ofPartition(bytes(name)))
              .toList();
      assertScans(
          engine, space, some, keys.stream().filter(key -> key.matches("p[124]/.*")).toList());
      assertScans(
          engine,
          space,
          List.of(KeyRange.ofPartition(bytes("p2"))),
          keys.stream().filter(key -> key.startsWith("p2/")).toList());
    }
  }

  /** More tombstones than a page has cells, before, between and after the records. */
  @Test
  void recordsAmongTombstonesAreFoundInBothDirections() {
    TestCluster cluster = TestCluster.shared();
    HBaseSettings settings = TestCluster.SETTINGS;
    try (HBaseEngine engine = HBaseEngine.open(EngineConfig.of(folder), cluster.site(), settings);
        ClusterConnection raw = ClusterConnection.open(cluster.site(), settings.user())) {
      Space space =
          new Space(EngineFixture.await(engine.newSpace(SpaceKind.TABLE, Deadline.NEVER)), HOME);
      putTombstones(raw, space, 10_000);
      List<String> rows = List.of("a", "m00000500", "m00003000", "m00003001", "m00009999", "z");
      rows.forEach(row -> put(engine, space, "p", row));
      List<String> keys = rows.stream().map(row -> "p/" + row).toList();
      for (int again = 0; again < 2; again++) {
        assertScans(engine, space, List.of(KeyRange.ofPartition(bytes("p"))), keys);
        assertScans(engine, space, List.of(KeyRange.ALL), keys);
      }
    }
  }

  @Test
  @Tag("long")
  void aRecordAfterManyTombstonesIsFoundInTime() {
    TestCluster cluster = TestCluster.shared();
    HBaseSettings settings = TestCluster.SETTINGS;
    try (HBaseEngine engine = HBaseEngine.open(EngineConfig.of(folder), cluster.site(), settings);
        ClusterConnection raw = ClusterConnection.open(cluster.site(), settings.user())) {
      Space space =
          new Space(EngineFixture.await(engine.newSpace(SpaceKind.TABLE, Deadline.NEVER)), HOME);
      put(engine, space, "p", "a");
      put(engine, space, "p", "z");
      putTombstones(raw, space, TOMBSTONES);
      List<String> both = List.of("p/a", "p/z");
      List<KeyRange> partition = List.of(KeyRange.ofPartition(bytes("p")));
      // Forward only: backward, HBase crosses only a few thousand rows per second.
      assertThat(scan(engine, space, partition, Direction.FORWARD)).isEqualTo(both);
      assertThat(scan(engine, space, List.of(KeyRange.ALL), Direction.FORWARD)).isEqualTo(both);
      List<String> inside = new ArrayList<>();
      engine
          .transact(
              new Partition(space, bytes("p")),
              List.of(),
              deadline(),
              view -> {
                inside.clear();
                view.scan(Bytes.EMPTY, null, 10, (row, value) -> inside.add("p/" + text(row)));
                return true;
              })
          .join();
      assertThat(inside).isEqualTo(both);
    }
  }

  private static void assertScans(
      HBaseEngine engine, Space space, List<KeyRange> ranges, List<String> expected) {
    assertThat(scan(engine, space, ranges, Direction.FORWARD)).isEqualTo(expected);
    List<String> backward = scan(engine, space, ranges, Direction.BACKWARD);
    Collections.reverse(backward);
    assertThat(backward).isEqualTo(expected);
  }

  private static List<String> scan(
      HBaseEngine engine, Space space, List<KeyRange> ranges, Direction direction) {
    List<String> seen = new ArrayList<>();
    EngineFixture.await(
        engine.scan(
            space,
            ranges,
            direction,
            deadline(),
            record -> {
              seen.add(
                  new String(record.partition().copy(), UTF_8)
                      + "/"
                      + new String(record.row().copy(), UTF_8));
              return Visit.CONTINUE;
            }));
    return seen;
  }

  private static void put(HBaseEngine engine, Space space, String partition, String row) {
    engine
        .transact(
            new Partition(space, bytes(partition)),
            List.of(),
            deadline(),
            view -> {
              view.put(bytes(row), new byte[] {1});
              return true;
            })
        .join();
  }

  /** Writes tombstones, as if that many rows had just been deleted. */
  private static void putTombstones(ClusterConnection raw, Space space, int count) {
    AsyncTable<AdvancedScanResultConsumer> table =
        raw.data().getTable(StoreTable.TABLES.name(HBaseSettings.DEFAULT.namespace()));
    byte[] tombstone = StoredCell.encodeTombstone(1, 1);
    int step = 10_000;
    for (int from = 0; from < count; from += step) {
      List<Put> puts =
          IntStream.range(from, from + step)
              .mapToObj(
                  i ->
                      new Put(key(space, "p", "m%08d".formatted(i)))
                          .addColumn(StoreTable.FAMILY, StoreTable.QUALIFIER, tombstone)
                          .setDurability(Durability.SKIP_WAL))
              .toList();
      table.putAll(puts).join();
    }
  }

  private static void split(ClusterConnection raw, Space space, String partition) {
    byte[] key = key(space, partition, "");
    TableName table = StoreTable.TABLES.name(HBaseSettings.DEFAULT.namespace());
    RegionInfo region =
        raw.data().getRegionLocator(table).getRegionLocation(key, true).join().getRegion();
    raw.admin().splitRegion(region.getRegionName(), Arrays.copyOf(key, key.length - 1)).join();
  }

  private static byte[] key(Space space, String partition, String row) {
    return KeyCodec.encode(new Partition(space, bytes(partition)).row(bytes(row)));
  }

  private static Bytes bytes(String text) {
    return Bytes.of(text.getBytes(UTF_8));
  }

  private static String text(Bytes bytes) {
    return new String(bytes.array(), UTF_8);
  }

  private static Deadline deadline() {
    return Deadline.after(Duration.ofSeconds(30));
  }
}
