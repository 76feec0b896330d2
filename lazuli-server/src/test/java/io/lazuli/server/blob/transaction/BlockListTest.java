package io.lazuli.server.blob.transaction;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.server.blob.encoding.BlobRows;
import io.lazuli.server.blob.garbage.ExpireUploadBody;
import io.lazuli.server.blob.garbage.LiveContent;
import io.lazuli.server.blob.garbage.RemoveBody;
import io.lazuli.server.blob.model.BlobErrors;
import io.lazuli.server.blob.model.BlobProperties;
import io.lazuli.server.blob.model.BlobType;
import io.lazuli.server.blob.model.Block;
import io.lazuli.server.blob.model.BlockId;
import io.lazuli.server.blob.model.BlockPlace;
import io.lazuli.server.blob.partition.ContentPiece;
import io.lazuli.server.blob.request.BlockListEntry;
import io.lazuli.server.blob.request.BlockListEntry.Source;
import io.lazuli.server.blob.request.ByteRange;
import io.lazuli.server.blob.request.Conditions;
import io.lazuli.server.blob.request.DeletedSnapshots;
import io.lazuli.server.blob.request.ETagCondition;
import io.lazuli.storage.Bytes;
import io.lazuli.storage.EngineConfig;
import io.lazuli.storage.StorageEngine;
import io.lazuli.storage.memory.InMemoryEngineProvider;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Blocks, block lists and the garbage that they leave, on the engine in memory. */
class BlockListTest {
  private final StorageEngine engine =
      new InMemoryEngineProvider().open(EngineConfig.of(Path.of("unused")));
  private final TestBlob blob = new TestBlob(engine);

  @AfterEach
  void close() {
    engine.close();
  }

  @Test
  void blocksBecomeContentInTheOrderOfTheirList() {
    blob.done(blob.block("2", "world"));
    blob.done(blob.block("1", "hello "));
    assertThat(blob.require().isCommitted()).isFalse();
    committed("1", "2", "1");
    assertThat(blob.content()).isEqualTo("hello worldhello ");
    assertThat(blob.content(blob.require(), new ByteRange(4, 12))).isEqualTo("o worldhe");
    assertThat(blob.require().content().blocks()).isEqualTo(3);
    assertThat(blob.require().upload().blocks()).isZero();
  }

  @Test
  void aBlockThatIsPutAgainReplacesTheFirst() {
    blob.done(blob.block("1", "old"));
    blob.done(blob.block("1", "new"));
    assertThat(blob.require().upload().blocks()).isEqualTo(1);
    assertThat(blob.kinds()).isEqualTo("dpu");
    committed("1");
    assertThat(blob.content()).isEqualTo("new");
  }

  @Test
  void idsOfAnUploadHaveOneLength() {
    blob.done(blob.block("001", "a"));
    blob.refused(BlobErrors.INVALID_BLOB_OR_BLOCK, blob.block("0001", "b"));
    committed("001");
    blob.done(blob.block("0001", "b"));
  }

  @Test
  void anAppendBlobTakesNoBlocks() {
    blob.createAppendBlob();
    blob.refused(BlobErrors.INVALID_BLOB_TYPE, blob.block("1", "a"));
    assertThat(TestBlob.refusal(blob.commit(blob.terms(), List.of())))
        .isEqualTo(BlobErrors.INVALID_BLOB_TYPE);
  }

  @Test
  void sourcesAreLookedAtAsTheListSays() {
    blob.done(blob.block("1", "old "));
    blob.done(blob.block("2", "kept "));
    committed("1", "2");
    blob.done(blob.block("1", "new "));
    blob.commit(
        blob.terms(),
        List.of(
            entry(Source.COMMITTED, "1"),
            entry(Source.UNCOMMITTED, "1"),
            entry(Source.LATEST, "1"),
            entry(Source.LATEST, "2")));
    assertThat(blob.content()).isEqualTo("old new new kept ");
  }

  @Test
  void aBlockThatIsNotWhereTheListSaysMakesItInvalid() {
    BlockId id = new BlockId(TestBlob.text("1"));
    Block block = new Block(id, 1, new BlockPlace(false, 1));
    for (Source source : List.of(Source.UNCOMMITTED, Source.LATEST, Source.COMMITTED)) {
      List<BlockListEntry> list = List.of(new BlockListEntry(source, id));
      assertThat(BlockList.resolve(list, Map.of(), Map.of())).isEmpty();
      assertThat(BlockList.resolve(list, Map.of(id, block), Map.of()).isPresent())
          .isEqualTo(source != Source.UNCOMMITTED);
    }
  }

