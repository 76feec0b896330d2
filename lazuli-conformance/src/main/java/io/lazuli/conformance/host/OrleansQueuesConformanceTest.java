package io.lazuli.conformance.host;

import static io.lazuli.conformance.wire.AnswerAssert.expect;
import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.conformance.Area;
import io.lazuli.conformance.Covers;
import io.lazuli.conformance.Documented;
import io.lazuli.conformance.StorageService;
import io.lazuli.conformance.queue.QueueMessage;
import io.lazuli.conformance.queue.ScratchQueue;
import org.junit.jupiter.api.Test;

/** The queues of Orleans streams. Orleans accepts that a message or queue is already gone. */
@Covers(value = Area.OPERATIONS, service = StorageService.QUEUE)
@Documented("dotnet/orleans Orleans.Streaming.AzureStorage/Storage/AzureQueueDataManager.cs")
class OrleansQueuesConformanceTest {

  private final ScratchQueue queue = ScratchQueue.create();

  @Test
  void everySiloCreatesTheQueue() {
    expect(queue.wire().request("PUT", queue.path()).send()).status(204);
  }

  @Test
  void aMessageIsPeekedTakenAndDeleted() {
    queue.added("AAEC");
    assertThat(queue.taken("peekonly=true&numofmessages=1")).hasSize(1);
    QueueMessage taken = queue.takenOne("numofmessages=1");
    assertThat(queue.count()).isEqualTo(1);
    expect(queue.delete(taken.id(), taken.receipt()).send()).status(204);
    expect(queue.delete(taken.id(), taken.receipt()).send()).error(404, "MessageNotFound");
  }

  @Test
  void aQueueIsClearedAndDeletedWhetherItIsThereOrNot() {
    queue.added("AAEC");
    expect(queue.wire().delete(queue.messages("")).send()).status(204);
    assertThat(queue.count()).isZero();
    expect(queue.wire().delete(queue.path()).send()).status(204);
    expect(queue.wire().delete(queue.messages("")).send()).error(404, "QueueNotFound");
    expect(queue.wire().delete(queue.path()).send()).error(404, "QueueNotFound");
  }
}
