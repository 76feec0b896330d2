package io.lazuli.server.blob.transaction;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.server.blob.garbage.RemoveBody;
import io.lazuli.server.blob.model.BlobETag;
import io.lazuli.server.blob.model.BlobErrors;
import io.lazuli.server.blob.model.BlobProperties;
import io.lazuli.server.blob.model.BlobTags;
import io.lazuli.server.blob.model.BlobType;
import io.lazuli.server.blob.model.BlockId;
import io.lazuli.server.blob.model.CopyProperties;
import io.lazuli.server.blob.model.CopyStatus;
import io.lazuli.server.blob.model.HttpProperties;
import io.lazuli.server.blob.model.LeaseAction;
import io.lazuli.server.blob.model.LeaseState;
import io.lazuli.server.blob.partition.NewContent;
import io.lazuli.server.blob.protection.Immutability;
import io.lazuli.server.blob.request.ByteRange;
import io.lazuli.server.blob.request.Conditions;
import io.lazuli.server.blob.request.Conditions.Use;
import io.lazuli.server.blob.request.DeletedSnapshots;
import io.lazuli.server.blob.request.ETagCondition;
import io.lazuli.server.blob.request.NamedState;
import io.lazuli.server.blob.tier.AccessTier;
import io.lazuli.server.blob.tier.TierChoice;
import io.lazuli.server.blob.tier.TierState;
import io.lazuli.server.error.CommonErrors;
import io.lazuli.server.error.ServiceError;
import io.lazuli.storage.EngineConfig;
import io.lazuli.storage.StorageEngine;
import io.lazuli.storage.Ticks;
import io.lazuli.storage.memory.InMemoryEngineProvider;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Whole blobs, appends, leases, snapshots and deletion, on the engine in memory. */
class BlobBodiesTest {
  private static final UUID A = new UUID(0, 1);
  private static final UUID B = new UUID(0, 2);

  private final AtomicLong clock = new AtomicLong(Ticks.systemNow());
  private final StorageEngine engine =
      new InMemoryEngineProvider().open(EngineConfig.of(Path.of("unused")).withTicks(clock::get));
  private final TestBlob blob = new TestBlob(engine);

  @AfterEach
  void close() {
    engine.close();
  }

  @Test
  void aBlobIsReadAsItWasPut() {
    blob.put("hello world");
    assertThat(blob.content()).isEqualTo("hello world");
    assertThat(blob.content(blob.require(), new ByteRange(6, 99))).isEqualTo("world");
    assertThat(blob.kinds()).isEqualTo("dlp");
    blob.put("");
    assertThat(blob.content()).isEmpty();
  }

  @Test
  void aLargeBodyIsNamedByItsChunk() {
    blob.done(
        new PutBlobBody(
            blob.terms(),
            Use.CREATE,
            TestBlob.blob(BlobType.BLOCK),
            NewContent.ofChunk(7, 1L << 30)));
    assertThat(blob.kinds()).isEqualTo("lp");
    assertThat(blob.live(0).holdsChunk(7)).isTrue();
  }

  @Test
  void aChunkThatIsBeingCollectedIsNotPublished() {
    assertThat(blob.run(new RemoveBody(null, List.of(), List.of(7L)))).isTrue();
    NewContent chunk = NewContent.ofChunk(7, 100);
    blob.refused(
        CommonErrors.OPERATION_TIMED_OUT,
        new PutBlobBody(blob.terms(), Use.CREATE, TestBlob.blob(BlobType.BLOCK), chunk));
    blob.refused(
        CommonErrors.OPERATION_TIMED_OUT,
        new PutBlockBody(null, blob.now(), true, BlockId.requireParameter("QUFB"), chunk));
    blob.createAppendBlob();
    blob.refused(
        CommonErrors.OPERATION_TIMED_OUT, new AppendBody(blob.terms(), null, null, 10, chunk));
  }

