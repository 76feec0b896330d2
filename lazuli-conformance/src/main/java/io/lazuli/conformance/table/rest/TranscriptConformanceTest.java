package io.lazuli.conformance.table.rest;

import io.lazuli.conformance.Area;
import io.lazuli.conformance.Covers;
import io.lazuli.conformance.Documented;
import io.lazuli.conformance.table.ScratchTable;
import io.lazuli.conformance.wire.TranscriptCases;
import io.lazuli.conformance.wire.TranscriptPlayer;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Conversations from {@code transcripts/*.http}, one case for each exchange. */
@Covers(Area.OPERATIONS)
class TranscriptConformanceTest {

  @TestFactory
  @Documented("table-rest 13")
  Stream<DynamicTest> workedExamples() {
    return TranscriptCases.of("worked-examples.http", player());
  }

  @TestFactory
  @Documented("table-rest 12")
  Stream<DynamicTest> otherClients() {
    return TranscriptCases.of("other-clients.http", player());
  }

  private static TranscriptPlayer player() {
    return ScratchTable.named(ScratchTable.freshName()).transcriptPlayer();
  }
}
