package io.lazuli.storage.contract;

import static io.lazuli.storage.contract.EngineFixture.bytes;
import static io.lazuli.storage.contract.EngineFixture.numbered;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lazuli.storage.Bytes;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.Direction;
import io.lazuli.storage.KeyRange;
import io.lazuli.storage.LentRecord;
import io.lazuli.storage.Partition;
import io.lazuli.storage.Position;
import io.lazuli.storage.Space;
import io.lazuli.storage.StorageException;
import io.lazuli.storage.Visit;
import io.lazuli.storage.contract.EngineFixture.Seen;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/**
 * Scans without concurrent writers: order, ranges, skips, both directions, and what visitors may
 * do.
 */
interface ScanContract extends EngineUnderTest {
  @Test
  default void recordsComeInTheOrderOfUnsignedBytes() {
    Space space = fixture().newTable();
    List<Bytes> names =
        List.of(
            Bytes.EMPTY,
            bytes(0),
            bytes(0, 0),
            bytes(0, 1),
            bytes(0, 255),
            bytes(1),
            bytes(1, 0),
            bytes(1, 1),
            bytes(1, 2),
            bytes(2),
            bytes(127),
            bytes(128),
            bytes(255),
            bytes(255, 255));
    List<Position> expected = new ArrayList<>();
    for (Bytes partition : names) {
      for (Bytes row : names) {
        expected.add(new Position(partition, row));
      }
    }
    List<Bytes> shuffled = new ArrayList<>(names);
    Collections.reverse(shuffled);
    for (Bytes partition : shuffled) {
      fixture()
          .transact(
              new Partition(space, partition),
              view -> {
                shuffled.forEach(row -> view.put(row, new byte[1]));
                return null;
              });
    }
    assertThat(positions(space, List.of(KeyRange.ALL), Direction.FORWARD)).isEqualTo(expected);
    Collections.reverse(expected);
    assertThat(positions(space, List.of(KeyRange.ALL), Direction.BACKWARD)).isEqualTo(expected);
  }

  @Test
  default void rangesShowTheirRecordsAndNoOthersBothWays() {
    Space space = grid(5, 10);
    List<KeyRange> ranges =
        List.of(
            KeyRange.point(at(0, 3)),
            KeyRange.point(at(0, 99)),
            new KeyRange(at(1, 8), at(2, 2)),
            KeyRange.ofPartition(numbered(3)),
            new KeyRange(at(4, 7), null));
    List<Position> expected =
        new ArrayList<>(List.of(at(0, 3), at(1, 8), at(1, 9), at(2, 0), at(2, 1)));
    for (int row = 0; row < 10; row++) {
      expected.add(at(3, row));
    }
    expected.addAll(List.of(at(4, 7), at(4, 8), at(4, 9)));
    assertThat(positions(space, ranges, Direction.FORWARD)).isEqualTo(expected);
    Collections.reverse(expected);
    assertThat(positions(space, ranges, Direction.BACKWARD)).isEqualTo(expected);
  }

  @Test
  default void noRangesShowNothing() {
    Space space = grid(1, 3);
    assertThat(positions(space, List.of(), Direction.FORWARD)).isEmpty();
    assertThat(positions(space, List.of(), Direction.BACKWARD)).isEmpty();
  }