  @Test
  void overwritingKeepsCreationTierLeaseAndSnapshotsAndClearsTheRest() {
    CopyProperties copy = new CopyProperties(A, "source", CopyStatus.SUCCESS, 1, 1, 1);
    NewBlob first =
        new NewBlob(
            BlobType.BLOCK,
            new HttpProperties("text/plain", null, null, null, null, null),
            Map.of("a", "1"),
            BlobTags.parseHeader("t=1"),
            AccessTier.COOL,
            Immutability.NONE,
            copy);
    BlobProperties created =
        blob.done(
            new PutBlobBody(blob.terms(), Use.CREATE, first, NewContent.ofBytes(new byte[] {1})));
    blob.done(new SnapshotBody(blob.terms(), null));
    blob.done(new LeaseBody(Conditions.NONE, blob.now(), new LeaseAction.Acquire(A, -1)));
    clock.addAndGet(Ticks.PER_SECOND);
    BlobProperties after =
        blob.done(TestBlob.putBody(blob.terms(Conditions.NONE, A), BlobType.BLOCK, "new"));
    assertThat(after.creationTicks()).isEqualTo(created.creationTicks());
    assertThat(after.changedTicks()).isGreaterThan(created.changedTicks());
    assertThat(after.tier()).isEqualTo(created.tier());
    assertThat(after.lease().id()).isEqualTo(A);
    assertThat(after.snapshots().count()).isEqualTo(1);
    assertThat(after.http()).isEqualTo(HttpProperties.NONE);
    assertThat(after.metadata()).isEmpty();
    assertThat(after.tags()).isEqualTo(BlobTags.NONE);
    assertThat(after.copy()).isNull();
  }

  @Test
  void deletingAndCreatingAgainGivesNewTimesAndVersions() {
    BlobProperties first = blob.put("a");
    blob.done(delete(DeletedSnapshots.NOT_SAID));
    assertThat(blob.find()).isNull();
    clock.addAndGet(-100 * Ticks.PER_SECOND);
    BlobProperties second = blob.put("b");
    assertThat(second.creationTicks()).isGreaterThan(first.creationTicks());
    assertThat(second.content().version()).isGreaterThan(first.content().version());
    assertThat(blob.content()).isEqualTo("b");
  }

  @Test
  void aReaderKeepsTheVersionItBeganWith() {
    BlobProperties old = blob.put("old content");
    blob.put("new");
    assertThat(blob.content(old)).isEqualTo("old content");
    assertThat(blob.content()).isEqualTo("new");
  }

  @Test
  void conditionsAndLeasesAreCheckedInTheirOrder() {
    blob.put("a");
    BlobTerms noOverwrite = blob.terms(noneMatch("*"), null);
    blob.refused(
        BlobErrors.BLOB_ALREADY_EXISTS, TestBlob.putBody(noOverwrite, BlobType.BLOCK, "b"));
    blob.refused(
        BlobErrors.CONDITION_NOT_MET,
        TestBlob.putBody(blob.terms(match("0x1"), null), BlobType.BLOCK, "b"));
    blob.refused(
        BlobErrors.BLOB_WITHOUT_LEASE,
        TestBlob.putBody(blob.terms(match("0x1"), A), BlobType.BLOCK, "b"));
    blob.refused(BlobErrors.INVALID_BLOB_TYPE, TestBlob.putBody(blob.terms(), BlobType.APPEND, ""));
    blob.done(new LeaseBody(Conditions.NONE, blob.now(), new LeaseAction.Acquire(A, 15)));
    blob.refused(
        BlobErrors.BLOB_LEASE_ID_MISSING, TestBlob.putBody(noOverwrite, BlobType.BLOCK, "b"));
    blob.refused(
        BlobErrors.BLOB_LEASE_MISMATCH,
        TestBlob.putBody(blob.terms(Conditions.NONE, B), BlobType.BLOCK, "b"));
    blob.refused(BlobErrors.BLOB_LEASE_ID_MISSING, blob.block("id", "x"));
    blob.refused(BlobErrors.BLOB_LEASE_ID_MISSING, delete(DeletedSnapshots.NOT_SAID));
    String etag = BlobETag.quoted(blob.require().changedTicks());
    blob.done(TestBlob.putBody(blob.terms(match(etag), A), BlobType.BLOCK, "b"));
    assertThat(blob.content()).isEqualTo("b");
  }

  @Test
  void conditionsOnABlobThatIsNotThere() {
    blob.refused(
        BlobErrors.CONDITION_NOT_MET,
        TestBlob.putBody(blob.terms(match("*"), null), BlobType.BLOCK, "a"));
    blob.refused(
        BlobErrors.BLOB_WITHOUT_LEASE,
        TestBlob.putBody(blob.terms(Conditions.NONE, A), BlobType.BLOCK, "a"));
    blob.refused(BlobErrors.BLOB_NOT_FOUND, metadata(blob.terms(), Map.of()));
    blob.refused(BlobErrors.BLOB_NOT_FOUND, blob.append("x"));
    blob.refused(BlobErrors.BLOB_NOT_FOUND, delete(DeletedSnapshots.INCLUDE));
    blob.refused(BlobErrors.BLOB_NOT_FOUND, new SnapshotBody(blob.terms(), null));
    blob.refused(
        BlobErrors.BLOB_NOT_FOUND,
        new LeaseBody(Conditions.NONE, blob.now(), new LeaseAction.Break(null)));
    blob.done(TestBlob.putBody(blob.terms(noneMatch("*"), null), BlobType.BLOCK, "a"));
  }

