package io.lazuli.storage.hbase;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.storage.Bytes;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.Direction;
import io.lazuli.storage.EngineConfig;
import io.lazuli.storage.KeyRange;
import io.lazuli.storage.LentRecord;
import io.lazuli.storage.Partition;
import io.lazuli.storage.Position;
import io.lazuli.storage.RecordTest;
import io.lazuli.storage.RecordVisitor;
import io.lazuli.storage.Space;
import io.lazuli.storage.SpaceKind;
import io.lazuli.storage.Visit;
import io.lazuli.storage.contract.EngineFixture;
import io.lazuli.storage.entity.EntityCondition;
import io.lazuli.storage.hbase.call.StoreTable;
import io.lazuli.storage.hbase.call.StoredCell;
import io.lazuli.storage.hbase.cluster.ClusterConnection;
import io.lazuli.storage.hbase.regions.RegionChanges;
import io.lazuli.storage.keys.KeyCodec;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Scans whose condition region servers evaluate, over several regions, compared with scans of an
 * engine that evaluates it itself.
 */
class PushdownIT {
  private static final Partition HOME =
      new Partition(Space.CATALOGUE, Bytes.of("PushdownIT".getBytes(UTF_8)));

  private static final int PARTITIONS = 12;
  private static final int ROWS = 1_500;

  /** One record of each so many matches. */
  private static final int NUMBERS = 500;

  private static final byte[] NO_ENTITY = {9, 9, 9};

  @TempDir private static Path folder;
  private static ClusterConnection raw;
  private static HBaseEngine with;
  private static HBaseEngine without;
  private static Space space;

  @BeforeAll
  static void start() {
    Configuration site = TestCluster.shared().site();
    HBaseSettings settings = TestCluster.SETTINGS;
    raw = ClusterConnection.open(site, settings.user());
    with = HBaseEngine.open(EngineConfig.of(folder), site, settings);
    without =
        HBaseEngine.open(EngineConfig.of(folder), site, settings.withPushdown(Pushdown.Mode.OFF));
    space = new Space(EngineFixture.await(with.newSpace(SpaceKind.TABLE, Deadline.NEVER)), HOME);
    fill();
    for (String partition : List.of("p03", "p06", "p09")) {
      split(partition);
    }
  }

  @AfterAll
  static void stop() {
    with.close();
    without.close();
    raw.close();
  }

  /** Entities, tombstones, and a record of each region that is damaged. */
  private static void fill() {
    AsyncTable<?> table = raw.data().getTable(tables());
    for (int partition = 0; partition < PARTITIONS; partition++) {
      List<Put> puts = new ArrayList<>();
      for (int row = 0; row < ROWS; row++) {
        int number = (partition * ROWS + row) % NUMBERS;
        byte[] stored = StoredCell.encode(1, row, Entities.record(number, "some text"));
        if (row % 10 == 3) {
          stored = StoredCell.encodeTombstone(1, row);
        } else if (row == 777 && partition % 3 == 1) {
          stored = StoredCell.encode(1, row, NO_ENTITY);
        }
        puts.add(
            new Put(key(name(partition), "r%05d".formatted(row)))
                .addColumn(StoreTable.FAMILY, StoreTable.QUALIFIER, stored));
      }
      table.putAll(puts).join();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3, 7, 1_000})
  void aTestedScanShowsWhatAnyScanShows(int matchesMax) {
    for (int number : List.of(0, 13, 499)) {
      Search tested = new Search(number, matchesMax);
      Search plain = new Search(number, matchesMax);
      scan(with, List.of(KeyRange.ALL), tested);
      scan(without, List.of(KeyRange.ALL), plain);
      assertThat(tested.found).isEqualTo(plain.found);
      assertThat(tested.next).isEqualTo(plain.next);
      assertThat(plain.leftOut).isZero();
    }
  }

  @Test
  void severalRangesAndOnePartitionAreSearched() {
    List<KeyRange> some =
        List.of("p01", "p02", "p07", "p11").stream()
            .map(name -> KeyRange.ofPartition(bytes(name)))
            .toList();
    for (List<KeyRange> ranges : List.of(some, some.subList(1, 2))) {
      Search tested = new Search(13, 1_000);
      Search plain = new Search(13, 1_000);
      scan(with, ranges, tested);
      scan(without, ranges, plain);
      assertThat(tested.found).isEqualTo(plain.found);
      assertThat(tested.leftOut).isPositive();
    }
  }

  /** The rows that were left out are counted, with the tombstones that a region server examines. */
  @Test
  void everyRowIsCounted() {
    Search search = new Search(13, 1_000);
    scan(with, List.of(KeyRange.ALL), search);
    assertThat(search.leftOut + search.seen)
        .isBetween((long) PARTITIONS * ROWS * 9 / 10, (long) PARTITIONS * ROWS);
    assertThat(search.leftOut).isGreaterThan(PARTITIONS * ROWS * 3L / 4);
  }