  @Test
  void anEmptyListMakesAnEmptyBlobAndDropsWhatWasNotListed() {
    blob.done(blob.block("1", "a"));
    committed();
    assertThat(blob.content()).isEmpty();
    assertThat(blob.require().isCommitted()).isTrue();
    assertThat(blob.require().upload().number()).isZero();
  }

  @Test
  void puttingABlobDropsUncommittedBlocks() {
    blob.done(blob.block("1", "a"));
    blob.put("whole");
    assertThat(blob.require().upload().number()).isZero();
  }

  @Test
  void deletingAnUncommittedBlobDropsItsBlocks() {
    blob.done(blob.block("1", "a"));
    blob.done(new DeleteBody(blob.terms(), DeletedSnapshots.NOT_SAID));
    assertThat(blob.find()).isNull();
    sweep();
    assertThat(blob.rows()).isEmpty();
  }

  @Test
  void aBlockThatComesDuringACommitSendsItBack() {
    blob.done(blob.block("1", "first"));
    BlobProperties seen = blob.require();
    BlockList list = blob.resolve(seen, latest("1"));
    long version = blob.write(list);
    blob.done(blob.block("1", "second"));
    CommitBody late =
        new CommitBody(blob.terms(), TestBlob.blob(BlobType.BLOCK), seen, version, list);
    assertThat(TestBlob.isUnfinished(blob.run(late))).isTrue();
    assertThat(blob.require().isCommitted()).isFalse();
    committed("1");
    assertThat(blob.content()).isEqualTo("second");
  }

  @Test
  void twoCommitsOfTheSameBlocksDoNotBothTakePlaceUnseen() {
    blob.done(blob.block("1", "a"));
    BlobProperties seen = blob.require();
    BlockList list = blob.resolve(seen, latest("1"));
    long first = blob.write(list);
    long second = blob.write(list);
    assertThat(second).isNotEqualTo(first);
    NewBlob made = TestBlob.blob(BlobType.BLOCK);
    blob.done(new CommitBody(blob.terms(), made, seen, first, list));
    assertThat(
            TestBlob.isUnfinished(blob.run(new CommitBody(blob.terms(), made, seen, second, list))))
        .isTrue();
  }

  @Test
  void aCommitWhoseConditionFailsLeavesTheBlobAsItWas() {
    blob.put("old");
    blob.done(blob.block("1", "new"));
    Conditions none = new Conditions(null, ETagCondition.parse("If-None-Match", "*"), null, null);
    assertThat(TestBlob.refusal(blob.commit(blob.terms(none, null), latest("1"))))
        .isEqualTo(BlobErrors.BLOB_ALREADY_EXISTS);
    assertThat(blob.content()).isEqualTo("old");
    committed("1");
    assertThat(blob.content()).isEqualTo("new");
  }

  @Test
  void fiftyThousandBlocksAreCommittedInSmallTransactions() {
    List<Block> blocks =
        IntStream.range(0, 50_000)
            .mapToObj(i -> new Block(id(i), 3, new BlockPlace(true, i + 1)))
            .toList();
    BlockList list = BlockList.of(blocks);
    assertThat(list.segments()).hasSize(50);
    assertThat(list.length()).isEqualTo(150_000);
    long version = blob.write(list);
    NewBlob made = TestBlob.blob(BlobType.BLOCK);
    blob.done(new CommitBody(blob.terms(), made, null, version, list));
    assertThat(blob.committedBlocks(blob.require())).isEqualTo(blocks);
    assertThat(blob.kinds()).isEqualTo("l".repeat(50) + "p");
  }

  @Test
  void aRangeIsCutOutOfItsSegment() {
    List<Block> blocks =
        List.of(
            new Block(id(1), 10, new BlockPlace(true, 1)),
            new Block(id(2), 5, new BlockPlace(false, 2)),
            new Block(id(3), 10, new BlockPlace(true, 3)));
    assertThat(ContentPiece.of(100, blocks, new ByteRange(108, 116)))
        .containsExactly(
            new ContentPiece(new BlockPlace(true, 1), 8, 2),
            new ContentPiece(new BlockPlace(false, 2), 0, 5),
            new ContentPiece(new BlockPlace(true, 3), 0, 2));
    assertThat(ContentPiece.of(100, blocks, new ByteRange(110, 110)))
        .containsExactly(new ContentPiece(new BlockPlace(false, 2), 0, 1));
    assertThat(ContentPiece.of(100, blocks, new ByteRange(0, 99))).isEmpty();
    assertThat(ContentPiece.of(100, blocks, new ByteRange(125, 200))).isEmpty();
  }