  @Test
  void metadataIsReplacedWithANewTag() {
    BlobProperties put = blob.put("a");
    BlobProperties changed = blob.done(metadata(blob.terms(), Map.of("k", "v")));
    assertThat(changed.metadata()).isEqualTo(Map.of("k", "v"));
    assertThat(changed.changedTicks()).isGreaterThan(put.changedTicks());
    assertThat(changed.content()).isEqualTo(put.content());
    assertThat(changed.creationTicks()).isEqualTo(put.creationTicks());
  }

  @Test
  void tagsAndTiersKeepTheETag() {
    BlobProperties put = blob.put("a");
    BlobProperties tagged =
        blob.done(
            new ChangeBody(
                blob.terms(), true, (b, ticks) -> b.withTags(BlobTags.parseHeader("a=b"))));
    assertThat(tagged.changedTicks()).isEqualTo(put.changedTicks());
    assertThat(tagged.tags().values()).containsEntry("a", "b");
  }

  @Test
  void aChangeMayRefuseTheBlob() {
    blob.put("a");
    ChangeBody.Change seal =
        new ChangeBody.Change() {
          @Override
          public @Nullable ServiceError refusal(BlobProperties found) {
            return found.type() == BlobType.APPEND ? null : BlobErrors.INVALID_BLOB_TYPE;
          }

          @Override
          public BlobProperties apply(BlobProperties found, long ticks) {
            return found.sealed(ticks);
          }
        };
    blob.refused(BlobErrors.INVALID_BLOB_TYPE, new ChangeBody(blob.terms(), true, seal));
  }

  /** The worked example of blob-rest 19. */
  @Test
  void appendsHavePositions() {
    blob.createAppendBlob();
    AppendBody.Appended first = blob.done(blob.append("line1\n"));
    assertThat(first.offset()).isZero();
    assertThat(first.blob().content().blocks()).isEqualTo(1);
    AppendBody.Appended second = blob.done(TestBlob.append(blob.terms(), 6L, null, "line2\n"));
    assertThat(second.offset()).isEqualTo(6);
    assertThat(second.blob().content().blocks()).isEqualTo(2);
    assertThat(second.blob().changedTicks()).isGreaterThan(first.blob().changedTicks());
    blob.refused(
        BlobErrors.APPEND_POSITION_NOT_MET, TestBlob.append(blob.terms(), 6L, null, "line3\n"));
    blob.refused(
        BlobErrors.MAX_BLOB_SIZE_NOT_MET, TestBlob.append(blob.terms(), null, 17L, "line3\n"));
    blob.done(TestBlob.append(blob.terms(), null, 18L, "line3\n"));
    assertThat(blob.content()).isEqualTo("line1\nline2\nline3\n");
    assertThat(blob.content(blob.require(), new ByteRange(7, 13))).isEqualTo("ine2\nli");
  }

  @Test
  void anAppendTouchesThreeRowsHoweverLongTheBlobIs() {
    blob.createAppendBlob();
    for (int i = 0; i < 50; i++) {
      Set<String> before = entries();
      blob.done(blob.append("x"));
      Set<String> after = entries();
      after.removeAll(before);
      assertThat(after).hasSize(3);
    }
    assertThat(blob.content()).isEqualTo("x".repeat(50));
  }

  @Test
  void appendsEndWithTheSealAndWithTheBound() {
    blob.createAppendBlob();
    blob.done(blob.append("a"));
    blob.refused(
        BlobErrors.COMMITTED_BLOCKS_EXCEED_LIMIT,
        new AppendBody(blob.terms(), null, null, 1, NewContent.ofBytes(new byte[1])));
    ChangeBody.Change seal = (found, ticks) -> found.sealed(ticks);
    long appendedTicks = blob.require().changedTicks();
    BlobProperties sealed = blob.done(new ChangeBody(blob.terms(), true, seal));
    assertThat(sealed.changedTicks()).isGreaterThan(appendedTicks);
    assertThat(blob.done(new ChangeBody(blob.terms(), true, seal))).isEqualTo(sealed);
    blob.refused(BlobErrors.BLOB_IS_SEALED, blob.append("b"));
    blob.createAppendBlob();
    assertThat(blob.content()).isEmpty();
    blob.done(blob.append("c"));
    assertThat(blob.content()).isEqualTo("c");
  }

