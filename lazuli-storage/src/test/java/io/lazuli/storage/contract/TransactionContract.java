package io.lazuli.storage.contract;

import static io.lazuli.storage.contract.EngineFixture.HOME;
import static io.lazuli.storage.contract.EngineFixture.bytes;
import static io.lazuli.storage.contract.EngineFixture.numbered;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lazuli.storage.Bytes;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.Partition;
import io.lazuli.storage.PartitionView;
import io.lazuli.storage.Space;
import io.lazuli.storage.TransactionBody;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Transactions: all or nothing, serialised by what they read by key, and visible once acknowledged.
 */
interface TransactionContract extends EngineUnderTest {
  @Test
  default void readSeesWhatWasWrittenReplacedAndDeleted() {
    Partition partition = fixture().newPartition();
    assertThat(fixture().read(partition, "a")).isNull();
    fixture().put(partition, "a", "1");
    assertThat(fixture().read(partition, "a")).isEqualTo("1");
    fixture().put(partition, "a", "2");
    assertThat(fixture().read(partition, "a")).isEqualTo("2");
    fixture().delete(partition, bytes("a"));
    assertThat(fixture().read(partition, "a")).isNull();
  }

  @Test
  default void theFutureEndsWithTheResultOfTheBody() {
    Partition partition = fixture().newPartition();
    assertThat(fixture().<String>transact(partition, view -> "result")).isEqualTo("result");
    assertThat(fixture().<String>transact(partition, view -> null)).isNull();
  }

  @Test
  default void touchedRowsChangeNothing() {
    Partition partition = fixture().newPartition();
    fixture().put(partition, "a", "1");
    String seen =
        EngineFixture.await(
            fixture()
                .engine()
                .transact(
                    partition,
                    List.of(bytes("a"), bytes("absent")),
                    Deadline.NEVER,
                    view -> text(view.read(bytes("a")))));
    assertThat(seen).isEqualTo("1");
    assertThat(fixture().scan(partition)).hasSize(1);
  }

  @Test
  default void aBodyThatThrowsLeavesNothing() {
    Partition partition = fixture().newPartition();
    fixture().put(partition, "kept", "1");
    RuntimeException thrown = new IllegalStateException("on purpose");
    CompletableFuture<Object> future =
        fixture()
            .submit(
                partition,
                view -> {
                  view.put(bytes("new"), new byte[1]);
                  view.put(bytes("kept"), new byte[2]);
                  view.delete(bytes("kept"));
                  throw thrown;
                });
    assertThatThrownBy(() -> EngineFixture.await(future)).isSameAs(thrown);
    assertThat(fixture().read(partition, "new")).isNull();
    assertThat(fixture().read(partition, "kept")).isEqualTo("1");
  }

  @Test
  default void aBodyThatThrowsAnErrorDoesNotEndTheEngine() {
    Partition partition = fixture().newPartition();
    Error thrown = new AssertionError("on purpose");
    assertThatThrownBy(
            () ->
                fixture()
                    .transact(
                        partition,
                        view -> {
                          view.put(bytes("new"), new byte[1]);
                          throw thrown;
                        }))
        .isSameAs(thrown);
    fixture().put(partition, "a", "1");
    assertThat(fixture().scan(partition)).hasSize(1);
  }

  @Test
  default void aViewSeesItsOwnChanges() {
    Partition partition = fixture().newPartition();
    fixture().put(partition, "old", "1");
    List<String> seen =
        fixture()
            .transact(
                partition,
                view -> {
                  List<String> values = new ArrayList<>();
                  view.put(bytes("new"), bytes("2").array());
                  values.add(text(view.read(bytes("new"))));
                  view.put(bytes("old"), bytes("3").array());
                  values.add(text(view.read(bytes("old"))));
                  view.delete(bytes("old"));
                  values.add(text(view.read(bytes("old"))));
                  view.put(bytes("old"), bytes("4").array());
                  values.add(text(view.read(bytes("old"))));
                  return values;
                });
    assertThat(seen).containsExactly("2", "3", null, "4");
    assertThat(fixture().read(partition, "old")).isEqualTo("4");
  }

