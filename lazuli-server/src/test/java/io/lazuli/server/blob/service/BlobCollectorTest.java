package io.lazuli.server.blob.service;

import static io.lazuli.server.blob.service.BlobsUnderTest.bytes;
import static io.lazuli.server.blob.service.BlobsUnderTest.latest;
import static io.lazuli.server.blob.service.BlobsUnderTest.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.server.blob.encoding.BlobRows;
import io.lazuli.server.blob.garbage.BlobCollector;
import io.lazuli.server.blob.model.BlobErrors;
import io.lazuli.server.blob.model.BlobType;
import io.lazuli.server.blob.request.DeletedSnapshots;
import io.lazuli.server.blob.request.RequestTerms;
import io.lazuli.storage.ChunkWriter;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.Direction;
import io.lazuli.storage.KeyRange;
import io.lazuli.storage.Partition;
import io.lazuli.storage.RecordVisitor;
import io.lazuli.storage.Space;
import io.lazuli.storage.StorageEngine;
import io.lazuli.storage.Ticks;
import io.lazuli.storage.contract.EngineFixture;
import io.lazuli.storage.faults.ForwardingEngine;
import io.lazuli.storage.work.WorkBoard;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class BlobCollectorTest {
  private final AtomicLong clock = new AtomicLong(Ticks.of(Instant.parse("2026-03-01T12:00:00Z")));
  private final StorageEngine engine =
      BlobsUnderTest.engine("memory", Path.of("unused"), clock::get);
  private final BlobsUnderTest blobs = BlobsUnderTest.withContainer(engine);

  @AfterEach
  void closeEngine() {
    engine.close();
  }

  /** A second service on the same data knows nothing of what the first one replaced. */
  @Test
  void theFirstRoundTakesWhatAnEarlierProcessLeft() {
    for (int i = 0; i < 3; i++) {
      blobs.put("a", bytes(100_000, i));
      blobs.put("b", bytes(100, i));
    }
    blobs.put("gone", bytes(100_000, 9));
    blobs.delete("gone", DeletedSnapshots.NOT_SAID);
    BlobsUnderTest later = new BlobsUnderTest(engine);
    try (BlobCollector collector = later.collector()) {
      BlobsUnderTest.round(collector);
      assertThat(later.storedChunks()).as("too young").hasSize(4);
    }
    pass(Duration.ofHours(2));
    try (BlobCollector collector = new BlobsUnderTest(engine).collector()) {
      BlobsUnderTest.round(collector);
      assertThat(later.storedChunks()).hasSize(1).isEqualTo(later.referencedChunks());
      assertThat(later.rowKinds("b")).isEqualTo("dlp");
      assertThat(later.get("a")).isEqualTo(bytes(100_000, 2));
      assertThat(later.get("b")).isEqualTo(bytes(100, 2));
    }
  }

  /** Only notes lead to content that is so young. */
  @Test
  void anotherProcessContinuesWithTheNotesOfAnOrderlyEnd() {
    blobs.put("a", bytes(100_000, 1));
    blobs.put("a", bytes(100_000, 2));
    try (WorkBoard board = board();
        BlobCollector collector = blobs.collector(board)) {
      assertThat(board.beat()).isPositive();
    }
    assertThat(blobs.storedChunks()).hasSize(2);
    BlobsUnderTest later = new BlobsUnderTest(engine);
    try (WorkBoard board = board();
        BlobCollector collector = later.collector(board)) {
      collector.start();
      board.start();
      Awaitility.await().until(() -> later.storedChunks().size() == 1);
    }
    assertThat(later.get("a")).isEqualTo(bytes(100_000, 2));
  }

  /** A step of a round ends in the middle of a container, and the next one continues there. */
  @Test
  void aStepWhoseTimeIsOverVisitsOneBlob() {
    for (int i = 0; i < 20; i++) {
      blobs.put("blob-" + i, bytes(100_000, i));
      blobs.put("blob-" + i, bytes(100_000, i + 1));
    }
    pass(Duration.ofHours(2));
    Looks looks = new Looks(engine);
    BlobsUnderTest later = new BlobsUnderTest(looks);
    try (WorkBoard board = board();
        BlobCollector collector = later.collector(board, Duration.ofDays(1))) {
      BlobsUnderTest.round(collector);
    }
    int inLongSteps = looks.count;
    assertThat(later.storedChunks()).hasSize(20).isEqualTo(later.referencedChunks());
    try (WorkBoard board = board();
        BlobCollector collector = later.collector(board, Duration.ZERO)) {
      BlobsUnderTest.round(collector);
    }
    assertThat(looks.count - inLongSteps).isGreaterThanOrEqualTo(inLongSteps + 19);
    assertThat(later.storedChunks()).hasSize(20).isEqualTo(later.referencedChunks());
  }

  /** Counts the steps: each one begins with a look into the catalogue. */
  private static final class Looks extends ForwardingEngine {
    private int count;

    Looks(StorageEngine engine) {
      super(engine);
    }

    @Override
    public CompletableFuture<@Nullable Void> scan(
        Space space,
        List<KeyRange> ranges,
        Direction direction,
        Deadline deadline,
        RecordVisitor visitor) {
      count += space.equals(Space.CATALOGUE) ? 1 : 0;
      return super.scan(space, ranges, direction, deadline, visitor);
    }
  }

  private WorkBoard board() {
    return new WorkBoard(engine, "test", (line, failure) -> {});
  }

  @Test
  void aChunkThatWasNeverPublishedGoesAfterAnHourAndCannotBePublishedThen() {
    BlobUpload upload = begin("a");
    BlobsUnderTest.send(upload, bytes(100_000, 1));
    pass(Duration.ofHours(2));
    try (BlobCollector collector = blobs.collector()) {
      BlobsUnderTest.round(collector);
      assertThat(blobs.storedChunks()).as("unfinished").hasSize(1);
      pass(Duration.ofHours(25));
      BlobsUnderTest.round(collector);
    }
    assertThat(blobs.storedChunks()).isEmpty();
    assertThat(
            BlobsUnderTest.refusal(
                () -> BlobsUnderTest.join(upload.end(BlobsUnderTest.deadline()))))
        .isNotNull();
    assertThat(BlobsUnderTest.refusal(() -> blobs.get("a"))).isEqualTo(BlobErrors.BLOB_NOT_FOUND);
  }

  @Test
  void marksOfDeletedChunksGoAfterADay() {
    try (ChunkWriter writer = EngineFixture.await(engine.chunks().append(partitionOf("a")))) {
      EngineFixture.await(writer.write(ByteBuffer.wrap(bytes(100, 1))));
      EngineFixture.await(writer.complete());
    }
    pass(Duration.ofHours(2));
    try (BlobCollector collector = blobs.collector()) {
      BlobsUnderTest.round(collector);
      assertThat(blobs.storedChunks()).isEmpty();
      assertThat(blobs.rowKinds("a")).isEqualTo("g");
    }
    pass(Duration.ofHours(25));
    try (BlobCollector collector = new BlobsUnderTest(engine).collector()) {
      BlobsUnderTest.round(collector);
      assertThat(blobs.rowKinds("a")).isEmpty();
    }
  }

  @Test
  void uncommittedBlocksLiveForAWeekAfterTheLast() {
    blobs.put("a", text("content"));
    blobs.putBlock("a", "x", bytes(100_000, 1));
    blobs.putBlock("only", "x", bytes(100_000, 2));
    pass(Duration.ofDays(6));
    blobs.putBlock("only", "y", text("small"));
    try (BlobCollector collector = blobs.collector()) {
      pass(Duration.ofDays(2));
      BlobsUnderTest.round(collector);
      assertThat(blobs.rowKinds("a")).isEqualTo("dlp");
      assertThat(blobs.storedChunks()).hasSize(1).isEqualTo(blobs.referencedChunks());
      blobs.commit("only", List.of(latest("x"), latest("y")));
      blobs.putBlock("only", "z", bytes(100_000, 3));
      pass(Duration.ofDays(8));
      BlobsUnderTest.round(collector);
      assertThat(blobs.storedChunks()).hasSize(1).isEqualTo(blobs.referencedChunks());
      assertThat(blobs.get("only")).hasSize(100_005);
    }
  }

  @Test
  void chunksOfADeletedContainerGoUnlessTheyAreBeingRead() {
    blobs.put("a", bytes(100_000, 1));
    blobs.put("b", bytes(100_000, 2));
    try (BlobCollector collector = blobs.collector()) {
      try (BlobReader reader = blobs.open("a", null, null).content()) {
        blobs.deleteContainer();
        pass(Duration.ofHours(2));
        BlobsUnderTest.round(collector);
        assertThat(blobs.storedChunks()).hasSize(1);
        assertThat(BlobsUnderTest.drain(reader)).isEqualTo(bytes(100_000, 1));
      }
      BlobsUnderTest.round(collector);
      assertThat(blobs.storedChunks()).isEmpty();
    }
  }

  @Test
  void onceStartedItTakesWhatIsReplacedByItself() {
    try (BlobCollector collector = blobs.collector()) {
      collector.start();
      for (int i = 0; i < 20; i++) {
        blobs.put("a", bytes(100_000, i));
      }
      Awaitility.await().until(() -> blobs.storedChunks().size() == 1);
      blobs.delete("a", DeletedSnapshots.NOT_SAID);
      Awaitility.await().until(() -> blobs.storedChunks().isEmpty());
    }
  }

  @Test
  void aRoundOfSeveralStepsVisitsEveryBlob() {
    for (int i = 0; i < 2_100; i++) {
      blobs.putBlock("blob" + i, "x", text("a block that nobody commits"));
    }
    pass(Duration.ofDays(8));
    try (BlobCollector collector = blobs.collector()) {
      BlobsUnderTest.round(collector);
    }
    for (int i = 0; i < 2_100; i += 100) {
      assertThat(blobs.rowKinds("blob" + i)).isEmpty();
    }
  }

  @Test
  void aDamagedBlobIsLeftAsItIsAndStopsNothing() {
    blobs.put("damaged", bytes(100_000, 1));
    blobs.putBlock("later", "x", bytes(100_000, 2));
    engine
        .transact(
            partitionOf("damaged"),
            List.of(),
            BlobsUnderTest.deadline(),
            view -> {
              view.put(BlobRows.PROPERTIES, new byte[] {99});
              return true;
            })
        .join();
    pass(Duration.ofDays(8));
    try (BlobCollector collector = blobs.collector()) {
      BlobsUnderTest.round(collector);
      assertThat(blobs.rowKinds("later")).isEmpty();
      assertThat(blobs.storedChunks()).hasSize(1).isEqualTo(blobs.referencedChunks());
      blobs.putBlock("later", "x", bytes(100_000, 2));
      pass(Duration.ofDays(8));
      BlobsUnderTest.round(collector);
      assertThat(blobs.rowKinds("later")).isEmpty();
      assertThat(blobs.rowKinds("damaged")).isEqualTo("lp");
    }
  }

  private BlobUpload begin(String blob) {
    return BlobsUnderTest.join(
        blobs
            .service()
            .upload(
                BlobsUnderTest.putBlob(blob, BlobType.BLOCK, 100_000, RequestTerms.NONE),
                BlobsUnderTest.OWNER,
                BlobsUnderTest.deadline()));
  }

  private Partition partitionOf(String blob) {
    return new Partition(blobs.space(), BlobsUnderTest.at(blob).blob().key());
  }

  private void pass(Duration time) {
    clock.addAndGet(time.toSeconds() * Ticks.PER_SECOND);
  }
}