  @Test
  void onlyAppendBlobsGrow() {
    blob.put("a");
    blob.refused(BlobErrors.INVALID_BLOB_TYPE, blob.append("b"));
  }

  @Test
  void aWriteWithoutAnIdForgetsAnExpiredLease() {
    blob.put("a");
    blob.done(new LeaseBody(Conditions.NONE, blob.now(), new LeaseAction.Acquire(A, 15)));
    clock.addAndGet(16 * Ticks.PER_SECOND);
    assertThat(blob.require().lease().state(blob.now())).isEqualTo(LeaseState.EXPIRED);
    blob.refused(
        BlobErrors.BLOB_LEASE_LOST, metadata(blob.terms(Conditions.NONE, A), Map.of("a", "b")));
    blob.done(metadata(blob.terms(), Map.of("a", "b")));
    assertThat(blob.require().lease().state(blob.now())).isEqualTo(LeaseState.AVAILABLE);
    blob.refused(
        BlobErrors.BLOB_LEASE_ACTION_MISMATCH,
        new LeaseBody(Conditions.NONE, blob.now(), new LeaseAction.Renew(A)));
  }

  @Test
  void leasesKeepTheETag() {
    long ticks = blob.put("a").changedTicks();
    LeaseBody.Leased leased =
        blob.done(new LeaseBody(Conditions.NONE, blob.now(), new LeaseAction.Acquire(A, 60)));
    assertThat(leased.blob().changedTicks()).isEqualTo(ticks);
    LeaseBody.Leased broken =
        blob.done(new LeaseBody(Conditions.NONE, blob.now(), new LeaseAction.Break(5)));
    assertThat(broken.secondsLeft()).isEqualTo(5);
  }

  @Test
  void aSnapshotIsFrozenAndCopiesNoBytes() {
    blob.put("before");
    int rows = blob.rows().size();
    SnapshotBody.Taken taken = blob.done(new SnapshotBody(blob.terms(), null));
    assertThat(blob.rows()).hasSize(rows + 1);
    assertThat(taken.snapshot().changedTicks()).isEqualTo(blob.require().changedTicks());
    blob.put("after");
    assertThat(blob.content(blob.snapshot(taken.ticks()))).isEqualTo("before");
    assertThat(blob.content()).isEqualTo("after");
  }

  @Test
  void aSnapshotHasATierOfItsOwn() {
    blob.put("a");
    SnapshotBody.Taken first = blob.done(new SnapshotBody(blob.terms(), null));
    SnapshotBody.Taken second = blob.done(new SnapshotBody(blob.terms(), null));
    BlobProperties before = blob.require();
    BlobProperties cooled =
        blob.done(
            new SnapshotTierBody(
                blob.terms(), NamedState.snapshot(first.ticks()), AccessTier.COOL));
    TierChoice tier = Objects.requireNonNull(cooled.tier());
    assertThat(tier.tier()).isEqualTo(AccessTier.COOL);
    assertThat(tier.changedTicks()).isGreaterThan(first.ticks());
    assertThat(cooled).isEqualTo(first.snapshot().withTier(new TierState(tier, null)));
    assertThat(blob.snapshot(first.ticks())).isEqualTo(cooled);
    assertThat(blob.snapshot(second.ticks())).isEqualTo(second.snapshot());
    assertThat(blob.require()).isEqualTo(before);
    blob.refused(
        BlobErrors.BLOB_NOT_FOUND,
        new SnapshotTierBody(
            blob.terms(), NamedState.snapshot(second.ticks() + 1), AccessTier.COOL));
    blob.refused(
        BlobErrors.BLOB_WITHOUT_LEASE,
        new SnapshotTierBody(
            blob.terms(Conditions.NONE, A), NamedState.snapshot(first.ticks()), AccessTier.HOT));
  }

