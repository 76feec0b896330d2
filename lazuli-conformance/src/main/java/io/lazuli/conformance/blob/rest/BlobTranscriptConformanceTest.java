package io.lazuli.conformance.blob.rest;

import io.lazuli.conformance.Area;
import io.lazuli.conformance.Covers;
import io.lazuli.conformance.Documented;
import io.lazuli.conformance.StorageService;
import io.lazuli.conformance.blob.ScratchContainer;
import io.lazuli.conformance.wire.TranscriptCases;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** The worked examples, byte by byte. */
@Covers(value = Area.OPERATIONS, service = StorageService.BLOB)
class BlobTranscriptConformanceTest {

  @TestFactory
  @Documented("blob-rest 19")
  Stream<DynamicTest> workedExamples() {
    ScratchContainer container = ScratchContainer.named(ScratchContainer.freshName());
    return TranscriptCases.of("blob-worked-examples.http", container.transcriptPlayer());
  }
}
