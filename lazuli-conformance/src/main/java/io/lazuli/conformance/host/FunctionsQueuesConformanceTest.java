package io.lazuli.conformance.host;

import static io.lazuli.conformance.wire.AnswerAssert.expect;
import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.conformance.Area;
import io.lazuli.conformance.Covers;
import io.lazuli.conformance.Documented;
import io.lazuli.conformance.StorageService;
import io.lazuli.conformance.queue.QueueMessage;
import io.lazuli.conformance.queue.ScratchQueue;
import io.lazuli.conformance.wire.WireAnswer;
import org.junit.jupiter.api.Test;

/**
 * The queue trigger of Azure Functions with its defaults: it takes 16 messages for ten minutes, and
 * moves a message to the poison queue after five runs.
 */
@Covers(value = Area.CONCURRENCY, service = StorageService.QUEUE)
@Documented("Azure/azure-sdk-for-net Storage.Common/src/Shared/Queues/QueueProcessor.cs")
class FunctionsQueuesConformanceTest {

  /** The text of a message, in Base64, which the host uses by default. */
  private static final String TEXT = "dGV4dA==";

  private static final String BATCH = "numofmessages=16&visibilitytimeout=600";

  private final ScratchQueue queue = ScratchQueue.create();

  @Test
  @Covers(Area.OPERATIONS)
  @Documented("Azure/azure-sdk-for-net Storage.Common/src/Shared/Queues/QueueListener.cs")
  void theListenerWaitsForItsQueue() {
    ScratchQueue missing = ScratchQueue.named(ScratchQueue.freshName());
    expect(missing.metadata().send()).error(404, "QueueNotFound");
    expect(missing.get(BATCH).send()).error(404, "QueueNotFound");
    expect(queue.metadata().send()).status(200).header("x-ms-approximate-messages-count", "0");
    assertThat(queue.taken(BATCH)).isEmpty();
  }

  @Test
  @Documented("Azure/azure-sdk-for-net Storage.Common UpdateQueueMessageVisibilityCommand.cs")
  void aLongRunIsExtendedAndItsNewReceiptCounts() {
    queue.added(TEXT);
    QueueMessage taken = queue.takenOne(BATCH);
    WireAnswer extended = queue.update(taken.id(), taken.receipt(), 600).send();
    expect(extended).status(204).hasHeader("x-ms-popreceipt").hasHeader("x-ms-time-next-visible");
    String receipt = extended.header("x-ms-popreceipt").orElse("");
    // Both codes tell the host that another host has the message.
    assertThat(queue.update(taken.id(), taken.receipt(), 600).send().errorCode())
        .isIn("PopReceiptMismatch", "MessageNotFound");
    assertThat(queue.delete(taken.id(), taken.receipt()).send().errorCode())
        .isIn("PopReceiptMismatch", "MessageNotFound");
    expect(queue.delete(taken.id(), receipt).send()).status(204);
    expect(queue.delete(taken.id(), receipt).send()).error(404, "MessageNotFound");
  }

  @Test
  void aFailedRunGivesTheMessageBackAtOnce() {
    queue.added(TEXT);
    QueueMessage first = queue.takenOne(BATCH);
    expect(queue.update(first.id(), first.receipt(), 0).send()).status(204);
    QueueMessage second = queue.takenOne(BATCH);
    assertThat(second.id()).isEqualTo(first.id());
    assertThat(second.dequeueCount()).isEqualTo(2);
    assertThat(second.text()).isEqualTo(TEXT);
  }

  @Test
  @Documented("Azure/azure-sdk-for-net Storage.Common QueueProcessor.cs, StorageQueueExtensions.cs")
  void afterFiveRunsTheMessageGoesToAQueueThatIsMadeForIt() {
    queue.added(TEXT);
    for (int i = 1; i < 5; i++) {
      QueueMessage failed = queue.takenOne(BATCH);
      expect(queue.update(failed.id(), failed.receipt(), 0).send()).status(204);
    }
    QueueMessage last = queue.takenOne(BATCH);
    assertThat(last.dequeueCount()).isEqualTo(5);
    ScratchQueue poison = ScratchQueue.named(queue.name() + "-poison");
    expect(poison.put(last.text(), "").send()).error(404, "QueueNotFound");
    expect(poison.wire().request("PUT", poison.path()).send()).status(201);
    poison.added(last.text());
    expect(queue.delete(last.id(), last.receipt()).send()).status(204);
    assertThat(queue.count()).isZero();
    assertThat(poison.takenOne("").text()).isEqualTo(TEXT);
  }
}
