package io.lazuli.storage.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.storage.contract.Race;
import io.lazuli.storage.engine.LaneQueue.Admission;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class LaneQueueTest {
  @Test
  void operationsComeOutInOrderAndUpToTheBoundsOfADrain() {
    LaneQueue<Long> queue = new LaneQueue<>(100, 100, Long::longValue);
    for (long weight = 1; weight <= 6; weight++) {
      assertThat(queue.offer(weight)).isEqualTo(Admission.TAKEN);
    }
    assertThat(queue.drain(2, 100)).containsExactly(1L, 2L);
    assertThat(queue.drain(100, 7)).containsExactly(3L, 4L);
    assertThat(queue.drain(100, 1)).containsExactly(5L);
    assertThat(queue.size()).isEqualTo(1);
  }

  @Test
  void takingAnElementMakesRoom() {
    LaneQueue<Long> queue = new LaneQueue<>(2, 10, Long::longValue);
    assertThat(queue.offer(11L)).isEqualTo(Admission.FULL);
    assertThat(queue.offer(6L)).isEqualTo(Admission.TAKEN);
    assertThat(queue.offer(5L)).isEqualTo(Admission.FULL);
    assertThat(queue.offer(4L)).isEqualTo(Admission.TAKEN);
    assertThat(queue.offer(0L)).isEqualTo(Admission.FULL);
    queue.drain(1, 100);
    assertThat(queue.offer(6L)).isEqualTo(Admission.TAKEN);
  }

  @Test
  void aClosedQueueIsDrainedAndThenEmpty() {
    LaneQueue<Long> queue = new LaneQueue<>(2, 10, Long::longValue);
    queue.offer(1L);
    queue.close();
    queue.close();
    assertThat(queue.offer(1L)).isEqualTo(Admission.CLOSED);
    assertThat(queue.drain(10, 10)).containsExactly(1L);
    assertThat(queue.drain(10, 10)).isEmpty();
  }

  /**
   * Offers, refusals, drains and a close at the same time: each accepted operation is drained once.
   */
  @Test
  void nothingThatWasTakenIsLostWhileTheQueueCloses() {
    for (int round = 0; round < 50; round++) {
      LaneQueue<Long> queue = new LaneQueue<>(64, 1_000, weight -> weight % 30);
      AtomicLong taken = new AtomicLong();
      List<Long> drained = new ArrayList<>();
      Race.run(
          4,
          thread ->
              () -> {
                if (thread == 0) {
                  drainAll(queue, drained);
                } else {
                  offerAll(queue, thread, taken);
                }
              });
      assertThat(drained).hasSize((int) taken.get()).doesNotHaveDuplicates();
      assertThat(queue.size()).isZero();
    }
  }

  private static void drainAll(LaneQueue<Long> queue, List<Long> drained) {
    List<Long> some;
    do {
      some = queue.drain(16, 200);
      drained.addAll(some);
    } while (!some.isEmpty());
  }

  private static void offerAll(LaneQueue<Long> queue, int thread, AtomicLong taken) {
    for (long i = 0; i < 1_000; i++) {
      if (thread == 1 && i == 700) {
        queue.close();
      }
      if (queue.offer(thread * 10_000L + i) == Admission.TAKEN) {
        taken.incrementAndGet();
      }
    }
  }
}
