package io.lazuli.storage.contract;

import static io.lazuli.storage.contract.EngineFixture.bytes;
import static io.lazuli.storage.contract.EngineFixture.numbered;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lazuli.storage.Bytes;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.Partition;
import io.lazuli.storage.PartitionView;
import io.lazuli.storage.TransactionBody;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** Bodies that name rows which probably do not exist, whether they exist or not. */
interface InsertContract extends EngineUnderTest {
  /** A body that takes the given rows for absent. */
  record Insert<R>(Collection<Bytes> probablyAbsent, Function<PartitionView, R> work)
      implements TransactionBody<R> {
    @Override
    public R run(PartitionView view) {
      return work.apply(view);
    }
  }

  private <R> R insert(Partition partition, List<Bytes> rows, Function<PartitionView, R> work) {
    return EngineFixture.await(
        fixture()
            .engine()
            .transact(partition, rows, Deadline.NEVER, new Insert<>(List.copyOf(rows), work)));
  }

  private boolean isInserted(Partition partition, Bytes row, String value) {
    return insert(
        partition,
        List.of(row),
        view -> {
          if (view.read(row) != null) {
            return false;
          }
          view.put(row, bytes(value).array());
          return true;
        });
  }

  private boolean isAbsent(Partition partition, String row) {
    return insert(partition, List.of(bytes(row)), view -> view.read(bytes(row)) == null);
  }

  @Test
  default void anInsertFindsWhatExists() {
    Partition partition = fixture().newPartition();
    assertThat(isInserted(partition, bytes("a"), "1")).isTrue();
    for (int i = 0; i < 3; i++) {
      assertThat(isInserted(partition, bytes("a"), "2")).isFalse();
    }
    assertThat(fixture().read(partition, "a")).isEqualTo("1");
  }

  @Test
  default void anInsertAfterADeleteHasAHigherTimestamp() {
    Partition partition = fixture().newPartition();
    long last = 0;
    for (int i = 0; i < 5; i++) {
      long next =
          insert(
              partition,
              List.of(bytes("a")),
              view -> {
                assertThat(view.read(bytes("a"))).isNull();
                long ticks = view.timestamp(bytes("a"));
                view.put(bytes("a"), bytes("x").array());
                return ticks;
              });
      assertThat(next).isGreaterThan(last);
      assertThat(fixture().read(partition, "a")).isEqualTo("x");
      fixture().delete(partition, bytes("a"));
      assertThat(fixture().read(partition, "a")).isNull();
      last = next;
    }
  }

  @Test
  default void aBodyThatWritesNothingSeesWhatExists() {
    Partition partition = fixture().newPartition();
    fixture().put(partition, "a", "1");
    assertThat(isAbsent(partition, "a")).isFalse();
    assertThat(isAbsent(partition, "b")).isTrue();
  }

  @Test
  default void aBodyThatThrowsHasSeenWhatExists() {
    Partition partition = fixture().newPartition();
    fixture().put(partition, "a", "1");
    boolean found =
        insert(
            partition,
            List.of(bytes("a")),
            view -> {
              if (view.read(bytes("a")) == null) {
                throw new IllegalStateException("the row exists");
              }
              return true;
            });
    assertThat(found).isTrue();
    assertThatThrownBy(
            () ->
                insert(
                    partition,
                    List.of(bytes("b")),
                    view -> {
                      if (view.read(bytes("b")) == null) {
                        throw new IllegalStateException("on purpose");
                      }
                      return true;
                    }))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("on purpose");
  }

  @Test
  default void aScanShowsRowsThatAreProbablyAbsent() {
    Partition partition = fixture().newPartition();
    fixture().put(partition, "a", "1");
    fixture().put(partition, "b", "1");
    List<Bytes> seen =
        insert(
            partition,
            List.of(bytes("b"), bytes("c")),
            view -> {
              List<Bytes> rows = new ArrayList<>();
              view.scan(Bytes.EMPTY, null, 10, (row, value) -> rows.add(row));
              return rows;
            });
    assertThat(seen).containsExactly(bytes("a"), bytes("b"));
  }

  @Test
  default void aRowWrittenWithoutARead() {
    Partition partition = fixture().newPartition();
    fixture().put(partition, "a", "1");
    insert(
        partition,
        List.of(bytes("a"), bytes("b")),
        view -> {
          view.put(bytes("a"), bytes("2").array());
          view.delete(bytes("b"));
          return true;
        });
    assertThat(fixture().read(partition, "a")).isEqualTo("2");
    assertThat(fixture().read(partition, "b")).isNull();
  }

  @Test
  default void severalInsertsAreAllOrNothing() {
    Partition partition = fixture().newPartition();
    fixture().put(partition, "b", "old");
    List<Bytes> rows = List.of(bytes("a"), bytes("b"), bytes("c"));
    boolean done =
        insert(
            partition,
            rows,
            view -> {
              if (rows.stream().anyMatch(row -> view.read(row) != null)) {
                return false;
              }
              rows.forEach(row -> view.put(row, bytes("new").array()));
              return true;
            });
    assertThat(done).isFalse();
    assertThat(fixture().scan(partition)).hasSize(1);
  }

  @Test
  default void oneOfSeveralInsertsOfARowSucceeds() {
    Partition partition = fixture().newPartition();
    int rounds = 20;
    AtomicInteger[] inserted = new AtomicInteger[rounds];
    for (int i = 0; i < rounds; i++) {
      inserted[i] = new AtomicInteger();
    }
    Race.run(
        4,
        racer ->
            () -> {
              for (int i = 0; i < rounds; i++) {
                if (isInserted(partition, numbered(i), "r" + racer)) {
                  inserted[i].incrementAndGet();
                }
              }
            });
    assertThat(inserted).allMatch(count -> count.get() == 1);
  }
}