  @Test
  default void rangesThatOverlapOrAreOutOfOrderAreRefused() {
    Space space = grid(1, 3);
    KeyRange low = new KeyRange(at(0, 0), at(0, 2));
    KeyRange high = new KeyRange(at(0, 1), at(0, 3));
    KeyRange empty = new KeyRange(at(0, 1), at(0, 1));
    for (List<KeyRange> ranges :
        List.of(
            List.of(low, high), List.of(high, low), List.of(empty), List.of(KeyRange.ALL, high))) {
      assertThatThrownBy(() -> positions(space, ranges, Direction.FORWARD))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  default void skippingForwardContinuesAtThePositionOrTheFirstAfterIt() {
    Space space = grid(4, 10);
    assertThat(skipping(space, List.of(KeyRange.ALL), Direction.FORWARD, at(0, 0), at(0, 4), 3))
        .containsExactly(at(0, 0), at(0, 4), at(0, 5));
    assertThat(skipping(space, List.of(KeyRange.ALL), Direction.FORWARD, at(0, 0), at(0, 99), 3))
        .containsExactly(at(0, 0), at(1, 0), at(1, 1));
    assertThat(skipping(space, List.of(KeyRange.ALL), Direction.FORWARD, at(0, 0), at(2, 9), 3))
        .containsExactly(at(0, 0), at(2, 9), at(3, 0));
    assertThat(skipping(space, List.of(KeyRange.ALL), Direction.FORWARD, at(0, 0), at(9, 0), 3))
        .containsExactly(at(0, 0));
  }

  @Test
  default void skippingBackwardContinuesAtThePositionOrTheFirstBeforeIt() {
    Space space = grid(4, 10);
    assertThat(skipping(space, List.of(KeyRange.ALL), Direction.BACKWARD, at(3, 9), at(3, 4), 3))
        .containsExactly(at(3, 9), at(3, 4), at(3, 3));
    assertThat(
            skipping(
                space,
                List.of(KeyRange.ALL),
                Direction.BACKWARD,
                at(3, 9),
                Position.startOf(numbered(2)),
                3))
        .containsExactly(at(3, 9), at(1, 9), at(1, 8));
    assertThat(
            skipping(space, List.of(KeyRange.ALL), Direction.BACKWARD, at(3, 9), Position.START, 3))
        .containsExactly(at(3, 9));
  }

  @Test
  default void skippingGoesOverRangesBothWays() {
    Space space = grid(1, 20);
    List<KeyRange> ranges =
        List.of(
            new KeyRange(at(0, 0), at(0, 4)),
            new KeyRange(at(0, 8), at(0, 12)),
            new KeyRange(at(0, 16), at(0, 20)));
    assertThat(skipping(space, ranges, Direction.FORWARD, at(0, 1), at(0, 10), 4))
        .containsExactly(at(0, 0), at(0, 1), at(0, 10), at(0, 11));
    assertThat(skipping(space, ranges, Direction.FORWARD, at(0, 0), at(0, 13), 3))
        .containsExactly(at(0, 0), at(0, 16), at(0, 17));
    assertThat(skipping(space, ranges, Direction.BACKWARD, at(0, 19), at(0, 14), 3))
        .containsExactly(at(0, 19), at(0, 11), at(0, 10));
    assertThat(skipping(space, ranges, Direction.BACKWARD, at(0, 18), at(0, 2), 4))
        .containsExactly(at(0, 19), at(0, 18), at(0, 2), at(0, 1));
  }

  @Test
  default void skippingToAPlaceAlreadyPassedMeansGoingOn() {
    Space space = grid(1, 5);
    assertThat(skipping(space, List.of(KeyRange.ALL), Direction.FORWARD, at(0, 2), at(0, 1), 9))
        .hasSize(5)
        .doesNotHaveDuplicates();
    assertThat(skipping(space, List.of(KeyRange.ALL), Direction.FORWARD, at(0, 2), at(0, 2), 9))
        .hasSize(5)
        .doesNotHaveDuplicates();
    assertThat(skipping(space, List.of(KeyRange.ALL), Direction.BACKWARD, at(0, 2), at(0, 3), 9))
        .hasSize(5)
        .doesNotHaveDuplicates();
    assertThat(skipping(space, List.of(KeyRange.ALL), Direction.BACKWARD, at(0, 2), at(0, 2), 9))
        .hasSize(5)
        .doesNotHaveDuplicates();
  }

  @Test
  default void skippingBackOnEveryRecordShowsNoneTwice() {
    Partition partition = fixture().newPartition();
    fixture().fill(partition, 2_500, bytes("v"));
    for (Direction direction : Direction.values()) {
      Position passed =
          direction == Direction.FORWARD ? Position.START : Position.endOf(partition.name());
      AtomicInteger visits = new AtomicInteger();
      Function<Seen, Visit> back =
          seen -> visits.incrementAndGet() > 3_000 ? Visit.STOP : Visit.skipTo(passed);
      assertThat(fixture().scan(partition.space(), List.of(KeyRange.ALL), direction, back))
          .hasSize(2_500)
          .doesNotHaveDuplicates();
    }
  }

  @Test
  default void skippingFromPartitionToPartitionReadsOneRowOfEach() {
    Space space = grid(30, 60);
    Function<Seen, Visit> next = seen -> Visit.skipTo(Position.endOf(seen.partition()));
    assertThat(fixture().scan(space, List.of(KeyRange.ALL), Direction.FORWARD, next))
        .extracting(Seen::position)
        .hasSize(30)
        .allMatch(position -> position.row().equals(numbered(0)));
    Function<Seen, Visit> previous = seen -> Visit.skipTo(Position.startOf(seen.partition()));
    assertThat(fixture().scan(space, List.of(KeyRange.ALL), Direction.BACKWARD, previous))
        .extracting(Seen::position)
        .hasSize(30)
        .allMatch(position -> position.row().equals(numbered(59)));
  }

  @Test
  default void stoppingEndsTheScan() {
    Space space = grid(2, 10);
    for (Direction direction : Direction.values()) {
      assertThat(fixture().scan(space, List.of(KeyRange.ALL), direction, seen -> Visit.STOP))
          .hasSize(1);
    }
  }

  @Test
  default void largeScansAreCompleteBothWays() {
    Partition partition = fixture().newPartition();
    fixture().fill(partition, 3_500, bytes("v"));
    List<Position> forward = positions(partition.space(), List.of(KeyRange.ALL), Direction.FORWARD);
    assertThat(forward).hasSize(3_500).isSorted().doesNotHaveDuplicates();
    List<Position> backward =
        new ArrayList<>(positions(partition.space(), List.of(KeyRange.ALL), Direction.BACKWARD));
    Collections.reverse(backward);
    assertThat(backward).isEqualTo(forward);
  }

  @Test
  default void scansOfLargeRecordsAreComplete() {
    Partition partition = fixture().newPartition();
    for (int i = 0; i < 12; i++) {
      fixture().put(partition, numbered(i), Bytes.of(new byte[800_000]));
    }
    for (Direction direction : Direction.values()) {
      assertThat(positions(partition.space(), List.of(KeyRange.ALL), direction)).hasSize(12);
    }
  }

  @Test
  default void aVisitorThatThrowsLeavesTheEngineUsable() {
    Space space = grid(1, 5);
    RuntimeException thrown = new IllegalStateException("on purpose");
    assertThatThrownBy(
            () ->
                fixture()
                    .scan(
                        space,
                        List.of(KeyRange.ALL),
                        Direction.FORWARD,
                        seen -> {
                          throw thrown;
                        }))
        .isSameAs(thrown);
    fixture().put(new Partition(space, numbered(0)), numbered(5), bytes("v"));
    assertThat(positions(space, List.of(KeyRange.ALL), Direction.FORWARD)).hasSize(6);
  }

  @Test
  default void aVisitorMayReadAndWrite() {
    Partition partition = fixture().newPartition();
    fixture().fill(partition, 5, bytes("v"));
    fixture()
        .scan(
            partition.space(),
            List.of(KeyRange.ALL),
            Direction.FORWARD,
            seen -> {
              assertThat(fixture().read(partition, seen.row())).isEqualTo(bytes("v"));
              fixture().put(partition, seen.row(), bytes("w"));
              return Visit.CONTINUE;
            });
    assertThat(fixture().scan(partition)).allMatch(seen -> seen.value().equals(bytes("w")));
  }

  @Test
  default void lentBytesAreAWindowOnTheRecord() {
    Partition partition = new Partition(fixture().newTable(), bytes(0, 1, 'p'));
    fixture().put(partition, bytes(0, 'r'), bytes("value"));
    List<LentRecord> records = new ArrayList<>();
    EngineFixture.await(
        fixture()
            .engine()
            .scan(
                partition.space(),
                List.of(KeyRange.ALL),
                Direction.FORWARD,
                Deadline.NEVER,
                record -> {
                  records.add(record);
                  assertThat(record.partition().contentEquals(partition.name())).isTrue();
                  assertThat(record.row().contentEquals(bytes(0, 'r'))).isTrue();
                  assertThat(record.row().compareTo(bytes(0, 's'))).isNegative();
                  assertThat(record.value().length()).isEqualTo(5);
                  assertThat(record.value().array()[record.value().offset()]).isEqualTo((byte) 'v');
                  assertThat(record.value().copy()).isEqualTo(bytes("value").array());
                  return Visit.CONTINUE;
                }));
    assertThat(records).hasSize(1);
  }

  @Test
  default void readsAndScansWhoseDeadlineHasPassedTimeOut() {
    Partition partition = fixture().newPartition();
    fixture().put(partition, "a", "1");
    Deadline passed = Deadline.after(Duration.ofSeconds(-1));
    assertThatThrownBy(
            () -> EngineFixture.await(fixture().engine().read(partition.row(bytes("a")), passed)))
        .isInstanceOfSatisfying(StorageException.class, ScanContract::assertTimeout);
    assertThatThrownBy(
            () ->
                EngineFixture.await(
                    fixture()
                        .engine()
                        .scan(
                            partition.space(),
                            List.of(KeyRange.ALL),
                            Direction.FORWARD,
                            passed,
                            record -> Visit.CONTINUE)))
        .isInstanceOfSatisfying(StorageException.class, ScanContract::assertTimeout);
  }

  private static void assertTimeout(StorageException e) {
    assertThat(e.kind()).isEqualTo(StorageException.Kind.TIMEOUT);
  }

  private static Position at(int partition, int row) {
    return new Position(numbered(partition), numbered(row));
  }

  /** A space with numbered partitions of numbered rows. */
  private Space grid(int partitions, int rows) {
    Space space = fixture().newTable();
    for (int i = 0; i < partitions; i++) {
      fixture().fill(new Partition(space, numbered(i)), rows, bytes("v"));
    }
    return space;
  }

  private List<Position> positions(Space space, List<KeyRange> ranges, Direction direction) {
    return fixture().scan(space, ranges, direction).stream().map(Seen::position).toList();
  }

  /** Returns the first positions of a scan that skips from one position to another. */
  private List<Position> skipping(
      Space space,
      List<KeyRange> ranges,
      Direction direction,
      Position at,
      Position target,
      int recordsMax) {
    List<Position> shown = new ArrayList<>();
    fixture()
        .scan(
            space,
            ranges,
            direction,
            seen -> {
              shown.add(seen.position());
              if (shown.size() == recordsMax) {
                return Visit.STOP;
              }
              return seen.position().equals(at) ? Visit.skipTo(target) : Visit.CONTINUE;
            });
    return shown;
  }
}
