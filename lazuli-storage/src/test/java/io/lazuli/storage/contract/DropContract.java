package io.lazuli.storage.contract;

import static io.lazuli.storage.contract.EngineFixture.HOME;
import static io.lazuli.storage.contract.EngineFixture.bytes;
import static io.lazuli.storage.contract.EngineFixture.numbered;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.lazuli.storage.Deadline;
import io.lazuli.storage.Direction;
import io.lazuli.storage.KeyRange;
import io.lazuli.storage.Partition;
import io.lazuli.storage.Space;
import io.lazuli.storage.SpaceKind;
import io.lazuli.storage.StorageException;
import io.lazuli.storage.StorageException.Kind;
import io.lazuli.storage.Visit;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Drops: one transaction removes a space, and no later call sees it. */
interface DropContract extends EngineUnderTest {
  @Test
  default void aDroppedSpaceIsGoneForEveryCallThatComesLater() {
    Partition partition = fixture().newPartition();
    fixture().put(partition, "a", "1");
    fixture().drop(partition.space());
    assertGone(partition);
  }

  @Test
  default void aDropTakesPlaceWithTheRestOfItsTransaction() {
    Space old = fixture().newTable();
    Space replacement = fixture().newTable();
    fixture().put(HOME, "name", String.valueOf(old.number()));
    fixture()
        .transact(
            HOME,
            view -> {
              view.put(bytes("name"), bytes(String.valueOf(replacement.number())).array());
              view.drop(old);
              return null;
            });
    assertThat(fixture().read(HOME, "name")).isEqualTo(String.valueOf(replacement.number()));
    assertGone(new Partition(old, bytes("p")));
    fixture().put(new Partition(replacement, bytes("p")), "a", "1");
  }

  @Test
  default void aSpaceExistsUntilItIsDropped() {
    Space space = fixture().newTable();
    Space other = fixture().newTable();
    for (int i = 0; i < 4; i++) {
      assertThat(exists(space)).isTrue();
    }
    fixture().drop(space);
    for (int i = 0; i < 4; i++) {
      assertThat(exists(space)).isFalse();
      assertThat(exists(other)).isTrue();
    }
  }

  private boolean exists(Space space) {
    return EngineFixture.await(fixture().engine().exists(space, Deadline.NEVER));
  }

  @Test
  default void aDroppedGateEndsItsCallsAndKeepsTheRecords() {
    Space space = fixture().newTable();
    Partition first = gated(space, newGate());
    Partition second = gated(space, newGate());
    fixture().put(first, "a", "1");
    assertThat(fixture().read(second, "a")).isEqualTo("1");
    fixture().drop(new Space(first.space().gate(), HOME));
    assertGone(first);
    assertThat(exists(first.space())).isFalse();
    assertThat(exists(second.space())).isTrue();
    fixture().put(second, "b", "2");
    assertThat(fixture().scan(second)).hasSize(2);
    assertThat(fixture().scan(new Partition(space, second.name()))).hasSize(2);
    assertThat(fixture().storedRecords(space)).isEqualTo(2);
  }

  @Test
  default void aSpaceIsReclaimedAfterItsGateWasDropped() {
    Space space = fixture().newTable();
    Partition gated = gated(space, newGate());
    fixture().put(gated, "a", "1");
    fixture().drop(new Space(gated.space().gate(), HOME));
    assertThat(fixture().storedRecords(space)).isEqualTo(1);
    fixture().drop(space);
    assertGone(new Partition(space, gated.name()));
    await().until(() -> fixture().storedRecords(space) == 0);
  }

  private long newGate() {
    return EngineFixture.await(fixture().engine().newSpace(SpaceKind.GATE, Deadline.NEVER));
  }

  private static Partition gated(Space space, long gate) {
    return new Partition(new Space(space.number(), HOME, gate), bytes("p"));
  }

  @Test
  default void aDropIsUndoneWhenTheBodyThrows() {
    Partition partition = fixture().newPartition();
    fixture().put(partition, "a", "1");
    assertThatThrownBy(
            () ->
                fixture()
                    .transact(
                        HOME,
                        view -> {
                          view.drop(partition.space());
                          throw new IllegalStateException("on purpose");
                        }))
        .hasMessage("on purpose");
    assertThat(fixture().read(partition, "a")).isEqualTo("1");
    fixture().put(partition, "b", "2");
    assertThat(fixture().scan(partition)).hasSize(2);
  }

  @Test
  default void aNameCanBeUsedAgainAtOnce() {
    for (int i = 0; i < 5; i++) {
      Partition partition = fixture().newPartition();
      assertThat(fixture().scan(partition)).isEmpty();
      fixture().put(partition, "a", "1");
      fixture().drop(partition.space());
      assertGone(partition);
    }
  }

