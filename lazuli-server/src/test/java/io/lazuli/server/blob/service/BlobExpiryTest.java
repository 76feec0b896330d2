package io.lazuli.server.blob.service;

import static io.lazuli.server.blob.service.BlobsUnderTest.at;
import static io.lazuli.server.blob.service.BlobsUnderTest.refusal;
import static io.lazuli.server.blob.service.BlobsUnderTest.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.server.blob.model.BlobErrors;
import io.lazuli.server.blob.model.BlobProperties;
import io.lazuli.server.blob.model.LeaseAction;
import io.lazuli.server.blob.model.PublicAccess;
import io.lazuli.server.blob.protection.BlobProtection;
import io.lazuli.server.blob.request.Conditions;
import io.lazuli.server.blob.request.DeletedSnapshots;
import io.lazuli.server.blob.request.Expiry;
import io.lazuli.server.blob.request.FormerStates;
import io.lazuli.server.blob.request.NameBounds;
import io.lazuli.server.blob.request.NamedState;
import io.lazuli.server.blob.request.RequestTerms;
import io.lazuli.server.blob.service.BlobOperation.CreateContainer;
import io.lazuli.server.blob.service.BlobOperation.GetBlob;
import io.lazuli.server.blob.service.BlobOperation.LeaseBlob;
import io.lazuli.server.blob.service.BlobOperation.ListBlobs;
import io.lazuli.server.blob.service.BlobOperation.ReplaceMetadata;
import io.lazuli.server.blob.service.BlobOperation.SetExpiry;
import io.lazuli.server.blob.service.BlobOperation.SetLegalHold;
import io.lazuli.server.blob.service.BlobOperation.SetTier;
import io.lazuli.server.blob.service.BlobOperation.UndeleteBlob;
import io.lazuli.server.blob.service.BlobOutcome.BlobChanged;
import io.lazuli.server.blob.service.BlobOutcome.BlobPage;
import io.lazuli.server.blob.tier.AccessTier;
import io.lazuli.server.error.CommonErrors;
import io.lazuli.storage.StorageEngine;
import io.lazuli.storage.StorageException;
import io.lazuli.storage.Ticks;
import io.lazuli.storage.faults.FaultyEngine;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Blobs that expire, with a clock that the tests move (blob-features 4.3). */
class BlobExpiryTest {
  private static final long HOUR = 60 * 60 * Ticks.PER_SECOND;
  private static final int HOUR_MILLIS = 60 * 60 * 1_000;
  private static final FormerStates ALL = new FormerStates(true, true, false);

  private final AtomicLong clock = new AtomicLong(Ticks.systemNow());
  private volatile BlobProtection protection = BlobProtection.NONE;
  private final Protections protections =
      (account, deadline) -> CompletableFuture.completedFuture(protection);
  private final FaultyEngine engine =
      new FaultyEngine(BlobsUnderTest.engine("memory", Path.of("unused"), clock::incrementAndGet));
  private final BlobsUnderTest blobs = BlobsUnderTest.protecting(engine, protections);

  @AfterEach
  void close() {
    engine.close();
  }

  @Test
  void anExpiredBlobIsGoneAtOnceAndRemovedLater() {
    BlobProperties before = blobs.put("a", text("1"));
    BlobProperties set = expire("a", new Expiry.AfterNow(HOUR_MILLIS));
    assertThat(set.changedTicks()).isGreaterThan(before.changedTicks());
    clock.addAndGet(HOUR - Ticks.PER_SECOND);
    assertThat(blobs.get("a")).isEqualTo(text("1"));
    assertThat(blobs.properties("a").optional().expiryTicks())
        .isEqualTo(set.optional().expiryTicks());
    clock.addAndGet(Ticks.PER_SECOND);
    assertGone("a");
    assertThat(blobs.rowKinds("a")).contains("p");
    clock.addAndGet(60 * Ticks.PER_SECOND);
    BlobsUnderTest.round(blobs.collector());
    blobs.clean();
    assertThat(blobs.rowKinds("a")).isEmpty();
    assertThat(blobs.dueRemovals()).isZero();
  }

