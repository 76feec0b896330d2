package io.lazuli.storage.contract;

import static io.lazuli.storage.contract.EngineFixture.HOME;
import static io.lazuli.storage.contract.EngineFixture.bytes;
import static io.lazuli.storage.contract.EngineFixture.numbered;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lazuli.storage.Bytes;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.Direction;
import io.lazuli.storage.KeyRange;
import io.lazuli.storage.Partition;
import io.lazuli.storage.Space;
import io.lazuli.storage.SpaceKind;
import io.lazuli.storage.contract.EngineFixture.Seen;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** What survives a restart, for engines that store data. */
interface ReopenContract extends EngineUnderTest {
  @Test
  default void everythingIsThereAfterAReopen() {
    Partition partition = fixture().newPartition();
    fixture().put(HOME, "name", "1");
    fixture().fill(partition, 500, bytes("v"));
    fixture().delete(partition, numbered(0));
    List<Seen> before = fixture().scan(partition);
    for (int i = 0; i < 3; i++) {
      fixture().reopen();
      assertThat(fixture().scan(partition)).isEqualTo(before).hasSize(499);
      assertThat(fixture().read(HOME, "name")).isEqualTo("1");
    }
  }

  @Test
  default void workQueuedAtCloseIsThereAfterAReopen() {
    Partition partition = fixture().newPartition();
    List<CompletableFuture<Object>> futures = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      Bytes row = numbered(i);
      futures.add(
          fixture()
              .submit(
                  partition,
                  view -> {
                    view.put(row, new byte[1]);
                    return null;
                  }));
    }
    fixture().reopen();
    futures.forEach(EngineFixture::await);
    assertThat(fixture().scan(partition)).hasSize(200);
  }

  @Test
  default void timeNeverRepeatsOverAReopenThoughTheClockWentBack() {
    Partition partition = fixture().newPartition();
    Set<Long> timestamps = new HashSet<>();
    long timestamp = 0;
    long now = 0;
    for (int i = 0; i < 3; i++) {
      for (int j = 0; j < 3; j++) {
        long next = fixture().<Long>transact(partition, view -> view.timestamp(bytes("row")));
        assertThat(next).isGreaterThan(timestamp);
        assertThat(timestamps.add(next)).isTrue();
        timestamp = next;
      }
      assertThat(fixture().engine().now()).isGreaterThanOrEqualTo(now);
      fixture().clock().move(Duration.ofMinutes(10));
      now = fixture().engine().now();
      fixture().clock().move(Duration.ofHours(-1));
      fixture().reopen();
    }
  }

  @Test
  default void numbersOfSpacesNeverRepeatOverAReopen() {
    Set<Long> numbers = new HashSet<>();
    for (int i = 0; i < 3; i++) {
      for (int j = 0; j < 50; j++) {
        assertThat(
                numbers.add(
                    EngineFixture.await(
                        fixture().engine().newSpace(SpaceKind.TABLE, Deadline.NEVER))))
            .isTrue();
      }
      fixture().reopen();
    }
  }

  @Test
  default void reclaimingGoesOnAfterAReopen() {
    List<Partition> dropped = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      Partition partition = fixture().newPartition();
      fixture().fill(partition, 1_500, bytes("v"));
      dropped.add(partition);
    }
    Partition kept = fixture().newPartition();
    fixture().fill(kept, 100, bytes("v"));
    fixture()
        .transact(
            HOME,
            view -> {
              dropped.forEach(partition -> view.drop(partition.space()));
              return null;
            });
    fixture().reopen();
    for (Partition partition : dropped) {
      await().until(() -> fixture().storedRecords(partition.space()) == 0);
    }
    assertThat(fixture().scan(kept)).hasSize(100);
    assertThat(fixture().scan(HOME)).isEmpty();
  }

  @Test
  default void aDropThatWasUndoneIsNotReclaimedAfterAReopen() {
    Partition partition = fixture().newPartition();
    fixture().fill(partition, 10, bytes("v"));
    CompletableFuture<Object> undone =
        fixture()
            .submit(
                HOME,
                view -> {
                  view.drop(partition.space());
                  throw new IllegalStateException("on purpose");
                });
    assertThat(undone).failsWithin(Duration.ofSeconds(30));
    fixture().reopen();
    Space other = fixture().newTable();
    fixture().drop(other);
    assertThat(fixture().scan(partition.space(), List.of(KeyRange.ALL), Direction.FORWARD))
        .hasSize(10);
  }
}
