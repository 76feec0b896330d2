package io.lazuli.storage.contract;

import static io.lazuli.storage.contract.EngineFixture.HOME;
import static io.lazuli.storage.contract.EngineFixture.await;
import static io.lazuli.storage.contract.EngineFixture.bytes;
import static io.lazuli.storage.contract.EngineFixture.numbered;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lazuli.storage.Bytes;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.Direction;
import io.lazuli.storage.KeyRange;
import io.lazuli.storage.Partition;
import io.lazuli.storage.PartitionView;
import io.lazuli.storage.Space;
import io.lazuli.storage.SpaceKind;
import io.lazuli.storage.StorageEngine;
import io.lazuli.storage.StorageException;
import io.lazuli.storage.StorageException.Kind;
import io.lazuli.storage.TransactionBody;
import io.lazuli.storage.Visit;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** The commit lane: bounds, deadlines, closing, and bodies that are committed together. */
interface LaneContract extends EngineUnderTest {
  @Test
  default void aStalledLaneRefusesMoreThanItsBoundInOperations() {
    fixture().configure(config -> config.withQueueBounds(8, 1 << 20));
    for (int round = 0; round < 3; round++) {
      assertThat(takenWhileStalled(50, 0)).isEqualTo(8);
    }
  }

  @Test
  default void aStalledLaneRefusesMoreThanItsBoundInBytes() {
    fixture().configure(config -> config.withQueueBounds(1_000, 1_000));
    for (int round = 0; round < 3; round++) {
      assertThat(takenWhileStalled(30, 100)).isEqualTo(10);
    }
  }

  @Test
  default void aBodyHeavierThanTheBoundIsRefused() {
    fixture().configure(config -> config.withQueueBounds(1_000, 1_000));
    Partition partition = fixture().newPartition();
    CompletableFuture<Object> future = fixture().submit(partition, new Heavy(1_001));
    assertKind(Kind.UNAVAILABLE, () -> await(future));
  }

  @Test
  default void readsGoOnWhileTheLaneIsStalled() {
    Partition partition = fixture().newPartition();
    fixture().put(partition, "a", "1");
    try (EngineFixture.Stall stall = fixture().stallLane()) {
      assertThat(fixture().read(partition, "a")).isEqualTo("1");
      assertThat(fixture().scan(partition)).hasSize(1);
      assertThat(fixture().engine().state().writable()).isTrue();
    }
  }

  @Test
  default void aBodyWhoseDeadlinePassedWhileItWaitedIsNeverRun() {
    Partition partition = fixture().newPartition();
    AtomicBoolean run = new AtomicBoolean();
    CompletableFuture<Object> future;
    try (EngineFixture.Stall stall = fixture().stallLane()) {
      Deadline deadline = Deadline.after(Duration.ofMillis(20));
      future =
          fixture()
              .engine()
              .transact(
                  partition,
                  List.of(),
                  deadline,
                  view -> {
                    run.set(true);
                    return null;
                  });
      Awaitility.await().until(deadline::hasPassed);
    }
    assertKind(Kind.TIMEOUT, () -> await(future));
    assertThat(run).isFalse();
  }

  @Test
  default void bodiesCommittedTogetherSeeEachOthersChanges() {
    Partition partition = fixture().newPartition();
    fixture().put(partition, "old", "1");
    CompletableFuture<Boolean> first;
    CompletableFuture<Boolean> second;
    CompletableFuture<Integer> rows;
    CompletableFuture<Boolean> again;
    try (EngineFixture.Stall stall = fixture().stallLane()) {
      first = fixture().submit(partition, view -> insert(view, bytes("a")));
      second = fixture().submit(partition, view -> insert(view, bytes("a")));
      CompletableFuture<Object> delete =
          fixture()
              .submit(
                  partition,
                  view -> {
                    view.delete(bytes("old"));
                    return null;
                  });
      rows = fixture().submit(partition, LaneContract::countRows);
      again = fixture().submit(partition, view -> insert(view, bytes("old")));
      assertThat(delete).isNotDone();
    }
    assertThat(await(first)).isTrue();
    assertThat(await(second)).isFalse();
    assertThat(await(rows)).isEqualTo(1);
    assertThat(await(again)).isTrue();
    assertThat(fixture().scan(partition)).hasSize(2);
  }

  @Test
  default void aBodyThatThrowsDoesNotHurtThoseCommittedWithIt() {
    Partition partition = fixture().newPartition();
    CompletableFuture<Object> failing;
    CompletableFuture<Boolean> before;
    CompletableFuture<Boolean> after;
    try (EngineFixture.Stall stall = fixture().stallLane()) {
      before = fixture().submit(partition, view -> insert(view, bytes("a")));
      failing =
          fixture()
              .submit(
                  partition,
                  view -> {
                    view.delete(bytes("a"));
                    view.put(bytes("b"), new byte[1]);
                    throw new IllegalStateException("on purpose");
                  });
      after =
          fixture()
              .submit(partition, view -> view.read(bytes("a")) != null && insert(view, bytes("b")));
    }
    assertThat(await(before)).isTrue();
    assertThatThrownBy(() -> await(failing)).hasMessage("on purpose");
    assertThat(await(after)).isTrue();
    assertThat(fixture().scan(partition)).hasSize(2);
  }

