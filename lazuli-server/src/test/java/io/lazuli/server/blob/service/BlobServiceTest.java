package io.lazuli.server.blob.service;

import static io.lazuli.server.blob.service.BlobsUnderTest.at;
import static io.lazuli.server.blob.service.BlobsUnderTest.bytes;
import static io.lazuli.server.blob.service.BlobsUnderTest.latest;
import static io.lazuli.server.blob.service.BlobsUnderTest.refusal;
import static io.lazuli.server.blob.service.BlobsUnderTest.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.server.access.Access;
import io.lazuli.server.access.Caller;
import io.lazuli.server.blob.model.BlobErrors;
import io.lazuli.server.blob.model.BlobProperties;
import io.lazuli.server.blob.model.BlobTags;
import io.lazuli.server.blob.model.BlobType;
import io.lazuli.server.blob.model.HttpProperties;
import io.lazuli.server.blob.model.LeaseAction;
import io.lazuli.server.blob.protection.Immutability;
import io.lazuli.server.blob.request.BlobSettings;
import io.lazuli.server.blob.request.BlockListEntry;
import io.lazuli.server.blob.request.ByteRange;
import io.lazuli.server.blob.request.Conditions;
import io.lazuli.server.blob.request.DeletedSnapshots;
import io.lazuli.server.blob.request.ExpectedChecksums;
import io.lazuli.server.blob.request.RequestTerms;
import io.lazuli.server.blob.service.BlobOperation.AppendBlockFromUrl;
import io.lazuli.server.blob.service.BlobOperation.CopyBlob;
import io.lazuli.server.blob.service.BlobOperation.GetBlob;
import io.lazuli.server.blob.service.BlobOperation.LeaseBlob;
import io.lazuli.server.blob.service.BlobOperation.PutBlob;
import io.lazuli.server.blob.service.BlobOperation.PutBlobFromUrl;
import io.lazuli.server.blob.service.BlobOperation.PutBlockFromUrl;
import io.lazuli.server.blob.service.BlobOperation.PutBlockList;
import io.lazuli.server.blob.service.BlobOperation.ReadBlockList;
import io.lazuli.server.blob.service.BlobOperation.ReadTags;
import io.lazuli.server.blob.service.BlobOperation.ReplaceTags;
import io.lazuli.server.blob.service.BlobOperation.Seal;
import io.lazuli.server.blob.service.BlobOperation.SetTier;
import io.lazuli.server.blob.service.BlobOutcome.BlobChanged;
import io.lazuli.server.blob.service.BlobOutcome.BlobPut;
import io.lazuli.server.blob.service.BlobOutcome.BlocksFound;
import io.lazuli.server.blob.service.BlobOutcome.RangeNotThere;
import io.lazuli.server.blob.service.BlobOutcome.TagsFound;
import io.lazuli.server.blob.tier.AccessTier;
import io.lazuli.server.blob.tier.RehydratePriority;
import io.lazuli.storage.StorageEngine;
import io.lazuli.storage.Ticks;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BlobServiceTest {
  private final StorageEngine engine =
      BlobsUnderTest.engine("memory", Path.of("unused"), Ticks::systemNow);
  private final BlobsUnderTest blobs = BlobsUnderTest.withContainer(engine);

  @AfterEach
  void closeEngine() {
    engine.close();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 65_536, 65_537, 1 << 20})
  void recordsAndChunksAreReadAsTheyWerePut(int length) {
    byte[] content = bytes(length, 7);
    BlobProperties put = blobs.put("a", content);
    assertThat(put.content().length()).isEqualTo(length);
    assertThat(blobs.get("a")).isEqualTo(content);
    assertThat(blobs.storedChunks()).hasSize(length > 65_536 ? 1 : 0);
  }

  @Test
  void aBodyMayComeAsADirectBuffer() {
    byte[] content = bytes(100_000, 1);
    ByteBuffer direct = ByteBuffer.allocateDirect(content.length).put(content).flip();
    PutBlob put = BlobsUnderTest.putBlob("a", BlobType.BLOCK, content.length, RequestTerms.NONE);
    BlobUpload upload =
        BlobsUnderTest.join(
            blobs.service().upload(put, BlobsUnderTest.OWNER, BlobsUnderTest.deadline()));
    BlobsUnderTest.join(upload.take(direct));
    BlobsUnderTest.join(upload.end(BlobsUnderTest.deadline()));
    assertThat(direct.hasRemaining()).isFalse();
    assertThat(blobs.get("a")).isEqualTo(content);
  }

  @Test
  void rangesAreCutOutOfBlocksOfEveryKind() {
    List<byte[]> blocks = List.of(bytes(100, 1), bytes(70_000, 2), bytes(10, 3), bytes(90_000, 4));
    List<BlockListEntry> entries = new ArrayList<>();
    byte[] content = new byte[0];
    for (byte[] block : blocks) {
      blobs.putBlock("a", "id" + entries.size(), block);
      entries.add(latest("id" + entries.size()));
      content = Arrays.copyOf(content, content.length + block.length);
      System.arraycopy(block, 0, content, content.length - block.length, block.length);
    }
    blobs.commit("a", entries);
    for (int from : List.of(0, 99, 100, 50_000, 70_099, 70_105, 70_110, 160_109)) {
      for (int length : List.of(1, 2, 150, 80_000, 200_000)) {
        ByteRange range = new ByteRange(from, from + length - 1);
        assertThat(blobs.get("a", null, range))
            .isEqualTo(Arrays.copyOfRange(content, from, Math.min(content.length, from + length)));
      }
    }
    assertThat(blobs.run(new GetBlob(at("a"), null, new ByteRange(160_110, 9), RequestTerms.NONE)))
        .isEqualTo(new RangeNotThere(160_110));
  }

  @Test
  void aBodyWithTheWrongChecksumLeavesNothing() {
    byte[] content = bytes(100_000, 1);
    ExpectedChecksums wrong = new ExpectedChecksums("1B2M2Y8AsgTpgAmY7PhCfg==", null);
    PutBlob put =
        new PutBlob(
            at("a"),
            BlobType.BLOCK,
            BlobsUnderTest.settings(),
            RequestTerms.NONE,
            content.length,
            wrong);
    assertThat(refusal(() -> blobs.upload(put, content))).isEqualTo(BlobErrors.MD5_MISMATCH);
    assertThat(refusal(() -> blobs.get("a"))).isEqualTo(BlobErrors.BLOB_NOT_FOUND);
    assertThat(blobs.storedChunks()).isEmpty();
  }

  @Test
  void theMd5ThatABlobIsToHaveIsCompared() {
    BlobSettings settings =
        new BlobSettings(
            BlobsUnderTest.settings().http().withContentMd5("1B2M2Y8AsgTpgAmY7PhCfg=="),
            Map.of(),
            BlobTags.NONE,
            null);
    PutBlob put =
        new PutBlob(at("a"), BlobType.BLOCK, settings, RequestTerms.NONE, 1, BlobsUnderTest.ANY);
    assertThat(refusal(() -> blobs.upload(put, text("x")))).isEqualTo(BlobErrors.MD5_MISMATCH);
    BlobPut empty = (BlobPut) blobs.upload(put, new byte[0]);
    assertThat(empty.properties().http().contentMd5()).isEqualTo("1B2M2Y8AsgTpgAmY7PhCfg==");
  }

  @Test
  void anUploadThatIsCutOffLeavesNothing() {
    PutBlob put = BlobsUnderTest.putBlob("a", BlobType.BLOCK, 200_000, RequestTerms.NONE);
    BlobUpload upload =
        BlobsUnderTest.join(
            blobs.service().upload(put, BlobsUnderTest.OWNER, BlobsUnderTest.deadline()));
    BlobsUnderTest.send(upload, bytes(100_000, 1));
    assertThat(blobs.storedChunks()).hasSize(1);
    upload.abort();
    assertThat(blobs.storedChunks()).isEmpty();
    assertThat(blobs.rowKinds("a")).isEmpty();
  }

  @Test
  void aRefusalComesBeforeTheBody() {
    blobs.put("a", text("old"));
    PutBlob put = BlobsUnderTest.putBlob("a", BlobType.BLOCK, 3, BlobsUnderTest.ifNoneMatchAny());
    assertThat(refusal(() -> begin(put))).isEqualTo(BlobErrors.BLOB_ALREADY_EXISTS);
    PutBlob append = BlobsUnderTest.putBlob("a", BlobType.APPEND, 0, RequestTerms.NONE);
    assertThat(refusal(() -> begin(append))).isEqualTo(BlobErrors.INVALID_BLOB_TYPE);
    assertThat(refusal(() -> begin(BlobsUnderTest.appendBlock("a", null, null, 5))))
        .isEqualTo(BlobErrors.INVALID_BLOB_TYPE);
    blobs.createAppendBlob("log");
    assertThat(refusal(() -> begin(BlobsUnderTest.appendBlock("log", 7L, null, 5))))
        .isEqualTo(BlobErrors.APPEND_POSITION_NOT_MET);
    assertThat(refusal(() -> begin(BlobsUnderTest.appendBlock("log", null, 4L, 5))))
        .isEqualTo(BlobErrors.MAX_BLOB_SIZE_NOT_MET);
  }

  @Test
  void aConditionIsLookedAtOnceMoreWhenTheBodyIsThere() {
    PutBlob put =
        BlobsUnderTest.putBlob("a", BlobType.BLOCK, 100_000, BlobsUnderTest.ifNoneMatchAny());
    BlobUpload upload = begin(put);
    BlobsUnderTest.send(upload, bytes(100_000, 1));
    blobs.put("a", text("first"));
    assertThat(refusal(() -> BlobsUnderTest.join(upload.end(BlobsUnderTest.deadline()))))
        .isEqualTo(BlobErrors.BLOB_ALREADY_EXISTS);
    blobs.clean();
    assertThat(blobs.get("a")).isEqualTo(text("first"));
    assertThat(blobs.storedChunks()).isEmpty();
  }

  @Test
  void aBodyForAContainerThatIsDeletedMeanwhileGoesNowhere() {
    BlobUpload upload =
        begin(BlobsUnderTest.putBlob("a", BlobType.BLOCK, 100_000, RequestTerms.NONE));
    BlobsUnderTest.send(upload, bytes(100_000, 1));
    blobs.deleteContainer();
    assertThat(refusal(() -> BlobsUnderTest.join(upload.end(BlobsUnderTest.deadline()))))
        .isEqualTo(BlobErrors.CONTAINER_NOT_FOUND);
    blobs.clean();
    assertThat(blobs.storedChunks()).isEmpty();
  }

  @Test
  void createPermissionDoesNotOverwrite() {
    blobs.put("a", text("old"));
    Caller creator = new Caller("acct", false, new Access.OfAccount("c", "o"));
    PutBlob over = BlobsUnderTest.putBlob("a", BlobType.BLOCK, 3, RequestTerms.NONE);
    PutBlob fresh = BlobsUnderTest.putBlob("b", BlobType.BLOCK, 3, RequestTerms.NONE);
    assertThat(
            refusal(
                () ->
                    BlobsUnderTest.join(
                        blobs.service().upload(over, creator, BlobsUnderTest.deadline()))))
        .isEqualTo(BlobErrors.OVERWRITE_NOT_AUTHORISED);
    BlobUpload upload =
        BlobsUnderTest.join(blobs.service().upload(fresh, creator, BlobsUnderTest.deadline()));
    blobs.put("b", text("meanwhile"));
    BlobsUnderTest.send(upload, text("new"));
    assertThat(refusal(() -> BlobsUnderTest.join(upload.end(BlobsUnderTest.deadline()))))
        .isEqualTo(BlobErrors.OVERWRITE_NOT_AUTHORISED);
    assertThat(blobs.get("b")).isEqualTo(text("meanwhile"));
  }

  @Test
  void fiftyThousandBlocksAreCommittedAndRead() {
    blobs.putBlock("a", "x", text("ab"));
    blobs.putBlock("a", "y", text("cd"));
    List<BlockListEntry> entries = new ArrayList<>(Collections.nCopies(49_999, latest("x")));
    entries.add(latest("y"));
    BlobProperties blob = blobs.commit("a", entries);
    assertThat(blob.content().blocks()).isEqualTo(50_000);
    assertThat(blobs.get("a", null, new ByteRange(99_997, 200_000))).isEqualTo(text("bcd"));
    assertThat(blobs.get("a")).hasSize(100_000).startsWith(text("abab"));
    entries.add(latest("x"));
    assertThat(refusal(() -> blobs.commit("a", entries))).isEqualTo(BlobErrors.BLOCK_LIST_TOO_LONG);
  }

  @Test
  void blockListsAreShownAsTheyAre() {
    blobs.putBlock("a", "x", text("ab"));
    assertThat(blockList("a").properties()).isNull();
    blobs.commit("a", List.of(latest("x"), latest("x")));
    blobs.putBlock("a", "z", text("z"));
    blobs.putBlock("a", "y", text("yy"));
    BlocksFound found = blockList("a");
    assertThat(found.committed())
        .extracting(block -> block.id().text())
        .containsExactly("eA==", "eA==");
    assertThat(found.uncommitted())
        .extracting(block -> block.id().text())
        .containsExactly("eQ==", "eg==");
    blobs.put("whole", text("content"));
    assertThat(blockList("whole").committed()).isEmpty();
    assertThat(refusal(() -> blockList("none"))).isEqualTo(BlobErrors.BLOB_NOT_FOUND);
  }

  @Test
  void aListWithABlockThatIsNotThereLeavesTheBlobAsItWas() {
    blobs.put("a", text("old"));
    blobs.putBlock("a", "x", text("ab"));
    assertThat(refusal(() -> blobs.commit("a", List.of(latest("y")))))
        .isEqualTo(BlobErrors.INVALID_BLOCK_LIST);
    assertThat(blobs.get("a")).isEqualTo(text("old"));
    assertThat(blockList("a").uncommitted()).hasSize(1);
  }

  @Test
  void replacedContentGoesAtOnceAndWhatIsReadStays() {
    byte[] old = bytes(100_000, 1);
    blobs.put("a", old);
    try (BlobReader reader = blobs.open("a", null, null).content()) {
      blobs.put("a", bytes(100_000, 2));
      blobs.put("a", bytes(100_000, 3));
      blobs.clean();
      assertThat(blobs.storedChunks()).hasSize(2);
      assertThat(BlobsUnderTest.drain(reader)).isEqualTo(old);
    }
    blobs.clean();
    assertThat(blobs.storedChunks()).hasSize(1).isEqualTo(blobs.referencedChunks());
    blobs.delete("a", DeletedSnapshots.NOT_SAID);
    blobs.clean();
    assertThat(blobs.storedChunks()).isEmpty();
    assertThat(blobs.rowKinds("a")).isEmpty();
  }

  @Test
  void aSnapshotKeepsItsBytesUntilItIsDeleted() {
    byte[] old = bytes(100_000, 1);
    blobs.put("a", old);
    long ticks = blobs.snapshot("a");
    blobs.put("a", text("new"));
    blobs.clean();
    assertThat(blobs.get("a", ticks, null)).isEqualTo(old);
    assertThat(refusal(() -> blobs.delete("a", DeletedSnapshots.NOT_SAID)))
        .isEqualTo(BlobErrors.SNAPSHOTS_PRESENT);
    blobs.deleteSnapshot("a", ticks);
    blobs.clean();
    assertThat(blobs.storedChunks()).isEmpty();
    assertThat(blobs.rowKinds("a")).isEqualTo("dlp");
  }

  @Test
  void aBlockThatIsPutAgainFreesTheFirst() {
    blobs.putBlock("a", "x", bytes(100_000, 1));
    blobs.putBlock("a", "x", bytes(100_000, 2));
    blobs.clean();
    assertThat(blobs.storedChunks()).hasSize(1).isEqualTo(blobs.referencedChunks());
  }

  @Test
  void aCopyHasBlocksPropertiesAndBytesOfItsOwn() {
    blobs.putBlock("a", "x", bytes(100_000, 1));
    blobs.putBlock("a", "y", text("tail"));
    blobs.commit("a", List.of(latest("x"), latest("y")));
    byte[] content = blobs.get("a");
    BlobProperties copy = blobs.copy("a", null, "b");
    assertThat(copy.copy()).isNotNull();
    assertThat(copy.copy().progress()).isEqualTo("100004/100004");
    blobs.delete("a", DeletedSnapshots.NOT_SAID);
    blobs.clean();
    assertThat(blobs.get("b")).isEqualTo(content);
    assertThat(blockList("b").committed()).hasSize(2);
    assertThat(blobs.storedChunks()).hasSize(1).isEqualTo(blobs.referencedChunks());
  }

  @Test
  void aCopyOfAnAppendBlobGrowsAndCanBeSealed() {
    blobs.createAppendBlob("log");
    blobs.append("log", text("one"));
    blobs.append("log", bytes(70_000, 1));
    blobs.copy("log", null, "copy");
    assertThat(blobs.append("copy", text("two")).offset()).isEqualTo(70_003);
    assertThat(blobs.get("log")).hasSize(70_003);
    assertThat(blobs.get("copy")).hasSize(70_006).endsWith(text("two"));
    blobs.run(new Seal(at("copy"), null, RequestTerms.NONE));
    assertThat(refusal(() -> blobs.append("copy", text("x")))).isEqualTo(BlobErrors.BLOB_IS_SEALED);
  }

  @Test
  void aCopyThatIsRefusedLeavesNothing() {
    blobs.put("a", bytes(100_000, 1));
    blobs.put("b", text("old"));
    UUID id = UUID.randomUUID();
    LeaseAction acquire = new LeaseAction.Acquire(id, 60);
    blobs.run(new LeaseBlob(at("b"), acquire, Conditions.NONE));
    assertThat(refusal(() -> blobs.copy("a", null, "b")))
        .isEqualTo(BlobErrors.BLOB_LEASE_ID_MISSING);
    RequestTerms holder = new RequestTerms(Conditions.NONE, id);
    CopyBlob copy = copyWith(holder, false);
    assertThat(refusal(() -> blobs.run(copy))).isEqualTo(BlobErrors.INFINITE_LEASE_REQUIRED);
    blobs.clean();
    assertThat(blobs.storedChunks()).hasSize(1);
    blobs.run(copyWith(holder, true));
    assertThat(blobs.get("b")).hasSize(100_000);
    assertThat(refusal(() -> blobs.copy("none", null, "b")))
        .isEqualTo(BlobErrors.COPY_SOURCE_NOT_FOUND);
  }

  private static CopyBlob copyWith(RequestTerms terms, boolean synchronous) {
    return new CopyBlob(
        at("b"),
        BlobsUnderTest.source("a", null, null),
        "http://server/a",
        Map.of("k", "v"),
        BlobTags.NONE,
        AccessTier.COOL,
        Immutability.NONE,
        RehydratePriority.STANDARD,
        null,
        synchronous,
        BlobsUnderTest.ANY,
        terms);
  }

  @Test
  void bodiesComeFromOtherBlobs() {
    byte[] content = bytes(200_000, 1);
    blobs.put("a", content);
    blobs.createAppendBlob("log");
    RequestTerms none = RequestTerms.NONE;
    ByteRange part = new ByteRange(10, 100_009);
    byte[] cut = Arrays.copyOfRange(content, 10, 100_010);
    blobs.run(
        new PutBlobFromUrl(
            at("b"),
            BlobsUnderTest.source("a", null, null),
            HttpProperties.NONE,
            true,
            null,
            BlobTags.NONE,
            null,
            BlobsUnderTest.ANY,
            none));
    blobs.run(
        new PutBlockFromUrl(
            at("c"),
            BlobsUnderTest.id("x"),
            BlobsUnderTest.source("a", null, part),
            BlobsUnderTest.ANY,
            null));
    blobs.commit("c", List.of(latest("x")));
    AppendBlockFromUrl append =
        new AppendBlockFromUrl(
            at("log"), BlobsUnderTest.source("a", null, part), 0L, null, BlobsUnderTest.ANY, none);
    blobs.run(append);
    assertThat(blobs.get("b")).isEqualTo(content);
    assertThat(blobs.properties("b").copy()).isNull();
    assertThat(blobs.get("c")).isEqualTo(cut);
    assertThat(blobs.get("log")).isEqualTo(cut);
    assertThat(refusal(() -> blobs.run(append))).isEqualTo(BlobErrors.APPEND_POSITION_NOT_MET);
    assertThat(blobs.storedChunks()).isEqualTo(blobs.referencedChunks());
  }

  @Test
  void tagsAndTierLeaveTheETagAlone() {
    BlobProperties put = blobs.put("a", text("x"));
    BlobTags tags = new BlobTags(Map.of("k", "v"));
    blobs.run(new ReplaceTags(at("a"), null, tags, RequestTerms.NONE));
    RequestTerms none = RequestTerms.NONE;
    BlobOutcome tiered = blobs.run(new SetTier(at("a"), null, AccessTier.COOL, null, none));
    assertThat(((BlobChanged) tiered).properties().changedTicks()).isEqualTo(put.changedTicks());
    TagsFound found = (TagsFound) blobs.run(new ReadTags(at("a"), null, RequestTerms.NONE));
    assertThat(found.tags().values()).isEqualTo(tags.values());
    blobs.createAppendBlob("log");
    assertThat(refusal(() -> blobs.run(new SetTier(at("log"), null, AccessTier.COOL, null, none))))
        .isEqualTo(BlobErrors.TIER_NOT_SUPPORTED);
  }

  @Test
  void requestsToAMissingContainerAreRefused() {
    blobs.deleteContainer();
    List<@Nullable Object> refusals = new ArrayList<>();
    refusals.add(refusal(() -> blobs.get("a")));
    refusals.add(refusal(() -> blobs.put("a", text("x"))));
    refusals.add(refusal(() -> blobs.delete("a", DeletedSnapshots.NOT_SAID)));
    refusals.add(refusal(() -> blobs.commit("a", List.of())));
    assertThat(refusals).containsOnly(BlobErrors.CONTAINER_NOT_FOUND);
  }

  @Test
  void aBlockListWithALostConditionIsRefused() {
    BlobProperties first = blobs.put("a", text("1"));
    blobs.put("a", text("2"));
    PutBlockList put =
        new PutBlockList(
            at("a"), List.of(), BlobsUnderTest.settings(), BlobsUnderTest.ifMatch(first));
    assertThat(refusal(() -> blobs.run(put))).isEqualTo(BlobErrors.CONDITION_NOT_MET);
  }

  private BlobUpload begin(BlobOperation.Upload operation) {
    return BlobsUnderTest.join(
        blobs.service().upload(operation, BlobsUnderTest.OWNER, BlobsUnderTest.deadline()));
  }

  private BlocksFound blockList(String blob) {
    return (BlocksFound)
        blobs.run(new ReadBlockList(at(blob), null, true, true, RequestTerms.NONE));
  }
}
