package io.lazuli.conformance.host;

import static io.lazuli.conformance.wire.AnswerAssert.expect;
import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.conformance.Area;
import io.lazuli.conformance.Covers;
import io.lazuli.conformance.Documented;
import io.lazuli.conformance.StorageService;
import io.lazuli.conformance.queue.QueueMessage;
import io.lazuli.conformance.queue.ScratchQueue;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The control queues of a task hub: a worker takes many messages at once and returns those it
 * cannot process yet.
 */
@Covers(value = Area.OPERATIONS, service = StorageService.QUEUE)
@Documented("Azure/durabletask DurableTask.AzureStorage/Storage/Queue.cs")
class DurableFunctionsQueuesConformanceTest {

  /** The defaults of AzureStorageOrchestrationServiceSettings.cs. */
  private static final String BATCH = "numofmessages=32&visibilitytimeout=300";

  private final ScratchQueue queue = ScratchQueue.create();

  @Test
  void everyWorkerCreatesTheQueues() {
    expect(queue.wire().request("PUT", queue.path()).send()).status(204);
  }

  @Test
  @Documented("Azure/durabletask DurableTask.AzureStorage/Messaging/ControlQueue.cs")
  void aBatchIsTakenWhole() {
    for (int i = 0; i < 5; i++) {
      queue.added("{\"SequenceNumber\":" + i + "}");
    }
    List<QueueMessage> batch = queue.taken(BATCH);
    assertThat(batch)
        .allMatch(message -> !message.element("InsertionTime").isEmpty())
        .extracting(QueueMessage::text)
        .containsExactlyInAnyOrderElementsOf(
            List.of(0, 1, 2, 3, 4).stream().map("{\"SequenceNumber\":%d}"::formatted).toList());
    assertThat(queue.taken(BATCH)).isEmpty();
  }

  @Test
  void aMessageThatDoesNotFitIsPutOffAndStillCounted() {
    queue.added("later");
    QueueMessage taken = queue.takenOne(BATCH);
    expect(queue.update(taken.id(), taken.receipt(), 30).send())
        .status(204)
        .hasHeader("x-ms-popreceipt");
    assertThat(queue.peeked()).isEmpty();
    assertThat(queue.count()).isEqualTo(1);
  }

  @Test
  void aTimerIsAMessageThatCannotBeSeenYet() {
    queue.added("timer", "visibilitytimeout=300");
    queue.added("now");
    assertThat(queue.peeked()).extracting(QueueMessage::text).containsExactly("now");
  }
}