  @Test
  void theSweepTakesWhatNothingNamesAndNothingElse() {
    blob.done(blob.block("1", "one "));
    blob.done(blob.block("2", "two "));
    blob.done(blob.block("3", "three "));
    committed("1", "2");
    long snapshot = blob.done(new SnapshotBody(blob.terms(), null)).ticks();
    blob.done(blob.block("4", "four "));
    blob.commit(
        blob.terms(), List.of(entry(Source.COMMITTED, "2"), entry(Source.UNCOMMITTED, "4")));
    blob.done(blob.block("5", "five "));
    sweep();
    assertThat(blob.content()).isEqualTo("two four ");
    assertThat(blob.content(blob.snapshot(snapshot))).isEqualTo("one two ");
    assertThat(blob.kinds()).isEqualTo("dddd" + "ll" + "p" + "s" + "u");
    blob.done(new DeleteSnapshotBody(Conditions.NONE, snapshot, 0));
    sweep();
    assertThat(blob.content()).isEqualTo("two four ");
    assertThat(blob.kinds()).isEqualTo("ddd" + "l" + "p" + "u");
    blob.done(new DeleteBody(blob.terms(), DeletedSnapshots.NOT_SAID));
    sweep();
    assertThat(blob.rows()).isEmpty();
  }

  @Test
  void theSweepSparesACommitThatStillRunsUntilItIsOld() {
    blob.done(blob.block("1", "a"));
    BlobProperties seen = blob.require();
    BlockList list = blob.resolve(seen, latest("1"));
    long version = blob.write(list);
    assertThat(blob.live(version).garbage()).isEmpty();
    assertThat(blob.live(version + 1).garbage()).hasSize(1);
    sweep();
    NewBlob made = TestBlob.blob(BlobType.BLOCK);
    assertThat(
            TestBlob.isUnfinished(
                blob.run(new CommitBody(blob.terms(), made, seen, version, list))))
        .isTrue();
  }

  /**
   * The rows are not read at one moment: here a commit comes between the segments and the other
   * rows.
   */
  @Test
  void aCommitWhileTheSweepLooksAroundLosesNothing() {
    blob.done(blob.block("1", "one "));
    blob.done(blob.block("2", "two "));
    committed("1", "2");
    LiveContent live = blob.beginLive(Long.MAX_VALUE);
    blob.show(live, Bytes.EMPTY, BlobRows.PROPERTIES);
    blob.commit(blob.terms(), List.of(entry(Source.COMMITTED, "2")));
    blob.show(live, BlobRows.PROPERTIES, null);
    assertThat(blob.run(new RemoveBody(live.properties(), live.garbage(), List.of()))).isFalse();
    sweep();
    assertThat(blob.content()).isEqualTo("two ");
  }

  @Test
  void nothingIsRemovedOnceThePropertiesHaveChanged() {
    blob.put("a");
    blob.put("b");
    LiveContent live = blob.live(Long.MAX_VALUE);
    blob.put("c");
    Map<Bytes, String> before = blob.rows();
    assertThat(blob.run(new RemoveBody(live.properties(), live.garbage(), List.of()))).isFalse();
    assertThat(blob.rows()).isEqualTo(before);
  }

  @Test
  void uncommittedBlocksExpireWithTheLastOfThem() {
    blob.done(blob.block("1", "a"));
    blob.done(blob.block("2", "b"));
    long last = blob.require().upload().lastTicks();
    assertThat(blob.run(new ExpireUploadBody(last))).isFalse();
    assertThat(blob.run(new ExpireUploadBody(last + 1))).isTrue();
    assertThat(blob.find()).isNull();
    blob.put("whole");
    blob.done(blob.block("3", "c"));
    assertThat(blob.run(new ExpireUploadBody(Long.MAX_VALUE))).isTrue();
    assertThat(blob.run(new ExpireUploadBody(Long.MAX_VALUE))).isFalse();
    sweep();
    assertThat(blob.kinds()).isEqualTo("dlp");
    assertThat(blob.content()).isEqualTo("whole");
  }

  private void sweep() {
    LiveContent live = blob.live(Long.MAX_VALUE);
    assertThat(blob.run(new RemoveBody(live.properties(), live.garbage(), List.of()))).isTrue();
  }

  private void committed(String... ids) {
    assertThat(blob.commit(blob.terms(), latest(ids)).orThrow())
        .isInstanceOf(CommitBody.Committed.class);
  }

  private static List<BlockListEntry> latest(String... ids) {
    List<BlockListEntry> entries = new ArrayList<>();
    for (String id : ids) {
      entries.add(entry(Source.LATEST, id));
    }
    return entries;
  }

  private static BlockListEntry entry(Source source, String id) {
    return new BlockListEntry(source, new BlockId(TestBlob.text(id)));
  }

  private static BlockId id(int number) {
    return new BlockId(TestBlob.text("%05d".formatted(number)));
  }
}