  @Test
  void theTimeCountsFromNowFromTheCreationOrIsAbsolute() {
    BlobProperties made = blobs.put("a", text("1"));
    clock.addAndGet(HOUR);
    long now = clock.get();
    assertThat(expire("a", new Expiry.AfterCreation(2 * HOUR_MILLIS)).optional().expiryTicks())
        .isEqualTo(made.creationTicks() + 2 * HOUR);
    assertThat(expire("a", new Expiry.AfterNow(1_000)).optional().expiryTicks())
        .isBetween(now + Ticks.PER_SECOND, now + Ticks.PER_SECOND + 1_000);
    assertThat(expire("a", new Expiry.At(now + HOUR)).optional().expiryTicks())
        .isEqualTo(now + HOUR);
    assertThat(expire("a", new Expiry.AfterNow(Long.MAX_VALUE)).optional().expiryTicks())
        .isEqualTo(Expiry.LAST_TICKS);
    assertThat(expire("a", new Expiry.Never()).optional().expiryTicks()).isZero();
    for (Expiry past :
        List.of(
            new Expiry.AfterNow(0), new Expiry.AfterCreation(1_000), new Expiry.At(now - HOUR))) {
      assertThat(refusal(() -> expire("a", past))).isEqualTo(CommonErrors.INVALID_HEADER_VALUE);
    }
    clock.addAndGet(3 * HOUR);
    BlobsUnderTest.round(blobs.collector());
    assertThat(blobs.get("a")).isEqualTo(text("1"));
    assertThat(refusal(() -> expire("none", new Expiry.Never())))
        .isEqualTo(BlobErrors.BLOB_NOT_FOUND);
  }

  @Test
  void aLaterTimeReplacesAnEarlierOne() {
    blobs.put("a", text("1"));
    expire("a", new Expiry.AfterNow(HOUR_MILLIS));
    expire("a", new Expiry.AfterNow(4 * HOUR_MILLIS));
    clock.addAndGet(2 * HOUR);
    BlobsUnderTest.round(blobs.collector());
    assertThat(blobs.get("a")).isEqualTo(text("1"));
    clock.addAndGet(3 * HOUR);
    assertGone("a");
    BlobsUnderTest.round(blobs.collector());
    blobs.clean();
    assertThat(blobs.rowKinds("a")).isEmpty();
  }

  @Test
  void overwritingClearsTheExpiryAndOtherWritesKeepIt() {
    blobs.put("a", text("1"));
    long expiry = expire("a", new Expiry.AfterNow(HOUR_MILLIS)).optional().expiryTicks();
    blobs.run(new ReplaceMetadata(at("a"), Map.of("k", "v"), RequestTerms.NONE));
    blobs.setTags("a", "k=1");
    blobs.snapshot("a");
    assertThat(blobs.properties("a").optional().expiryTicks()).isEqualTo(expiry);
    blobs.copy("a", null, "copy");
    assertThat(blobs.properties("copy").optional().expiryTicks()).isZero();
    blobs.put("a", text("2"));
    assertThat(blobs.properties("a").optional().expiryTicks()).isZero();
    clock.addAndGet(2 * HOUR);
    BlobsUnderTest.round(blobs.collector());
    assertThat(blobs.get("a")).isEqualTo(text("2"));
  }

  @Test
  void theNameOfAnExpiredBlobIsFree() {
    blobs.putTagged("a", "k=1", RequestTerms.NONE);
    long snapshot = blobs.snapshot("a");
    UUID id = UUID.randomUUID();
    blobs.run(new LeaseBlob(at("a"), new LeaseAction.Acquire(id, -1), Conditions.NONE));
    RequestTerms leased = new RequestTerms(Conditions.NONE, id);
    assertThat(refusal(() -> expire("a", new Expiry.AfterNow(1_000))))
        .isEqualTo(BlobErrors.BLOB_LEASE_ID_MISSING);
    blobs.run(new SetExpiry(at("a"), new Expiry.AfterNow(1_000), leased));
    clock.addAndGet(HOUR);
    assertGone("a");
    assertThat(blobs.find("k='1'")).isEmpty();
    blobs.put("c", text("1"));
    expire("c", new Expiry.AfterNow(1));
    clock.addAndGet(HOUR);
    assertThat(refusal(() -> blobs.delete("c", DeletedSnapshots.INCLUDE)))
        .isEqualTo(BlobErrors.BLOB_NOT_FOUND);
    blobs.put("a", text("2"), BlobsUnderTest.ifNoneMatchAny());
    BlobProperties fresh = blobs.properties("a");
    assertThat(fresh.snapshots().count()).isZero();
    assertThat(fresh.lease().isInfinite()).isFalse();
    assertThat(
            refusal(
                () ->
                    blobs.run(
                        new GetBlob(
                            at("a"), NamedState.snapshot(snapshot), null, RequestTerms.NONE))))
        .isEqualTo(BlobErrors.BLOB_NOT_FOUND);
    blobs.putBlock("b", "1", text("x"));
    blobs.commit("b", List.of(BlobsUnderTest.latest("1")));
    expire("b", new Expiry.AfterNow(1_000));
    clock.addAndGet(HOUR);
    blobs.copy("a", null, "b");
    assertThat(blobs.get("b")).isEqualTo(text("2"));
  }

