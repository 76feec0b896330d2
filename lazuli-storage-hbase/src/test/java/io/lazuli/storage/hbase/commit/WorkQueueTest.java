package io.lazuli.storage.hbase.commit;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.storage.engine.LaneQueue.Admission;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** Operations whose weight is their value. At most two run at the same time. */
class WorkQueueTest {
  private final WorkQueue<Integer> queue = new WorkQueue<>(3, 100, 2, Integer::longValue);

  @Test
  void operationsAreTakenInOrder() {
    queue.offer(1);
    queue.offer(2);
    assertThat(queue.take()).isEqualTo(1);
    assertThat(queue.take()).isEqualTo(2);
    assertThat(queue.take()).isNull();
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
  void anOperationWaitsUntilItIsStarted() {
    queue.offer(1);
    queue.offer(1);
    queue.offer(1);
    queue.take();
    assertThat(queue.size()).isEqualTo(3);
    assertThat(queue.offer(1)).isEqualTo(Admission.FULL);
    queue.started();
    assertThat(queue.size()).isEqualTo(2);
    assertThat(queue.offer(1)).isEqualTo(Admission.TAKEN);
  }

  @Test
  void theBytesOfAnOperationCountUntilItsEnd() {
    queue.offer(100);
    Integer taken = queue.take();
    queue.started();
    assertThat(queue.offer(1)).isEqualTo(Admission.FULL);
    queue.ended(taken);
    assertThat(queue.offer(1)).isEqualTo(Admission.TAKEN);
  }

  @Test
  void runningOperationsAreBounded() {
    queue.offer(1);
    queue.offer(2);
    queue.offer(3);
    queue.take();
    queue.take();
    assertThat(queue.take()).isNull();
    queue.free();
    assertThat(queue.take()).isEqualTo(3);
  }

  @Test
  void aClosedQueueHandsOutItsOperationsAndAcceptsNone() throws Exception {
    queue.offer(1);
    queue.close();
    assertThat(queue.offer(2)).isEqualTo(Admission.CLOSED);
    CountDownLatch idle = new CountDownLatch(1);
    Thread closing =
        new Thread(
            () -> {
              queue.awaitIdle();
              idle.countDown();
            });
    closing.start();
    Awaitility.await().until(() -> closing.getState() == Thread.State.WAITING);
    assertThat(queue.take()).isEqualTo(1);
    queue.started();
    queue.free();
    assertThat(idle.await(10, TimeUnit.SECONDS)).isTrue();
  }
}