  @Test
  default void aScanOfAViewSeesItsOwnChanges() {
    Partition partition = fixture().newPartition();
    for (String row : List.of("a", "b", "c", "d")) {
      fixture().put(partition, row, "old");
    }
    List<String> seen =
        fixture()
            .transact(
                partition,
                view -> {
                  view.delete(bytes("b"));
                  view.put(bytes("bb"), bytes("new").array());
                  view.put(bytes("c"), bytes("new").array());
                  view.put(bytes("e"), bytes("new").array());
                  view.delete(bytes("e"));
                  view.delete(bytes("absent"));
                  return rows(view, Bytes.EMPTY, null, 100);
                });
    assertThat(seen).containsExactly("a=old", "bb=new", "c=new", "d=old");
  }

  @Test
  default void aScanOfAViewKeepsToItsBounds() {
    Space space = fixture().newTable();
    Partition partition = new Partition(space, bytes("p"));
    for (Bytes neighbour : List.of(bytes("o"), bytes('p', 0), bytes('p', 1), bytes("q"))) {
      fixture().put(new Partition(space, neighbour), bytes("b"), bytes("other"));
    }
    for (String row : List.of("a", "b", "c", "d")) {
      fixture().put(partition, row, "1");
    }
    fixture()
        .transact(
            partition,
            view -> {
              assertThat(rows(view, Bytes.EMPTY, null, 100)).hasSize(4);
              assertThat(rows(view, bytes("b"), bytes("d"), 100)).containsExactly("b=1", "c=1");
              assertThat(rows(view, bytes("b"), null, 2)).containsExactly("b=1", "c=1");
              assertThat(rows(view, bytes("c"), bytes("c"), 100)).isEmpty();
              assertThat(rows(view, bytes("d"), bytes("a"), 100)).isEmpty();
              assertThat(rows(view, Bytes.EMPTY, null, 0)).isEmpty();
              view.delete(bytes("a"));
              view.put(bytes("aa"), bytes("2").array());
              assertThat(rows(view, Bytes.EMPTY, null, 2)).containsExactly("aa=2", "b=1");
              return null;
            });
  }

  @Test
  default void aScanOfAViewStopsWhenTheVisitorSaysSo() {
    Partition partition = fixture().newPartition();
    fixture().fill(partition, 10, bytes("v"));
    AtomicInteger visits = new AtomicInteger();
    fixture()
        .transact(
            partition,
            view -> {
              view.scan(Bytes.EMPTY, null, 10, (row, value) -> visits.incrementAndGet() < 3);
              return null;
            });
    assertThat(visits).hasValue(3);
  }

  @Test
  default void aScanOfAViewMayChangeWhatItScans() {
    Partition partition = fixture().newPartition();
    fixture().fill(partition, 20, bytes("v"));
    fixture()
        .transact(
            partition,
            view -> {
              view.scan(
                  Bytes.EMPTY,
                  null,
                  100,
                  (row, value) -> {
                    view.delete(row);
                    return true;
                  });
              return null;
            });
    assertThat(fixture().scan(partition)).isEmpty();
  }

