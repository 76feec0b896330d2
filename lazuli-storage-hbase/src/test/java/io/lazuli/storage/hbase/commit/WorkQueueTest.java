package io.lazuli.storage.hbase.commit;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.storage.engine.LaneQueue.Admission;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** Operations whose weight is their value. */
class WorkQueueTest {
  private final WorkQueue<Integer> queue = new WorkQueue<>(3, 100, Integer::longValue);

  @Test
  void operationsAreTakenInOrder() {
    queue.offer(1);
    queue.offer(2);
    assertThat(queue.take()).isEqualTo(1);
    assertThat(queue.take()).isEqualTo(2);
  }

  @Test
  void operationsAreBounded() {
    for (int i = 0; i < 3; i++) {
      assertThat(queue.offer(i)).isEqualTo(Admission.TAKEN);
    }
    assertThat(queue.offer(4)).isEqualTo(Admission.FULL);
  }

  @Test
  void bytesAreBounded() {
    assertThat(queue.offer(60)).isEqualTo(Admission.TAKEN);
    assertThat(queue.offer(41)).isEqualTo(Admission.FULL);
    assertThat(queue.offer(40)).isEqualTo(Admission.TAKEN);
  }

  @Test
  void aTakenOperationCountsUntilItIsReleased() {
    queue.offer(100);
    Integer taken = queue.take();
    assertThat(queue.offer(1)).isEqualTo(Admission.FULL);
    assertThat(queue.size()).isEqualTo(1);
    queue.release(taken);
    assertThat(queue.size()).isZero();
    assertThat(queue.offer(1)).isEqualTo(Admission.TAKEN);
  }

  @Test
  void aClosedQueueHandsOutItsOperationsAndAcceptsNone() {
    queue.offer(1);
    queue.close();
    assertThat(queue.offer(2)).isEqualTo(Admission.CLOSED);
    assertThat(queue.take()).isEqualTo(1);
    assertThat(queue.take()).isNull();
  }

  @Test
  void aWaitingThreadIsWokenByAnOfferAndByClose() throws Exception {
    assertThat(takenAfter(() -> queue.offer(5))).isEqualTo(5);
    assertThat(takenAfter(queue::close)).isEqualTo(-1);
  }

  private int takenAfter(Runnable then) throws Exception {
    CompletableFuture<Integer> taken = new CompletableFuture<>();
    Thread thread =
        new Thread(
            () -> {
              Integer got = queue.take();
              taken.complete(got == null ? -1 : got);
            });
    thread.start();
    Awaitility.await().until(() -> thread.getState() == Thread.State.WAITING);
    then.run();
    return taken.get(10, TimeUnit.SECONDS);
  }
}
