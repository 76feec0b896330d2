package io.lazuli.conformance.host;

import io.lazuli.conformance.Area;
import io.lazuli.conformance.Covers;
import io.lazuli.conformance.Documented;
import io.lazuli.conformance.SeenOn;
import io.lazuli.conformance.StorageService;
import io.lazuli.conformance.queue.ScratchQueue;
import io.lazuli.conformance.wire.TranscriptCases;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** The commands of the Azure CLI for queues, as its own tests recorded them. */
@Covers(value = Area.OPERATIONS, service = StorageService.QUEUE)
class AzCliQueuesConformanceTest {

  @TestFactory
  @SeenOn(value = SeenOn.Service.AZURE, date = "2022-02-23")
  @Documented(
      "Azure/azure-cli storage/tests/latest/recordings/test_storage_queue_general_scenario.yaml")
  Stream<DynamicTest> recordedCommands() {
    ScratchQueue queue = ScratchQueue.named(ScratchQueue.freshName());
    return TranscriptCases.of("az-cli-queue.http", queue.transcriptPlayer());
  }
}
