package io.lazuli.server.queue.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lazuli.server.error.CommonErrors;
import io.lazuli.server.error.ServiceException;
import io.lazuli.server.queue.model.QueueMessage;
import io.lazuli.storage.StorageException.Kind;
import io.lazuli.storage.contract.ManualClock;
import io.lazuli.storage.faults.FaultyEngine;
import io.lazuli.storage.faults.FaultyEngine.Call;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A write that is not known to have failed may have taken place; later operations find it. */
class QueueFaultTest {
  private static final String QUEUE = "work";

  private final ManualClock clock = new ManualClock();
  private final FaultyEngine engine =
      new FaultyEngine(QueueUnderTest.open("memory", Path.of("unused"), clock));
  private final QueueUnderTest queues = new QueueUnderTest(engine);

  @BeforeEach
  void create() {
    queues.create(QUEUE);
  }

  @AfterEach
  void close() {
    engine.close();
  }

  @Test
  void aPutWhoseReplyWasLostIsFoundByTheNextGet() {
    clock.move(Duration.ofSeconds(-10));
    assertThat(queues.get(QUEUE, 1, 1)).isEmpty();
    engine.failNext(Call.TRANSACT_REPLY, Kind.UNKNOWN_OUTCOME);
    timesOut(() -> queues.put(QUEUE, "a", -1, 0));
    clock.move(Duration.ofSeconds(20));
    assertThat(queues.get(QUEUE, 1, 1)).hasSize(1);
  }

  @Test
  void aGetWhoseReplyWasLostHidesItsMessageUntilThePeriodEnds() {
    queues.put(QUEUE, "a", -1, 0);
    engine.failNext(Call.TRANSACT_REPLY, Kind.UNKNOWN_OUTCOME);
    timesOut(() -> queues.get(QUEUE, 1, 30));
    assertThat(queues.get(QUEUE, 1, 30)).isEmpty();
    clock.move(Duration.ofSeconds(31));
    assertThat(queues.get(QUEUE, 1, 30))
        .singleElement()
        .satisfies(message -> assertThat(message.dequeueCount()).isEqualTo(2));
  }

  @Test
  void aSweepThatFailsHidesNothing() {
    queues.put(QUEUE, "gone", 1, 0);
    QueueMessage kept = queues.put(QUEUE, "kept", -1, 0);
    clock.move(Duration.ofSeconds(5));
    engine.failNext(Call.TRANSACT, Kind.UNAVAILABLE);
    assertThat(queues.get(QUEUE, 32, 1)).extracting(QueueMessage::id).containsExactly(kept.id());
    assertThat(queues.count(QUEUE)).isEqualTo(1);
  }

  @Test
  void aFullEngineIsBusy() {
    engine.failNext(Call.TRANSACT, Kind.UNAVAILABLE);
    assertThatThrownBy(() -> queues.put(QUEUE, "a", -1, 0))
        .isInstanceOfSatisfying(
            ServiceException.class, e -> assertThat(e.error()).isEqualTo(CommonErrors.SERVER_BUSY));
    assertThat(queues.count(QUEUE)).isZero();
  }

  @Test
  void aQueueThatIsAskedTooOftenIsBusyAndOthersAreNot() {
    QueueUnderTest limited = new QueueUnderTest(engine, 5);
    limited.create("other");
    for (int i = 0; i < 3; i++) {
      limited.put(QUEUE, "a", -1, 0);
    }
    assertThat(limited.get(QUEUE, 32, 1)).hasSize(3);
    assertThatThrownBy(() -> limited.get(QUEUE, 1, 1))
        .isInstanceOfSatisfying(
            ServiceException.class, e -> assertThat(e.error()).isEqualTo(CommonErrors.SERVER_BUSY));
    limited.put("other", "a", -1, 0);
  }

  private static void timesOut(Runnable work) {
    assertThatThrownBy(work::run)
        .isInstanceOfSatisfying(
            ServiceException.class,
            e -> assertThat(e.error()).isEqualTo(CommonErrors.OPERATION_TIMED_OUT));
  }
}
