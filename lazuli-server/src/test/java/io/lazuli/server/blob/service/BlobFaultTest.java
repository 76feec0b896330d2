package io.lazuli.server.blob.service;

import static io.lazuli.server.blob.service.BlobsUnderTest.bytes;
import static io.lazuli.server.blob.service.BlobsUnderTest.deadline;
import static io.lazuli.server.blob.service.BlobsUnderTest.latest;
import static io.lazuli.server.blob.service.BlobsUnderTest.putBlob;
import static io.lazuli.server.blob.service.BlobsUnderTest.refusal;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.lazuli.server.blob.garbage.BlobCollector;
import io.lazuli.server.blob.model.BlobErrors;
import io.lazuli.server.blob.model.BlobType;
import io.lazuli.server.blob.request.DeletedSnapshots;
import io.lazuli.server.blob.request.RequestTerms;
import io.lazuli.server.blob.service.BlobOperation.ReplaceContainerMetadata;
import io.lazuli.server.error.CommonErrors;
import io.lazuli.server.error.ServiceError;
import io.lazuli.storage.StorageEngine;
import io.lazuli.storage.StorageException.Kind;
import io.lazuli.storage.Ticks;
import io.lazuli.storage.faults.FaultyEngine;
import io.lazuli.storage.faults.FaultyEngine.Call;
import java.io.ByteArrayOutputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Lets an operation fail at each of its steps, and checks what is left and what the collector
 * removes.
 */
class BlobFaultTest {
  private static final byte[] OLD = bytes(70_000, 1);
  private static final byte[] NEW = bytes(80_000, 2);

  /** More steps than any of the operations takes. */
  private static final int STEPS_MAX = 6;

  private final AtomicLong clock = new AtomicLong(Ticks.of(Instant.parse("2026-03-01T12:00:00Z")));

  /** The operations that replace the content of a blob. */
  enum Operation {
    PUT(blobs -> blobs.put("a", NEW), NEW),
    COMMIT(blobs -> blobs.commit("a", List.of(latest("x"))), NEW),
    COPY(blobs -> blobs.copy("source", null, "a"), NEW),
    COPY_OF_RECORDS(blobs -> blobs.copy("records", null, "a"), joined(OLD, bytes(9, 9))),
    DELETE(blobs -> blobs.delete("a", DeletedSnapshots.INCLUDE), null),
    PUT_BLOCK(blobs -> blobs.putBlock("a", "x", NEW), OLD);

    @SuppressWarnings("ImmutableEnumChecker") // It has no state.
    private final Consumer<BlobsUnderTest> work;

    @SuppressWarnings("ImmutableEnumChecker") // Nobody writes to it.
    private final byte @Nullable [] after;

    Operation(Consumer<BlobsUnderTest> work, byte @Nullable [] after) {
      this.work = work;
      this.after = after;
    }
  }

  @ParameterizedTest
  @EnumSource
  void aBlobIsAsBeforeIfAnyStepFails(Operation operation) {
    int failed = 0;
    for (int step = 0; step < STEPS_MAX; step++) {
      try (FaultyEngine engine = open()) {
        BlobsUnderTest blobs = prepared(engine);
        engine.passNext(Call.TRANSACT, step);
        engine.failNext(Call.TRANSACT, Kind.UNAVAILABLE);
        ServiceError refusal = BlobsUnderTest.refusal(() -> operation.work.accept(blobs));
        engine.failNoMore();
        assertThat(content(blobs)).isEqualTo(refusal == null ? operation.after : OLD);
        failed += CommonErrors.SERVER_BUSY.equals(refusal) ? 1 : 0;
        collectAfterRestart(engine);
      }
    }
    assertThat(failed).isBetween(1, STEPS_MAX - 1);
  }

  @ParameterizedTest
  @EnumSource
  void aBlobIsWholeIfAReplyIsLost(Operation operation) {
    for (int step = 0; step < STEPS_MAX; step++) {
      try (FaultyEngine engine = open()) {
        BlobsUnderTest blobs = prepared(engine);
        engine.passNext(Call.TRANSACT_REPLY, step);
        engine.failNext(Call.TRANSACT_REPLY, Kind.UNKNOWN_OUTCOME);
        ServiceError refusal = BlobsUnderTest.refusal(() -> operation.work.accept(blobs));
        engine.failNoMore();
        byte[] content = content(blobs);
        if (refusal == null) {
          assertThat(content).isEqualTo(operation.after);
        } else {
          assertThat(refusal).isEqualTo(CommonErrors.OPERATION_TIMED_OUT);
          assertThat(content).isIn(OLD, operation.after);
        }
        collectAfterRestart(engine);
        assertThat(content(new BlobsUnderTest(engine))).isEqualTo(content);
      }
    }
  }