  @Test
  void damagedRecordsReachTheVisitor() {
    Search search = new Search(13, 1_000);
    scan(with, List.of(KeyRange.ALL), search);
    assertThat(search.damaged)
        .containsExactly("p01/r00777", "p04/r00777", "p07/r00777", "p10/r00777");
  }

  /** The visitor ends the scan between two pages, and a later scan continues there. */
  @Test
  void aScanThatEndsBetweenPagesIsContinued() {
    Search whole = new Search(13, 1_000);
    scan(without, List.of(KeyRange.ALL), whole);
    List<String> found = new ArrayList<>();
    Position from = Position.START;
    int scans = 0;
    while (from != null) {
      Search part = new Search(13, 1_000);
      part.endsBetweenPages = true;
      scan(with, List.of(new KeyRange(from, null)), part);
      found.addAll(part.found);
      from = part.end;
      scans++;
    }
    assertThat(found).isEqualTo(whole.found);
    assertThat(scans).isGreaterThan(2);
  }

  @Test
  void pagesOfOtherRegionsAreReadAhead() {
    Search search = new Search(13, 1_000);
    search.recordsExpected = Long.MAX_VALUE;
    int before = Metrics.value(with, "lazuli_hbase_filtered_pages");
    scan(with, List.of(KeyRange.ALL), search);
    Search plain = new Search(13, 1_000);
    scan(without, List.of(KeyRange.ALL), plain);
    assertThat(search.found).isEqualTo(plain.found);
    assertThat(Metrics.value(with, "lazuli_hbase_filtered_pages") - before).isBetween(4, 12);
    assertThat(Metrics.value(with, "lazuli_hbase_servers_without_filter")).isZero();
    Awaitility.await().until(() -> Metrics.value(with, "lazuli_hbase_pages_ahead") == 0);
  }

  /** A visitor that looks for one number, as a query with a filter does. */
  private static final class Search implements RecordVisitor {
    final List<String> found = new ArrayList<>();
    final List<String> damaged = new ArrayList<>();
    @Nullable String next;
    @Nullable Position end;
    boolean endsBetweenPages;
    long recordsExpected;
    long leftOut;
    long seen;
    private final Bytes encoded;
    private final EntityCondition condition;
    private final int matchesMax;

    Search(int number, int matchesMax) {
      this.encoded = Entities.numberIs(number);
      this.condition = EntityCondition.parse(encoded.array());
      this.matchesMax = matchesMax;
    }

    @Override
    public Visit visit(LentRecord record) {
      seen++;
      String key =
          new String(record.partition().copy(), UTF_8)
              + "/"
              + new String(record.row().copy(), UTF_8);
      if (found.size() == matchesMax) {
        next = key;
        return Visit.STOP;
      }
      byte[] value = record.value().copy();
      if (value.length == NO_ENTITY.length) {
        damaged.add(key);
      } else if (condition.test(value, 0, value.length)) {
        found.add(key);
      }
      return Visit.CONTINUE;
    }

    @Override
    public @Nullable RecordTest test() {
      int wanted = matchesMax - found.size();
      return wanted == 0 ? null : new RecordTest(encoded, wanted, recordsExpected);
    }

    @Override
    public void leftOut(long records) {
      leftOut += records;
    }

    @Override
    public boolean continuesAt(Position position) {
      end = endsBetweenPages ? position : null;
      return !endsBetweenPages;
    }
  }

  private static void scan(HBaseEngine engine, List<KeyRange> ranges, RecordVisitor visitor) {
    EngineFixture.await(
        engine.scan(
            space, ranges, Direction.FORWARD, Deadline.after(Duration.ofSeconds(30)), visitor));
  }

  private static TableName tables() {
    return StoreTable.TABLES.name(HBaseSettings.DEFAULT.namespace());
  }

  /** Splits the last region before a partition, in which it is. */
  private static void split(String partition) {
    byte[] border = Arrays.copyOf(key(partition, ""), key(partition, "").length - 1);
    RegionChanges.untilDone(
        () -> {
          RegionInfo region =
              raw.data()
                  .getRegionLocator(tables())
                  .getRegionLocation(border, true)
                  .join()
                  .getRegion();
          if (!Arrays.equals(region.getStartKey(), border)) {
            new RegionChanges(raw.admin()).split(region, border);
          }
        });
  }

  private static String name(int partition) {
    return "p%02d".formatted(partition);
  }

  private static byte[] key(String partition, String row) {
    return KeyCodec.encode(new Partition(space, bytes(partition)).row(bytes(row)));
  }

  private static Bytes bytes(String text) {
    return Bytes.of(text.getBytes(UTF_8));
  }
}
