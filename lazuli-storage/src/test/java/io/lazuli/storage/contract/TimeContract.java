package io.lazuli.storage.contract;

import static io.lazuli.storage.contract.EngineFixture.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.storage.Deadline;
import io.lazuli.storage.Partition;
import io.lazuli.storage.Space;
import io.lazuli.storage.SpaceKind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;

/** Time and numbers: neither repeats, and time never goes back, even if the clock does. */
interface TimeContract extends EngineUnderTest {
  @Test
  default void timestampsOfARowRiseWhileTheClockStands() {
    Partition partition = fixture().newPartition();
    List<Long> times = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      times.add(timestampOf(partition));
      times.add(timestampOf(partition));
    }
    assertThat(times).isSorted().doesNotHaveDuplicates();
  }

  @Test
  default void timestampsFollowTheClock() {
    Partition partition = fixture().newPartition();
    fixture().clock().move(Duration.ofMinutes(1));
    assertThat(timestampOf(partition)).isGreaterThanOrEqualTo(fixture().clock().getAsLong());
  }

  @Test
  default void aTimestampNeverRepeatsWhenTheClockGoesBackBetweenDeleteAndInsert() {
    Partition partition = fixture().newPartition();
    long first = timestampOf(partition);
    fixture().put(partition, "row", "1");
    fixture().delete(partition, bytes("row"));
    fixture().clock().move(Duration.ofHours(-1));
    assertThat(timestampOf(partition)).isGreaterThan(first);
  }

  @Test
  default void nowNeverGoesBack() {
    long first = fixture().engine().now();
    fixture().clock().move(Duration.ofHours(-1));
    assertThat(fixture().engine().now()).isGreaterThanOrEqualTo(first);
    fixture().clock().move(Duration.ofHours(2));
    assertThat(fixture().engine().now()).isEqualTo(fixture().clock().getAsLong());
  }

  @Test
  default void nowNeverGoesBackOnAnyThreadWhileTheClockJumps() {
    fixture().engine();
    Race.run(
        3,
        thread ->
            () -> {
              long last = 0;
              for (int i = 0; i < 2_000; i++) {
                fixture().clock().move(Duration.ofMillis(i % 2 == 0 ? 5 : -5));
                long now = fixture().engine().now();
                assertThat(now).isGreaterThanOrEqualTo(last);
                last = now;
              }
            });
  }

  @Test
  default void numbersOfSpacesNeverRepeat() {
    fixture().engine();
    Set<Long> numbers = ConcurrentHashMap.newKeySet();
    Race.run(
        4,
        thread ->
            () -> {
              for (int i = 0; i < 300; i++) {
                assertThat(
                        numbers.add(
                            EngineFixture.await(
                                fixture().engine().newSpace(SpaceKind.TABLE, Deadline.NEVER))))
                    .isTrue();
              }
            });
    assertThat(numbers).hasSize(1_200).doesNotContain(0L);
  }

  @Test
  default void aNumberIsItsKindAndACounterWithItsBitsReversed() {
    Set<Long> counters = new HashSet<>();
    for (SpaceKind kind :
        List.of(SpaceKind.TABLE, SpaceKind.QUEUE, SpaceKind.CONTAINER, SpaceKind.CHUNKS)) {
      long number = EngineFixture.await(fixture().engine().newSpace(kind, Deadline.NEVER));
      long counter = Long.reverse(number << 4);
      assertThat(number >>> 60).isEqualTo(kind.code());
      assertThat(number).isEqualTo(Space.number(kind, counter));
      assertThat(counter).as("a counter that began near zero").isBetween(0L, 1L << 32);
      assertThat(counters.add(counter)).isTrue();
    }
  }

  private long timestampOf(Partition partition) {
    return fixture().<Long>transact(partition, view -> view.timestamp(bytes("row")));
  }
}