  @Test
  void nothingIsLeftIfTheContainerCannotBeLookedUpAtTheEndOfABody() {
    try (FaultyEngine engine = open()) {
      BlobsUnderTest blobs = prepared(engine);
      blobs.clean();
      Set<Long> before = blobs.storedChunks();
      BlobOperation.Upload put = putBlob("a", BlobType.BLOCK, NEW.length, RequestTerms.NONE);
      BlobUpload upload =
          BlobsUnderTest.join(blobs.service().upload(put, BlobsUnderTest.OWNER, deadline()));
      BlobsUnderTest.send(upload, NEW);
      // The change of the container makes the service forget its cached space.
      blobs.run(
          new ReplaceContainerMetadata(BlobsUnderTest.CONTAINER, Map.of(), RequestTerms.NONE));
      engine.failNext(Call.READ, Kind.UNAVAILABLE);
      assertThat(refusal(() -> BlobsUnderTest.join(upload.end(deadline()))))
          .isEqualTo(CommonErrors.SERVER_BUSY);
      upload.abort();
      blobs.clean();
      assertThat(blobs.storedChunks()).isEqualTo(before);
      assertThat(content(blobs)).isEqualTo(OLD);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"TRANSACT", "SCAN", "READ"})
  void aRemovalThatFailsIsMadeUpForByTheNextRound(Call call) {
    try (FaultyEngine engine = open()) {
      BlobsUnderTest blobs = prepared(engine);
      try (BlobCollector collector = blobs.collector()) {
        BlobsUnderTest.round(collector);
        blobs.put("a", NEW);
        engine.failNext(call, Kind.UNAVAILABLE);
        assertThat(catchThrowable(blobs::clean)).isNotNull();
        pass(Duration.ofHours(2));
        BlobsUnderTest.round(collector);
      }
      assertThat(blobs.storedChunks()).isEqualTo(blobs.referencedChunks());
      assertThat(blobs.rowKinds("a")).isEqualTo("lp");
    }
  }

  @Test
  void afterAReopenTheFirstRoundLeavesNoChunkToNobody(@TempDir Path folder) {
    try (StorageEngine engine = BlobsUnderTest.engine("rocksdb", folder, clock::get)) {
      BlobsUnderTest blobs = prepared(engine);
      blobs.put("a", NEW);
      blobs.delete("source", DeletedSnapshots.NOT_SAID);
    }
    pass(Duration.ofHours(2));
    try (StorageEngine engine = BlobsUnderTest.engine("rocksdb", folder, clock::get)) {
      BlobsUnderTest blobs = new BlobsUnderTest(engine);
      assertThat(blobs.storedChunks()).hasSize(4);
      collectAfterRestart(engine);
      assertThat(blobs.storedChunks()).hasSize(1);
      assertThat(content(blobs)).isEqualTo(NEW);
    }
  }

  /** Also if the engine has forgotten the drop by then. */
  @ParameterizedTest
  @ValueSource(ints = {2, 30})
  void chunksOfAContainerThatWasDeletedBeforeAReopenGo(int hours, @TempDir Path folder) {
    try (StorageEngine engine = BlobsUnderTest.engine("rocksdb", folder, clock::get)) {
      prepared(engine).deleteContainer();
    }
    pass(Duration.ofHours(hours));
    try (StorageEngine engine = BlobsUnderTest.engine("rocksdb", folder, clock::get)) {
      collectAfterRestart(engine);
      assertThat(new BlobsUnderTest(engine).storedChunks()).isEmpty();
    }
  }

  private FaultyEngine open() {
    return new FaultyEngine(BlobsUnderTest.engine("memory", Path.of("unused"), clock::get));
  }

  private static BlobsUnderTest prepared(StorageEngine engine) {
    BlobsUnderTest blobs = BlobsUnderTest.withContainer(engine);
    blobs.put("source", NEW);
    blobs.putBlock("records", "x", Arrays.copyOf(OLD, 35_000));
    blobs.putBlock("records", "y", Arrays.copyOfRange(OLD, 35_000, 70_000));
    blobs.putBlock("records", "z", bytes(9, 9));
    blobs.commit("records", List.of(latest("x"), latest("y"), latest("z")));
    blobs.put("a", OLD);
    blobs.putBlock("a", "x", NEW);
    return blobs;
  }

  private static byte @Nullable [] content(BlobsUnderTest blobs) {
    byte[][] content = new byte[1][];
    ServiceError refusal = BlobsUnderTest.refusal(() -> content[0] = blobs.get("a"));
    assertThat(refusal).isIn(null, BlobErrors.BLOB_NOT_FOUND);
    return content[0];
  }

  private void collectAfterRestart(StorageEngine engine) {
    pass(Duration.ofHours(2));
    BlobsUnderTest blobs = new BlobsUnderTest(engine);
    try (BlobCollector collector = blobs.collector()) {
      BlobsUnderTest.round(collector);
    }
    assertThat(blobs.storedChunks()).isEqualTo(blobs.referencedChunks());
  }

  private static byte[] joined(byte[] first, byte[] second) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    all.writeBytes(first);
    all.writeBytes(second);
    return all.toByteArray();
  }

  private void pass(Duration time) {
    clock.addAndGet(time.toSeconds() * Ticks.PER_SECOND);
  }
}