  @Test
  void theSnapshotOfAnAppendBlobHasNoTier() {
    blob.createAppendBlob();
    SnapshotBody.Taken taken = blob.done(new SnapshotBody(blob.terms(), null));
    blob.refused(
        BlobErrors.TIER_NOT_SUPPORTED,
        new SnapshotTierBody(blob.terms(), NamedState.snapshot(taken.ticks()), AccessTier.COOL));
  }

  @Test
  void aSnapshotOfAnAppendBlobDoesNotGrow() {
    blob.createAppendBlob();
    blob.done(blob.append("one"));
    SnapshotBody.Taken taken = blob.done(new SnapshotBody(blob.terms(), null));
    blob.done(blob.append("two"));
    assertThat(blob.content(blob.snapshot(taken.ticks()))).isEqualTo("one");
    assertThat(blob.content()).isEqualTo("onetwo");
  }

  @Test
  void snapshotTimesRiseWhileTheClockStandsStill() {
    blob.put("a");
    List<Long> times = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      times.add(blob.done(new SnapshotBody(blob.terms(), null)).ticks());
    }
    assertThat(times).isSorted().doesNotHaveDuplicates();
    assertThat(blob.require().snapshots().count()).isEqualTo(5);
  }

  @Test
  void aSnapshotWithMetadataOfItsOwnHasItsOwnTag() {
    BlobProperties put = blob.put("a");
    SnapshotBody.Taken taken = blob.done(new SnapshotBody(blob.terms(), Map.of("s", "1")));
    assertThat(taken.snapshot().metadata()).isEqualTo(Map.of("s", "1"));
    assertThat(taken.snapshot().changedTicks()).isGreaterThan(put.changedTicks());
    assertThat(blob.require().metadata()).isEmpty();
    assertThat(blob.require().changedTicks()).isEqualTo(put.changedTicks());
  }

  @Test
  void aBlobWithSnapshotsIsDeletedOnlyOnDemand() {
    blob.put("a");
    long first = blob.done(new SnapshotBody(blob.terms(), null)).ticks();
    blob.done(new SnapshotBody(blob.terms(), null));
    blob.refused(BlobErrors.SNAPSHOTS_PRESENT, delete(DeletedSnapshots.NOT_SAID));
    blob.done(new DeleteSnapshotBody(Conditions.NONE, first, 0));
    blob.refused(BlobErrors.BLOB_NOT_FOUND, new DeleteSnapshotBody(Conditions.NONE, first, 0));
    blob.refused(BlobErrors.SNAPSHOTS_PRESENT, delete(DeletedSnapshots.NOT_SAID));
    blob.done(delete(DeletedSnapshots.ONLY));
    assertThat(blob.require().snapshots().count()).isZero();
    assertThat(blob.kinds()).doesNotContain("s");
    blob.done(delete(DeletedSnapshots.NOT_SAID));
    assertThat(blob.find()).isNull();
  }

  @Test
  void manySnapshotsGoInSeveralTransactionsAndTheBlobWithTheLast() {
    blob.put("a");
    for (int i = 0; i < DeleteBody.SNAPSHOTS_MAX + 5; i++) {
      blob.done(new SnapshotBody(blob.terms(), null));
    }
    assertThat(blob.run(delete(DeletedSnapshots.INCLUDE)))
        .isEqualTo(TransactionResult.done(DeleteBody.Outcome.UNCHECKED, false));
    assertThat(blob.run(delete(DeletedSnapshots.INCLUDE).asChecked()))
        .isEqualTo(TransactionResult.done(DeleteBody.Outcome.SNAPSHOTS_LEFT, true));
    assertThat(blob.require().snapshots().count()).isEqualTo(5);
    blob.done(delete(DeletedSnapshots.INCLUDE));
    assertThat(blob.find()).isNull();
    assertThat(blob.kinds()).doesNotContain("s");
  }

  private DeleteBody delete(DeletedSnapshots snapshots) {
    return new DeleteBody(blob.terms(), snapshots);
  }

  private static ChangeBody metadata(BlobTerms terms, Map<String, String> metadata) {
    return new ChangeBody(terms, true, (found, ticks) -> found.withMetadata(metadata, ticks));
  }

  private Set<String> entries() {
    Set<String> entries = new HashSet<>();
    blob.rows().forEach((row, value) -> entries.add(row + "=" + value));
    return entries;
  }

  private static Conditions match(String tag) {
    return new Conditions(ETagCondition.parse("If-Match", tag), null, null, null);
  }

  private static Conditions noneMatch(String tag) {
    return new Conditions(null, ETagCondition.parse("If-None-Match", tag), null, null);
  }
}