  @Test
  default void aDropCountsForBodiesCommittedTogetherWithIt() {
    Partition partition = fixture().newPartition();
    Space space = partition.space();
    CompletableFuture<Boolean> before;
    CompletableFuture<Object> drop;
    CompletableFuture<Boolean> after;
    try (EngineFixture.Stall stall = fixture().stallLane()) {
      before = fixture().submit(partition, view -> insert(view, bytes("a")));
      drop = fixture().submit(HOME, view -> dropIn(view, space));
      after = fixture().submit(partition, view -> insert(view, bytes("b")));
    }
    assertThat(await(before)).isTrue();
    await(drop);
    assertKind(Kind.SPACE_GONE, () -> await(after));
    assertKind(Kind.SPACE_GONE, () -> fixture().scan(partition));
  }

  @Test
  default void aDropThatIsUndoneDoesNotCountForBodiesCommittedTogetherWithIt() {
    Partition partition = fixture().newPartition();
    CompletableFuture<Object> drop;
    CompletableFuture<Boolean> after;
    try (EngineFixture.Stall stall = fixture().stallLane()) {
      drop =
          fixture()
              .submit(
                  HOME,
                  view -> {
                    view.drop(partition.space());
                    throw new IllegalStateException("on purpose");
                  });
      after = fixture().submit(partition, view -> insert(view, bytes("b")));
    }
    assertThatThrownBy(() -> await(drop)).hasMessage("on purpose");
    assertThat(await(after)).isTrue();
    assertThat(fixture().read(partition, bytes("b"))).isNotNull();
  }

  @Test
  default void manySmallTransactionsAtOnceAllEnd() {
    Partition partition = fixture().newPartition();
    List<CompletableFuture<Boolean>> futures = new ArrayList<>();
    for (int i = 0; i < 3_000; i++) {
      Bytes row = numbered(i);
      futures.add(fixture().submit(partition, view -> insert(view, row)));
    }
    assertThat(futures).allMatch(EngineFixture::await);
    assertThat(fixture().scan(partition)).hasSize(3_000);
  }

  @Test
  default void closingEndsWhatIsQueuedAndRefusesWhatComesLater() {
    Partition partition = fixture().newPartition();
    StorageEngine engine = fixture().engine();
    List<CompletableFuture<Boolean>> queued = new ArrayList<>();
    Race.Repeated closing;
    try (EngineFixture.Stall stall = fixture().stallLane()) {
      for (int i = 0; i < 10; i++) {
        Bytes row = numbered(i);
        queued.add(fixture().submit(partition, view -> insert(view, row)));
      }
      closing = Race.repeat(engine::close);
      Awaitility.await()
          .until(() -> fixture().submit(partition, view -> null).isCompletedExceptionally());
      assertKind(Kind.CLOSED, () -> fixture().transact(partition, view -> null));
      assertThat(queued).noneMatch(CompletableFuture::isDone);
    }
    closing.close();
    assertThat(queued).allMatch(EngineFixture::await);
  }

  @Test
  default void aClosedEngineSaysSo() {
    Partition partition = fixture().newPartition();
    StorageEngine engine = fixture().engine();
    engine.close();
    engine.close();
    List<ThrowingCallable> calls =
        List.of(
            () -> await(engine.transact(partition, List.of(), Deadline.NEVER, view -> null)),
            () -> await(engine.transact(partition, List.of(bytes("a")), Deadline.NEVER, view -> 1)),
            () -> await(engine.read(partition.row(bytes("a")), Deadline.NEVER)),
            () ->
                await(
                    engine.scan(
                        partition.space(),
                        List.of(KeyRange.ALL),
                        Direction.FORWARD,
                        Deadline.NEVER,
                        record -> Visit.CONTINUE)),
            () -> await(engine.newSpace(SpaceKind.TABLE, Deadline.NEVER)),
            engine::now);
    for (ThrowingCallable call : calls) {
      assertKind(Kind.CLOSED, call);
    }
    assertThat(engine.state().writable()).isFalse();
  }

  /** Returns how many of the bodies the busy lane accepts; the others fail immediately. */
  private int takenWhileStalled(int count, long weightBytes) {
    Partition partition = fixture().newPartition();
    List<CompletableFuture<Object>> taken = new ArrayList<>();
    try (EngineFixture.Stall stall = fixture().stallLane()) {
      for (int i = 0; i < count; i++) {
        CompletableFuture<Object> future = fixture().submit(partition, new Heavy(weightBytes));
        if (future.isDone()) {
          assertKind(Kind.UNAVAILABLE, () -> await(future));
        } else {
          taken.add(future);
        }
      }
    }
    taken.forEach(EngineFixture::await);
    return taken.size();
  }

  private static boolean insert(PartitionView view, Bytes row) {
    if (view.read(row) != null) {
      return false;
    }
    view.put(row, new byte[1]);
    return true;
  }

  private static int countRows(PartitionView view) {
    List<Bytes> rows = new ArrayList<>();
    view.scan(Bytes.EMPTY, null, 100, (row, value) -> rows.add(row));
    return rows.size();
  }

  private static Object dropIn(PartitionView view, Space space) {
    view.drop(space);
    return null;
  }

  private static void assertKind(Kind kind, ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(StorageException.class, e -> assertThat(e.kind()).isEqualTo(kind));
  }

  /** A body that has a weight and does nothing. */
  record Heavy(@Override long weightBytes) implements TransactionBody<Object> {
    @Override
    public Object run(PartitionView view) {
      return weightBytes;
    }
  }
}