  @Test
  default void aScanOfAViewShowsAtMostTenThousandRows() {
    Partition partition = fixture().newPartition();
    assertThatThrownBy(
            () ->
                fixture()
                    .transact(
                        partition,
                        view -> {
                          view.scan(
                              Bytes.EMPTY,
                              null,
                              PartitionView.SCAN_ROWS_MAX + 1,
                              (row, value) -> true);
                          return null;
                        }))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  default void concurrentIncrementsAreNotLost() {
    Partition partition = fixture().newPartition();
    Race.run(
        4,
        thread ->
            () -> {
              for (int i = 0; i < 50; i++) {
                fixture().transact(partition, view -> increment(view, bytes("n")));
              }
            });
    assertThat(fixture().read(partition, "n")).isEqualTo("200");
  }

  @Test
  default void theAttemptsOfABodyAreCountedFromOne() {
    Partition partition = fixture().newPartition();
    Race.run(
        4,
        thread ->
            () -> {
              for (int i = 0; i < 50; i++) {
                List<Integer> attempts = new ArrayList<>();
                fixture()
                    .transact(
                        partition,
                        view -> {
                          attempts.add(view.attempt());
                          return increment(view, bytes("n"));
                        });
                // An engine may run a body more than once in an attempt, to fetch rows.
                List<Integer> distinct = attempts.stream().distinct().toList();
                assertThat(attempts).isSorted();
                assertThat(distinct).isEqualTo(firstNumbers(distinct.size())).isNotEmpty();
              }
            });
    assertThat(fixture().read(partition, "n")).isEqualTo("200");
  }

  @Test
  default void exactlyOneOfManyInsertsOfAnAbsentRowWins() {
    Partition partition = fixture().newPartition();
    AtomicIntegerArray winners = new AtomicIntegerArray(40);
    Race.run(
        4,
        thread ->
            () -> {
              List<CompletableFuture<Boolean>> futures = new ArrayList<>();
              for (int i = 0; i < winners.length(); i++) {
                Bytes row = numbered(i);
                futures.add(fixture().submit(partition, view -> insert(view, row)));
              }
              for (int i = 0; i < winners.length(); i++) {
                winners.addAndGet(i, EngineFixture.await(futures.get(i)) ? 1 : 0);
              }
            });
    for (int i = 0; i < winners.length(); i++) {
      assertThat(winners.get(i)).as("inserts of row %d", i).isEqualTo(1);
    }
  }

  /** Each body reads the row that the other writes: if both wrote, the reads were stale. */
  @Test
  default void aRecordReadAsAbsentIsStillAbsentAtCommit() {
    Partition partition = fixture().newPartition();
    int rounds = 40;
    AtomicIntegerArray writers = new AtomicIntegerArray(rounds);
    Race.run(
        2,
        thread ->
            () -> {
              for (int i = 0; i < rounds; i++) {
                Bytes mine = bytes(i + "-" + thread);
                Bytes other = bytes(i + "-" + (1 - thread));
                boolean wrote =
                    fixture()
                        .transact(
                            partition, view -> view.read(other) == null && insert(view, mine));
                writers.addAndGet(i, wrote ? 1 : 0);
              }
            });
    for (int i = 0; i < rounds; i++) {
      assertThat(writers.get(i)).as("round %d", i).isEqualTo(1);
    }
  }

  @Test
  default void anAcknowledgedWriteIsSeenByEveryLaterReadAndBody() {
    Partition partition = fixture().newPartition();
    AtomicInteger acknowledged = new AtomicInteger();
    fixture().put(partition, "n", "0");
    Race.run(
        3,
        thread ->
            () -> {
              for (int i = 1; i <= 100; i++) {
                if (thread == 0) {
                  fixture().put(partition, "n", String.valueOf(i));
                  acknowledged.set(i);
                } else {
                  int before = acknowledged.get();
                  assertThat(Integer.parseInt(fixture().read(partition, "n")))
                      .isGreaterThanOrEqualTo(before);
                }
              }
            });
    assertThat(fixture().<String>transact(partition, view -> text(view.read(bytes("n")))))
        .isEqualTo("100");
  }

  @Test
  default void partitionsAndSpacesWithLikeNamesAreSeparate() {
    List<Partition> partitions = new ArrayList<>();
    for (Space space : List.of(fixture().newTable(), fixture().newTable())) {
      for (Bytes name :
          List.of(
              Bytes.EMPTY, bytes(0), bytes(0, 0), bytes(1), bytes(1, 1), bytes(0, 1), bytes(255))) {
        partitions.add(new Partition(space, name));
      }
    }
    List<Bytes> rows = List.of(Bytes.EMPTY, bytes(0), bytes(1), bytes(1, 0), bytes(255));
    for (Partition partition : partitions) {
      fixture()
          .transact(
              partition,
              view -> {
                rows.forEach(row -> view.put(row, bytes(partition + "/" + row).array()));
                return null;
              });
    }
    for (Partition partition : partitions) {
      for (Bytes row : rows) {
        assertThat(fixture().read(partition, row)).isEqualTo(bytes(partition + "/" + row));
      }
      assertThat(fixture().scan(partition)).hasSize(rows.size());
    }
  }

  @Test
  default void emptyAndLargeKeysAndValuesAreKept() {
    Space space = fixture().newTable();
    Bytes longName = bytes("k".repeat(2_048));
    Bytes large = Bytes.of(new byte[1 << 20]);
    fixture().put(new Partition(space, Bytes.EMPTY), Bytes.EMPTY, Bytes.EMPTY);
    fixture().put(new Partition(space, longName), longName, large);
    assertThat(fixture().read(new Partition(space, Bytes.EMPTY), Bytes.EMPTY))
        .isEqualTo(Bytes.EMPTY);
    assertThat(fixture().read(new Partition(space, longName), longName)).isEqualTo(large);
  }

  @Test
  default void theCallerOwnsWhatItRead() {
    Partition partition = fixture().newPartition();
    fixture().put(partition, "a", "1");
    byte[] mine =
        EngineFixture.await(fixture().engine().read(partition.row(bytes("a")), Deadline.NEVER));
    mine[0] = 'x';
    assertThat(fixture().read(partition, "a")).isEqualTo("1");
  }

  @Test
  default void catalogueRowsThatBeginWithZeroAreTheEnginesOwn() {
    Bytes own = bytes(0, 'd');
    List<TransactionBody<Object>> changes =
        List.of(
            view -> {
              view.put(own, new byte[1]);
              return null;
            },
            view -> {
              view.delete(own);
              return null;
            });
    for (var change : changes) {
      assertThatThrownBy(() -> fixture().transact(HOME, change))
          .isInstanceOf(IllegalArgumentException.class);
    }
    fixture().put(HOME, "name", "1");
    fixture().drop(fixture().newTable());
    assertThat(fixture().scan(HOME))
        .extracting(EngineFixture.Seen::row)
        .containsExactly(bytes("name"));
    assertThat(fixture().<List<String>>transact(HOME, view -> rows(view, Bytes.EMPTY, null, 10)))
        .containsExactly("name=1");
    assertThat(fixture().read(HOME, own)).isNull();
    assertThat(fixture().<Boolean>transact(HOME, view -> view.read(own) == null)).isTrue();
  }

  @Test
  default void rowsThatBeginWithZeroAreOrdinaryOutsideTheCatalogue() {
    Partition partition = fixture().newPartition();
    fixture().put(partition, bytes(0, 'd'), bytes("1"));
    assertThat(fixture().read(partition, bytes(0, 'd'))).isEqualTo(bytes("1"));
    assertThat(fixture().scan(partition)).hasSize(1);
  }

  private static List<Integer> firstNumbers(int count) {
    return IntStream.rangeClosed(1, count).boxed().toList();
  }

  private static boolean insert(PartitionView view, Bytes row) {
    if (view.read(row) != null) {
      return false;
    }
    view.put(row, new byte[1]);
    return true;
  }

  private static Object increment(PartitionView view, Bytes row) {
    String old = text(view.read(row));
    int next = old == null ? 1 : Integer.parseInt(old) + 1;
    view.put(row, bytes(String.valueOf(next)).array());
    return null;
  }

  private static String text(byte[] value) {
    return value == null ? null : new String(value, UTF_8);
  }

  private static List<String> rows(PartitionView view, Bytes from, Bytes to, int rowsMax) {
    List<String> rows = new ArrayList<>();
    view.scan(from, to, rowsMax, (row, value) -> rows.add(text(row.array()) + "=" + text(value)));
    return rows;
  }
}