  @Test
  void manySnapshotsGoWithTheBlob() {
    blobs.put("a", text("1"));
    for (int i = 0; i < 1_000; i++) {
      blobs.snapshot("a");
    }
    expire("a", new Expiry.AfterNow(1_000));
    clock.addAndGet(HOUR);
    assertThat(list(new FormerStates(false, false, false))).isZero();
    blobs.put("a", text("2"));
    assertThat(blobs.properties("a").snapshots().count()).isZero();
    blobs.clean();
    assertThat(blobs.rowKinds("a")).doesNotContain("s");
  }

  @Test
  void aSnapshotIsGoneFromTheExpiryOfItsBlobOn() {
    blobs.put("a", text("1"));
    NamedState snapshot = NamedState.snapshot(blobs.snapshot("a"));
    expire("a", new Expiry.AfterNow(HOUR_MILLIS));
    clock.addAndGet(HOUR - Ticks.PER_SECOND);
    GetBlob get = new GetBlob(at("a"), snapshot, null, RequestTerms.NONE);
    blobs.run(get);
    clock.addAndGet(Ticks.PER_SECOND);
    assertThat(refusal(() -> blobs.run(get))).isEqualTo(BlobErrors.BLOB_NOT_FOUND);
    assertThat(refusal(() -> blobs.copy("a", snapshot.ticks(), "b")))
        .isEqualTo(BlobErrors.COPY_SOURCE_NOT_FOUND);
    assertThat(blobs.rowKinds("a")).contains("s");
    SetTier tier = new SetTier(at("a"), snapshot, AccessTier.COOL, null, RequestTerms.NONE);
    assertThat(refusal(() -> blobs.run(tier))).isEqualTo(BlobErrors.BLOB_NOT_FOUND);
    assertThat(blobs.rowKinds("a")).doesNotContain("s", "p");
  }

  /** The collector will find the hold and keep the blob, so the snapshot never disappears. */
  @Test
  void aProtectedSnapshotOfAnExpiredBlobCanBeRead() {
    blobs.put("a", text("1"));
    NamedState snapshot = NamedState.snapshot(blobs.snapshot("a"));
    blobs.run(new SetLegalHold(at("a"), snapshot, true));
    expire("a", new Expiry.AfterNow(1_000));
    clock.addAndGet(HOUR);
    GetBlob get = new GetBlob(at("a"), snapshot, null, RequestTerms.NONE);
    blobs.run(get);
    BlobsUnderTest.round(blobs.collector());
    blobs.run(get);
  }

  @Test
  void neitherRetentionNorVersionsKeepAnExpiredState() {
    protection = new BlobProtection(true, 7, false);
    blobs.put("a", text("1"));
    blobs.put("a", text("2"));
    expire("a", new Expiry.AfterNow(1_000));
    clock.addAndGet(HOUR);
    assertGone("a");
    assertThat(list(ALL)).isEqualTo(1);
    BlobsUnderTest.round(blobs.collector());
    assertThat(list(ALL)).isEqualTo(1);
    assertThat(blobs.put("a", text("3")).optional().expiryTicks()).isZero();
    assertThat(list(ALL)).isEqualTo(2);
  }