  @Test
  default void droppingTwiceIsHarmless() {
    Partition partition = fixture().newPartition();
    fixture().put(partition, "a", "1");
    fixture().drop(partition.space());
    fixture().drop(partition.space());
    assertGone(partition);
  }

  @Test
  default void onlyTheHomeMayDropASpace() {
    Space space = fixture().newTable();
    Partition elsewhere = new Partition(Space.CATALOGUE, bytes("another account"));
    for (Partition partition : List.of(elsewhere, new Partition(space, bytes("p")))) {
      assertThatThrownBy(
              () ->
                  fixture()
                      .transact(
                          partition,
                          view -> {
                            view.drop(space);
                            return null;
                          }))
          .isInstanceOf(IllegalArgumentException.class);
    }
    fixture().put(new Partition(space, bytes("p")), "a", "1");
  }

  @Test
  default void onlyDroppedSpacesAreReclaimed() {
    Partition dropped = fixture().newPartition();
    Space below = new Space(dropped.space().number() - 1, HOME);
    Space above = new Space(dropped.space().number() + 1, HOME);
    for (Space neighbour : List.of(below, above)) {
      fixture().fill(new Partition(neighbour, bytes(0)), 10, bytes("v"));
      fixture().fill(new Partition(neighbour, bytes(255)), 10, bytes("v"));
    }
    fixture().fill(dropped, 3_500, bytes("v"));
    assertThat(fixture().storedRecords(dropped.space())).isEqualTo(3_500);
    fixture().drop(dropped.space());
    await().until(() -> fixture().storedRecords(dropped.space()) == 0);
    assertGone(dropped);
    for (Space neighbour : List.of(below, above)) {
      assertThat(fixture().scan(neighbour, List.of(KeyRange.ALL), Direction.FORWARD)).hasSize(20);
    }
  }

  /** A scan shows everything or fails with SPACE_GONE; it never ends early without a failure. */
  @Test
  default void callsThatRaceADropSucceedOrFailWithSpaceGone() {
    for (int round = 0; round < 4; round++) {
      Partition partition = fixture().newPartition();
      fixture().fill(partition, 2_500, bytes("v"));
      AtomicInteger dropped = new AtomicInteger();
      Race.run(
          4,
          thread ->
              () -> {
                switch (thread) {
                  case 0 -> {
                    fixture().drop(partition.space());
                    dropped.set(1);
                  }
                  case 1 ->
                      untilGone(
                          dropped,
                          () ->
                              assertThat(fixture().read(partition, numbered(7)))
                                  .isEqualTo(bytes("v")));
                  case 2 ->
                      untilGone(
                          dropped, () -> assertThat(fixture().scan(partition)).hasSize(2_500));
                  default ->
                      untilGone(dropped, () -> fixture().put(partition, numbered(7), bytes("v")));
                }
              });
      assertGone(partition);
    }
  }

  @Test
  default void aScanWhoseSpaceGoesMidwayIsCompleteOrSaysSo() {
    Partition partition = fixture().newPartition();
    fixture().fill(partition, 5_000, bytes("v"));
    AtomicInteger visits = new AtomicInteger();
    try {
      fixture()
          .scan(
              partition.space(),
              List.of(KeyRange.ALL),
              Direction.FORWARD,
              seen -> {
                if (visits.incrementAndGet() == 10) {
                  fixture().drop(partition.space());
                }
                return Visit.CONTINUE;
              });
      assertThat(visits).hasValue(5_000);
    } catch (StorageException e) {
      assertThat(e.kind()).isEqualTo(Kind.SPACE_GONE);
    }
    assertThat(visits.get()).isGreaterThanOrEqualTo(10);
    await().until(() -> fixture().storedRecords(partition.space()) == 0);
  }

  /**
   * Repeats a call until it fails with SPACE_GONE, which must happen once the drop is acknowledged.
   */
  private static void untilGone(AtomicInteger dropped, Runnable call) {
    while (true) {
      boolean known = dropped.get() == 1;
      try {
        call.run();
      } catch (StorageException e) {
        assertThat(e.kind()).isEqualTo(Kind.SPACE_GONE);
        return;
      }
      assertThat(known).as("a call begun after the drop succeeded").isFalse();
    }
  }

  private void assertGone(Partition partition) {
    List<ThrowingCallable> calls =
        List.of(
            () -> fixture().read(partition, "a"),
            () -> fixture().scan(partition),
            () -> fixture().scan(partition.space(), List.of(KeyRange.ALL), Direction.BACKWARD),
            () -> fixture().put(partition, "a", "2"),
            () -> fixture().transact(partition, view -> "writes nothing"));
    for (ThrowingCallable call : calls) {
      assertThatThrownBy(call)
          .isInstanceOfSatisfying(
              StorageException.class, e -> assertThat(e.kind()).isEqualTo(Kind.SPACE_GONE));
    }
  }
}
