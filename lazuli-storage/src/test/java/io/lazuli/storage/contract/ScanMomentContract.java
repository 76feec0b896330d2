package io.lazuli.storage.contract;

import static io.lazuli.storage.contract.EngineFixture.bytes;
import static io.lazuli.storage.contract.EngineFixture.numbered;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.storage.Bytes;
import io.lazuli.storage.Direction;
import io.lazuli.storage.KeyRange;
import io.lazuli.storage.Partition;
import io.lazuli.storage.PartitionView;
import io.lazuli.storage.Position;
import io.lazuli.storage.Space;
import io.lazuli.storage.contract.EngineFixture.Seen;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/**
 * Scans with concurrent writers. In one partition the first 1,000 records or 4 MiB are a snapshot.
 * Beyond that, and across partitions, each record that exists throughout is shown once and in
 * order.
 */
interface ScanMomentContract extends EngineUnderTest {
  /** The number of units that writers move from row to row; it is the same at every moment. */
  int UNITS = 2_000;

  int SCANS = 60;

  @Test
  default void aPageOfOnePartitionIsOfOneMoment() {
    Partition partition = ledger(500);
    List<KeyRange> whole = List.of(KeyRange.ofPartition(partition.name()));
    Random random = new Random(1);
    try (Race.Repeated writer = Race.repeat(() -> moveUnits(partition, 500, random))) {
      for (int i = 0; i < SCANS; i++) {
        assertThat(units(partition.space(), whole, Direction.FORWARD)).isEqualTo(UNITS);
        assertThat(units(partition.space(), whole, Direction.BACKWARD)).isEqualTo(UNITS);
      }
    }
  }

  @Test
  default void aPageOverSeveralRangesOfOnePartitionIsOfOneMoment() {
    Partition partition = ledger(500);
    List<KeyRange> ranges = new ArrayList<>();
    for (int i = 0; i < 500; i += 20) {
      ranges.add(
          new KeyRange(
              new Position(partition.name(), numbered(i)),
              new Position(partition.name(), numbered(i + 20))));
    }
    Random random = new Random(2);
    try (Race.Repeated writer = Race.repeat(() -> moveUnits(partition, 500, random))) {
      for (int i = 0; i < SCANS; i++) {
        assertThat(units(partition.space(), ranges, Direction.FORWARD)).isEqualTo(UNITS);
        assertThat(units(partition.space(), ranges, Direction.BACKWARD)).isEqualTo(UNITS);
      }
    }
  }

  /** Nearly 4 MiB, so that an engine that limits pages in bytes must not end a page earlier. */
  @Test
  default void aPageOfLargeRecordsIsOfOneMoment() {
    Partition partition = fixture().newPartition();
    int rows = 40;
    fixture().fill(partition, rows, padded(UNITS / rows));
    List<KeyRange> whole = List.of(KeyRange.ofPartition(partition.name()));
    Random random = new Random(4);
    try (Race.Repeated writer = Race.repeat(() -> moveUnits(partition, rows, random))) {
      for (int i = 0; i < 10; i++) {
        assertThat(units(partition.space(), whole, Direction.FORWARD)).isEqualTo(UNITS);
        assertThat(units(partition.space(), whole, Direction.BACKWARD)).isEqualTo(UNITS);
      }
    }
  }

  /** Rows are deleted and inserted elsewhere: a page shows each moving row exactly once. */
  @Test
  default void aPageShowsARowThatMovesExactlyOnce() {
    Partition partition = fixture().newPartition();
    fixture().fill(partition, 300, bytes("stays"));
    AtomicInteger place = new AtomicInteger();
    fixture().put(partition, wanderer(0), bytes("moves"));
    try (Race.Repeated writer = Race.repeat(() -> wander(partition, place))) {
      for (int i = 0; i < SCANS; i++) {
        assertThat(fixture().scan(partition))
            .filteredOn(seen -> seen.value().equals(bytes("moves")))
            .hasSize(1);
      }
    }
  }

  @Test
  default void aTransactionIsSeenWholeOrNotAtAll() {
    Partition partition = fixture().newPartition();
    fixture().fill(partition, 20, bytes("0"));
    AtomicInteger round = new AtomicInteger();
    try (Race.Repeated writer =
        Race.repeat(
            () -> fixture().fill(partition, 20, bytes(String.valueOf(round.incrementAndGet()))))) {
      for (int i = 0; i < SCANS; i++) {
        assertThat(fixture().scan(partition).stream().map(Seen::value).distinct()).hasSize(1);
      }
    }
  }