  @Test
  void aRestoredBlobDoesNotExpire() {
    protection = new BlobProtection(false, 7, false);
    blobs.put("a", text("1"));
    expire("a", new Expiry.AfterNow(HOUR_MILLIS));
    blobs.delete("a", DeletedSnapshots.NOT_SAID);
    clock.addAndGet(2 * HOUR);
    BlobsUnderTest.round(blobs.collector());
    blobs.run(new UndeleteBlob(at("a")));
    assertThat(blobs.get("a")).isEqualTo(text("1"));
    assertThat(blobs.properties("a").optional().expiryTicks()).isZero();
  }

  @Test
  void aBlobThatMayNotBeDeletedDoesNotExpire() {
    BlobProperties blob = blobs.put("a", text("1"));
    var held = blob.optional().withExpiryTicks(1).withLegalHold(true);
    assertThat(held.isExpired(2)).isFalse();
    assertThat(held.withLegalHold(false).isExpired(2)).isTrue();
    assertThat(held.withLegalHold(false).isExpired(0)).isFalse();
  }

  /** The row of the index comes first, so a failure leaves at most a row without use. */
  @Test
  void aFailedStepChangesNothing() {
    for (int passed = 0; passed < 2; passed++) {
      blobs.put("a", text("1"));
      engine.passNext(FaultyEngine.Call.TRANSACT, passed);
      engine.failNext(FaultyEngine.Call.TRANSACT, StorageException.Kind.UNAVAILABLE);
      assertThat(refusal(() -> expire("a", new Expiry.AfterNow(1_000)))).isNotNull();
      engine.failNoMore();
      clock.addAndGet(HOUR);
      BlobsUnderTest.round(blobs.collector());
      assertThat(blobs.get("a")).isEqualTo(text("1"));
      assertThat(blobs.dueRemovals()).isZero();
    }
    expire("a", new Expiry.AfterNow(1_000));
    clock.addAndGet(HOUR);
    // One transaction finds the expired blob, the next removes it, the third puts the new one.
    for (int passed = 0; passed < 3; passed++) {
      engine.passNext(FaultyEngine.Call.TRANSACT, passed);
      engine.failNext(FaultyEngine.Call.TRANSACT, StorageException.Kind.UNAVAILABLE);
      assertThat(refusal(() -> blobs.put("a", text("2")))).isNotNull();
      engine.failNoMore();
      assertGone("a");
    }
    blobs.put("a", text("2"));
    assertThat(blobs.get("a")).isEqualTo(text("2"));
  }

  @Test
  void theExpiryOutlivesTheServer(@TempDir Path folder) {
    StorageEngine first = BlobsUnderTest.engine("rocksdb", folder, clock::incrementAndGet);
    BlobsUnderTest before = new BlobsUnderTest(first, protections);
    before.run(new CreateContainer(BlobsUnderTest.CONTAINER, Map.of(), PublicAccess.NONE));
    before.put("a", BlobsUnderTest.bytes(3 << 20, 1));
    before.run(new SetExpiry(at("a"), new Expiry.AfterNow(1_000), RequestTerms.NONE));
    first.close();
    clock.addAndGet(HOUR);
    StorageEngine second = BlobsUnderTest.engine("rocksdb", folder, clock::incrementAndGet);
    BlobsUnderTest after = new BlobsUnderTest(second, protections);
    assertThat(refusal(() -> after.get("a"))).isEqualTo(BlobErrors.BLOB_NOT_FOUND);
    BlobsUnderTest.round(after.collector());
    after.clean();
    assertThat(after.rowKinds("a")).isEmpty();
    assertThat(after.storedChunks()).isEmpty();
    second.close();
  }

  private BlobProperties expire(String blob, Expiry expiry) {
    return ((BlobChanged) blobs.run(new SetExpiry(at(blob), expiry, RequestTerms.NONE)))
        .properties();
  }

  private void assertGone(String blob) {
    assertThat(refusal(() -> blobs.get(blob))).isEqualTo(BlobErrors.BLOB_NOT_FOUND);
    assertThat(refusal(() -> blobs.properties(blob))).isEqualTo(BlobErrors.BLOB_NOT_FOUND);
  }

  /** Returns the number of items in a listing with snapshots. */
  private int list(FormerStates former) {
    BlobPage page =
        (BlobPage)
            blobs.run(
                new ListBlobs(
                    BlobsUnderTest.CONTAINER,
                    "",
                    NameBounds.NONE,
                    "",
                    null,
                    100,
                    true,
                    false,
                    former));
    return page.items().size();
  }
}
