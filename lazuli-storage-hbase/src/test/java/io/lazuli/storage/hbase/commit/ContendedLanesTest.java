package io.lazuli.storage.hbase.commit;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.storage.Bytes;
import io.lazuli.storage.Partition;
import io.lazuli.storage.Space;
import org.junit.jupiter.api.Test;

class ContendedLanesTest {
  private static final Partition CONTENDED = partition('a');
  private static final Partition QUIET = partition('b');

  private final ContendedLanes<String> lanes = new ContendedLanes<>();

  @Test
  void withoutALaneNothingWaits() {
    assertThat(lanes.queue(QUIET, "one")).isFalse();
    assertThat(lanes.next(QUIET)).isNull();
  }

  @Test
  void onlyOneOwnsALane() {
    assertThat(lanes.open(CONTENDED)).isTrue();
    assertThat(lanes.open(CONTENDED)).isFalse();
    assertThat(lanes.open(QUIET)).isTrue();
  }

  @Test
  void theOwnerReceivesWaitingOperationsInOrder() {
    lanes.open(CONTENDED);
    assertThat(lanes.queue(CONTENDED, "one")).isTrue();
    assertThat(lanes.queue(CONTENDED, "two")).isTrue();
    assertThat(lanes.queue(QUIET, "other")).isFalse();
    assertThat(lanes.next(CONTENDED)).isEqualTo("one");
    assertThat(lanes.next(CONTENDED)).isEqualTo("two");
  }

  @Test
  void aLaneEndsWhenNothingWaits() {
    lanes.open(CONTENDED);
    lanes.queue(CONTENDED, "one");
    lanes.next(CONTENDED);
    assertThat(lanes.open(CONTENDED)).as("while its last is run").isFalse();
    assertThat(lanes.next(CONTENDED)).isNull();
    assertThat(lanes.queue(CONTENDED, "late")).isFalse();
    assertThat(lanes.open(CONTENDED)).isTrue();
  }

  private static Partition partition(char name) {
    return new Partition(Space.CATALOGUE, Bytes.of(new byte[] {(byte) name}));
  }
}
