package io.lazuli.storage.hbase.commit;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.storage.Bytes;
import io.lazuli.storage.Partition;
import io.lazuli.storage.Space;
import io.lazuli.storage.hbase.commit.ContendedQueues.Place;
import org.junit.jupiter.api.Test;

class ContendedQueuesTest {
  private static final Partition CONTENDED = partition('a');
  private static final Partition QUIET = partition('b');

  private final ContendedQueues<String> queues = new ContendedQueues<>();

  @Test
  void withoutAQueueNothingWaits() {
    assertThat(queues.add(QUIET, "one")).isEqualTo(Place.NONE);
    assertThat(queues.next(QUIET)).isNull();
  }

  @Test
  void onlyOneOwnsAQueue() {
    assertThat(queues.open(CONTENDED)).isTrue();
    assertThat(queues.open(CONTENDED)).isFalse();
    assertThat(queues.open(QUIET)).isTrue();
  }

  @Test
  void theOwnerReceivesWaitingOperationsInOrder() {
    queues.open(CONTENDED);
    assertThat(queues.add(CONTENDED, "one")).isEqualTo(Place.QUEUED);
    assertThat(queues.add(CONTENDED, "two")).isEqualTo(Place.QUEUED);
    assertThat(queues.add(QUIET, "other")).isEqualTo(Place.NONE);
    assertThat(queues.next(CONTENDED)).isEqualTo("one");
    assertThat(queues.next(CONTENDED)).isEqualTo("two");
  }

  @Test
  void aQueueEndsWhenNothingWaits() {
    queues.open(CONTENDED);
    queues.add(CONTENDED, "one");
    queues.next(CONTENDED);
    assertThat(queues.open(CONTENDED)).as("while its last is run").isFalse();
    assertThat(queues.next(CONTENDED)).isNull();
    assertThat(queues.add(CONTENDED, "late")).isEqualTo(Place.NONE);
    assertThat(queues.open(CONTENDED)).isTrue();
  }

  @Test
  void aQueueIsBounded() {
    queues.open(CONTENDED);
    for (int i = 0; i < ContendedQueues.QUEUED_MAX; i++) {
      assertThat(queues.add(CONTENDED, "one")).isEqualTo(Place.QUEUED);
    }
    assertThat(queues.add(CONTENDED, "more")).isEqualTo(Place.FULL);
    queues.next(CONTENDED);
    assertThat(queues.add(CONTENDED, "more")).isEqualTo(Place.QUEUED);
  }

  private static Partition partition(char name) {
    return new Partition(Space.CATALOGUE, Bytes.of(new byte[] {(byte) name}));
  }
}
