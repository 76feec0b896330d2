package io.lazuli.server.blob.service;

import static io.lazuli.server.blob.service.BlobsUnderTest.at;
import static io.lazuli.server.blob.service.BlobsUnderTest.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.server.blob.garbage.BlobCollector;
import io.lazuli.server.blob.page.SequenceConditions;
import io.lazuli.server.blob.request.ByteRange;
import io.lazuli.server.blob.request.RequestTerms;
import io.lazuli.server.blob.service.BlobOperation.ChangePageBlob;
import io.lazuli.server.blob.service.BlobOperation.ClearPages;
import io.lazuli.server.blob.service.BlobOperation.CreatePageBlob;
import io.lazuli.server.blob.service.BlobOperation.PutPages;
import io.lazuli.server.error.CommonErrors;
import io.lazuli.server.error.ServiceError;
import io.lazuli.storage.StorageException.Kind;
import io.lazuli.storage.Ticks;
import io.lazuli.storage.faults.FaultyEngine;
import io.lazuli.storage.faults.FaultyEngine.Call;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Lets operations on pages fail at each of their steps. The blob is as before or as after, and the
 * collector of the next process leaves nothing behind.
 */
class PageBlobFaultTest {
  private static final int LENGTH = 512 * 1_000;

  /** More steps than any of the operations takes. */
  private static final int STEPS_MAX = 6;

  private final AtomicLong clock = new AtomicLong(Ticks.of(Instant.parse("2026-03-01T12:00:00Z")));

  /** The operations that change pages. */
  enum Operation {
    WRITE(blobs -> write(blobs, "disk", 512 * 100, bytes(512 * 60, 3))),
    WRITE_CHUNK(blobs -> write(blobs, "disk", 512 * 100, bytes(512 * 400, 4))),
    CLEAR(
        blobs ->
            blobs.run(
                new ClearPages(
                    at("disk"),
                    new ByteRange(512, LENGTH - 513),
                    SequenceConditions.NONE,
                    RequestTerms.NONE))),
    SHRINK(blobs -> blobs.run(new ChangePageBlob(at("disk"), 512L, null, null, RequestTerms.NONE))),
    COPY(blobs -> blobs.copy("other", null, "disk"));

    @SuppressWarnings("ImmutableEnumChecker") // It has no state.
    private final Consumer<BlobsUnderTest> work;

    Operation(Consumer<BlobsUnderTest> work) {
      this.work = work;
    }
  }

  @ParameterizedTest
  @EnumSource
  void aBlobIsAsBeforeIfAnyStepFails(Operation operation) {
    byte[] before = content(null);
    byte[] after = content(operation);
    int failed = 0;
    for (int step = 0; step < STEPS_MAX; step++) {
      try (FaultyEngine engine = open()) {
        BlobsUnderTest blobs = prepared(engine);
        engine.passNext(Call.TRANSACT, step);
        engine.failNext(Call.TRANSACT, Kind.UNAVAILABLE);
        ServiceError refusal = BlobsUnderTest.refusal(() -> operation.work.accept(blobs));
        engine.failNoMore();
        assertThat(blobs.get("disk")).isEqualTo(refusal == null ? after : before);
        failed += CommonErrors.SERVER_BUSY.equals(refusal) ? 1 : 0;
        collectAfterRestart(engine);
        assertThat(blobs.get("disk")).isEqualTo(refusal == null ? after : before);
      }
    }
    assertThat(failed).isBetween(1, STEPS_MAX - 1);
  }

  @ParameterizedTest
  @EnumSource
  void aBlobIsWholeIfAReplyIsLost(Operation operation) {
    byte[] before = content(null);
    byte[] after = content(operation);
    for (int step = 0; step < STEPS_MAX; step++) {
      try (FaultyEngine engine = open()) {
        BlobsUnderTest blobs = prepared(engine);
        engine.passNext(Call.TRANSACT_REPLY, step);
        engine.failNext(Call.TRANSACT_REPLY, Kind.UNKNOWN_OUTCOME);
        ServiceError refusal = BlobsUnderTest.refusal(() -> operation.work.accept(blobs));
        engine.failNoMore();
        byte[] content = blobs.get("disk");
        assertThat(content).isIn(before, after);
        assertThat(refusal).isIn(null, CommonErrors.OPERATION_TIMED_OUT);
        collectAfterRestart(engine);
        assertThat(blobs.get("disk")).isEqualTo(content);
      }
    }
  }

  /** Returns the content after an operation. */
  private byte[] content(@Nullable Operation operation) {
    try (FaultyEngine engine = open()) {
      BlobsUnderTest blobs = prepared(engine);
      if (operation != null) {
        operation.work.accept(blobs);
      }
      return blobs.get("disk");
    }
  }

  private FaultyEngine open() {
    return new FaultyEngine(BlobsUnderTest.engine("memory", Path.of("unused"), clock::get));
  }

  private static BlobsUnderTest prepared(FaultyEngine engine) {
    BlobsUnderTest blobs = BlobsUnderTest.withContainer(engine);
    for (String name : new String[] {"disk", "other"}) {
      blobs.run(
          new CreatePageBlob(at(name), BlobsUnderTest.settings(), RequestTerms.NONE, LENGTH, 0));
    }
    write(blobs, "disk", 0, bytes(LENGTH, 1));
    write(blobs, "disk", 512 * 7, bytes(512 * 9, 5));
    write(blobs, "other", 512 * 300, bytes(512 * 500, 2));
    write(blobs, "other", 0, bytes(512 * 2, 6));
    return blobs;
  }

  private static void write(BlobsUnderTest blobs, String name, int from, byte[] content) {
    ByteRange range = new ByteRange(from, from + content.length - 1);
    blobs.upload(
        new PutPages(
            at(name),
            range,
            SequenceConditions.NONE,
            RequestTerms.NONE,
            content.length,
            BlobsUnderTest.ANY),
        content);
  }

  private void collectAfterRestart(FaultyEngine engine) {
    clock.addAndGet(Duration.ofHours(2).toSeconds() * Ticks.PER_SECOND);
    BlobsUnderTest blobs = new BlobsUnderTest(engine);
    try (BlobCollector collector = blobs.collector()) {
      BlobsUnderTest.round(collector);
    }
    assertThat(blobs.storedChunks()).isEqualTo(blobs.referencedChunks());
    assertThat(blobs.rowKinds("disk")).doesNotContain("n").doesNotContain("c");
  }
}