  @Test
  default void aScanSeesEverythingAcknowledgedBeforeItBegan() {
    Partition partition = fixture().newPartition();
    fixture().put(partition, "n", "0");
    AtomicInteger acknowledged = new AtomicInteger();
    try (Race.Repeated writer =
        Race.repeat(
            () -> {
              int next = acknowledged.get() + 1;
              fixture().put(partition, "n", String.valueOf(next));
              acknowledged.set(next);
            })) {
      for (int i = 0; i < 200; i++) {
        int before = acknowledged.get();
        assertThat(number(fixture().scan(partition).get(0).value())).isGreaterThanOrEqualTo(before);
      }
    }
  }

  @Test
  default void lastingRecordsAreShownOnceAndInOrderAcrossPartitions() {
    Space space = fixture().newTable();
    for (int i = 0; i < 20; i++) {
      fixture().fill(new Partition(space, numbered(i)), 150, bytes("stays"));
    }
    assertStableRecordsAreShown(space, 3_000, 20);
  }

  @Test
  default void lastingRecordsAreShownOnceAndInOrderInALargePartition() {
    Space space = fixture().newTable();
    fixture().fill(new Partition(space, numbered(0)), 3_000, bytes("stays"));
    assertStableRecordsAreShown(space, 3_000, 1);
  }

  private void assertStableRecordsAreShown(Space space, int stable, int partitions) {
    Random random = new Random(3);
    try (Race.Repeated writer = Race.repeat(() -> churn(space, partitions, random))) {
      for (int i = 0; i < 8; i++) {
        for (Direction direction : Direction.values()) {
          List<Seen> seen =
              new ArrayList<>(fixture().scan(space, List.of(KeyRange.ALL), direction));
          if (direction == Direction.BACKWARD) {
            Collections.reverse(seen);
          }
          List<Position> positions = seen.stream().map(Seen::position).toList();
          assertThat(positions).isSorted().doesNotHaveDuplicates();
          assertThat(seen.stream().filter(s -> s.value().equals(bytes("stays")))).hasSize(stable);
        }
      }
    }
  }

  /** Inserts or removes rows between the stable ones. */
  private void churn(Space space, int partitions, Random random) {
    Partition partition = new Partition(space, numbered(random.nextInt(partitions)));
    boolean insert = random.nextBoolean();
    fixture()
        .transact(
            partition,
            view -> {
              for (int row = random.nextInt(20); row < 3_000; row += 20) {
                Bytes between = numbered(row).successor();
                if (insert) {
                  view.put(between, bytes("comes and goes").array());
                } else {
                  view.delete(between);
                }
              }
              return null;
            });
  }

  /** A partition of rows that hold all units together. */
  private Partition ledger(int rows) {
    Partition partition = fixture().newPartition();
    fixture().fill(partition, rows, bytes(String.valueOf(UNITS / rows)));
    return partition;
  }

  private void moveUnits(Partition partition, int rows, Random random) {
    Bytes from = numbered(random.nextInt(rows));
    Bytes to = numbered(random.nextInt(rows));
    fixture()
        .transact(
            partition,
            view -> {
              add(view, from, -1);
              add(view, to, 1);
              return null;
            });
  }

  private static void add(PartitionView view, Bytes row, int units) {
    byte[] old = view.read(row);
    int sum = number(Bytes.of(old)) + units;
    view.put(row, old.length < 100 ? bytes(String.valueOf(sum)).array() : padded(sum).array());
  }

  /** A number in a value of 100 KB. */
  private static Bytes padded(int number) {
    return bytes(number + " ".repeat(100_000));
  }

  private void wander(Partition partition, AtomicInteger place) {
    Bytes from = wanderer(place.get());
    Bytes to = wanderer(place.incrementAndGet());
    fixture()
        .transact(
            partition,
            view -> {
              view.delete(from);
              view.put(to, bytes("moves").array());
              return null;
            });
  }

  /** A row between the stable ones, now at the low end, now at the high end. */
  private static Bytes wanderer(int place) {
    return numbered(place * 127 % 300).successor();
  }

  private int units(Space space, List<KeyRange> ranges, Direction direction) {
    return fixture().scan(space, ranges, direction).stream()
        .mapToInt(seen -> number(seen.value()))
        .sum();
  }

  private static int number(Bytes value) {
    return Integer.parseInt(new String(value.array(), UTF_8).strip());
  }
}
