package io.lazuli.conformance.queue.rest;

import io.lazuli.conformance.Area;
import io.lazuli.conformance.Covers;
import io.lazuli.conformance.Differs;
import io.lazuli.conformance.Documented;
import io.lazuli.conformance.StorageService;
import io.lazuli.conformance.queue.ScratchQueue;
import io.lazuli.conformance.wire.TranscriptCases;
import io.lazuli.conformance.wire.TranscriptPlayer;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** The worked examples and the requests of other clients, byte by byte. */
@Covers(value = Area.OPERATIONS, service = StorageService.QUEUE)
@Differs("Azurite 3.37.0 writes another XML declaration")
class QueueTranscriptConformanceTest {

  @TestFactory
  @Documented("queue-rest 13")
  Stream<DynamicTest> workedExamples() {
    return TranscriptCases.of("queue-worked-examples.http", player());
  }

  @TestFactory
  @Documented("queue-rest 11")
  Stream<DynamicTest> otherClients() {
    return TranscriptCases.of("queue-other-clients.http", player());
  }

  private static TranscriptPlayer player() {
    return ScratchQueue.named(ScratchQueue.freshName()).transcriptPlayer();
  }
}
