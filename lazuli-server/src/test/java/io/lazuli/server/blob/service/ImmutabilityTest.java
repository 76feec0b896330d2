package io.lazuli.server.blob.service;

import static io.lazuli.server.blob.service.BlobsUnderTest.at;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lazuli.server.blob.model.BlobProperties;
import io.lazuli.server.blob.model.BlobTags;
import io.lazuli.server.blob.model.BlobType;
import io.lazuli.server.blob.model.HttpProperties;
import io.lazuli.server.blob.page.SequenceConditions;
import io.lazuli.server.blob.protection.BlobProtection;
import io.lazuli.server.blob.protection.Immutability;
import io.lazuli.server.blob.protection.ImmutabilityPolicy;
import io.lazuli.server.blob.request.BlobSettings;
import io.lazuli.server.blob.request.ByteRange;
import io.lazuli.server.blob.request.Conditions;
import io.lazuli.server.blob.request.DeletedSnapshots;
import io.lazuli.server.blob.request.Expiry;
import io.lazuli.server.blob.request.NamedState;
import io.lazuli.server.blob.request.RequestTerms;
import io.lazuli.server.blob.service.BlobOperation.ChangePageBlob;
import io.lazuli.server.blob.service.BlobOperation.ClearPages;
import io.lazuli.server.blob.service.BlobOperation.CreatePageBlob;
import io.lazuli.server.blob.service.BlobOperation.DeleteVersion;
import io.lazuli.server.blob.service.BlobOperation.Erase;
import io.lazuli.server.blob.service.BlobOperation.GetBlob;
import io.lazuli.server.blob.service.BlobOperation.PutBlob;
import io.lazuli.server.blob.service.BlobOperation.PutBlockList;
import io.lazuli.server.blob.service.BlobOperation.ReplaceHttp;
import io.lazuli.server.blob.service.BlobOperation.ReplaceMetadata;
import io.lazuli.server.blob.service.BlobOperation.Seal;
import io.lazuli.server.blob.service.BlobOperation.SetExpiry;
import io.lazuli.server.blob.service.BlobOperation.SetLegalHold;
import io.lazuli.server.blob.service.BlobOperation.SetPolicy;
import io.lazuli.server.blob.service.BlobOperation.SetTier;
import io.lazuli.server.blob.service.BlobOutcome.BlobChanged;
import io.lazuli.server.blob.service.BlobOutcome.BlobOpened;
import io.lazuli.server.blob.tier.AccessTier;
import io.lazuli.server.error.ServiceException;
import io.lazuli.storage.StorageEngine;
import io.lazuli.storage.Ticks;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Immutability policies and legal holds, with a clock that the tests move (blob-features 6). */
class ImmutabilityTest {
  private static final String BY_POLICY = "BlobImmutableDueToPolicy";
  private static final String BY_HOLD = "BlobImmutableDueToLegalHold";
  private static final long DAY = 24 * 60 * 60 * Ticks.PER_SECOND;
  private static final BlobProtection VERSIONS = new BlobProtection(true, 0, false);

  private final AtomicLong clock = new AtomicLong(Ticks.of(Instant.parse("2026-03-01T12:00:00Z")));
  private volatile BlobProtection protection = VERSIONS;
  private final StorageEngine engine =
      BlobsUnderTest.engine("memory", Path.of("unused"), clock::get);
  private final BlobsUnderTest blobs =
      BlobsUnderTest.protecting(
          engine, (account, deadline) -> CompletableFuture.completedFuture(protection));

  @AfterEach
  void close() {
    engine.close();
  }

  @Test
  void aPolicyForbidsDeletionOfItsVersionUntilItsTime() {
    long first = put("1");
    setPolicy(null, days(2), false);
    put("2");
    refused(BY_POLICY, () -> deleteVersion(first));
    clock.addAndGet(2 * DAY - 1);
    refused(BY_POLICY, () -> deleteVersion(first));
    clock.addAndGet(1);
    deleteVersion(first);
    refused("BlobNotFound", () -> text(first));
  }

  @Test
  void aHoldHasNoEnd() {
    long first = put("1");
    setHold(null, true);
    put("2");
    clock.addAndGet(10_000 * DAY);
    refused(BY_HOLD, () -> deleteVersion(first));
    setHold(NamedState.version(first), false);
    deleteVersion(first);
  }

  @Test
  void overwritingAndDeletingKeepTheProtectedVersion() {
    long first = put("1");
    setPolicy(null, days(2), true);
    setHold(null, true);
    long second = put("2");
    BlobProperties previous = properties(NamedState.version(first));
    assertThat(previous.optional().immutability()).isEqualTo(new ImmutabilityPolicy(days(2), true));
    assertThat(previous.optional().legalHold()).isTrue();
    assertThat(blobs.properties("a").optional().immutability()).isNull();
    assertThat(blobs.properties("a").optional().legalHold()).isFalse();
    setPolicy(null, days(3), false);
    blobs.delete("a", DeletedSnapshots.NOT_SAID);
    refused("BlobNotFound", () -> blobs.get("a"));
    refused(BY_POLICY, () -> deleteVersion(second));
    blobs.clean();
    BlobsUnderTest.round(blobs.collector());
    assertThat(text(first)).isEqualTo("1");
    assertThat(text(second)).isEqualTo("2");
  }

  @Test
  void nothingChangesAProtectedVersion() {
    put("1");
    setPolicy(null, days(2), false);
    changesAreRefused(BY_POLICY);
    // A policy forbids changes even after its time.
    clock.addAndGet(3 * DAY);
    changesAreRefused(BY_POLICY);
    blobs.run(new SetPolicy(at("a"), null, null, Conditions.NONE));
    setHold(null, true);
    changesAreRefused(BY_HOLD);
    setHold(null, false);
    blobs.run(new ReplaceMetadata(at("a"), Map.of("k", "v"), RequestTerms.NONE));
  }

  private void changesAreRefused(String code) {
    refused(code, () -> blobs.run(new ReplaceMetadata(at("a"), Map.of(), RequestTerms.NONE)));
    refused(
        code, () -> blobs.run(new ReplaceHttp(at("a"), HttpProperties.NONE, RequestTerms.NONE)));
    blobs.run(new SetTier(at("a"), null, AccessTier.COOL, null, RequestTerms.NONE));
    blobs.setTags("a", "t=1");
    blobs.putBlock("a", "b1", bytes("block"));
  }

  @Test
  void nothingIsAppendedToOrWrittenIntoAProtectedBlob() {
    blobs.createAppendBlob("log");
    blobs.append("log", bytes("1"));
    hold("log");
    refused(BY_HOLD, () -> blobs.append("log", bytes("2")));
    refused(BY_HOLD, () -> blobs.run(new Seal(at("log"), null, RequestTerms.NONE)));
    blobs.run(
        new CreatePageBlob(
            at("disk"),
            settings(new Immutability(new ImmutabilityPolicy(days(1), false), false)),
            RequestTerms.NONE,
            1_024,
            0));
    refused(BY_POLICY, () -> blobs.run(clear()));
    refused(
        BY_POLICY,
        () -> blobs.run(new ChangePageBlob(at("disk"), 512L, null, null, RequestTerms.NONE)));
  }

  private static BlobOperation clear() {
    return new ClearPages(
        at("disk"), new ByteRange(0, 511), SequenceConditions.NONE, RequestTerms.NONE);
  }

  @Test
  void aLockedPolicyIsOnlyExtended() {
    put("1");
    setPolicy(null, days(2), false);
    setPolicy(null, days(1), false);
    setPolicy(null, days(3), true);
    refused(BY_POLICY, () -> setPolicy(null, days(2), true));
    refused(BY_POLICY, () -> setPolicy(null, days(4), false));
    refused(BY_POLICY, () -> blobs.run(new SetPolicy(at("a"), null, null, Conditions.NONE)));
    setPolicy(null, days(3), true);
    setPolicy(null, days(5), true);
    clock.addAndGet(6 * DAY);
    setPolicy(null, days(1), false);
    blobs.run(new SetPolicy(at("a"), null, null, Conditions.NONE));
    assertThat(blobs.properties("a").optional().immutability()).isNull();
  }

  @Test
  void policiesEndInTheFutureAndOfExistingBlobs() {
    refused("BlobNotFound", () -> setPolicy(null, days(1), false));
    put("1");
    refused("InvalidHeaderValue", () -> setPolicy(null, clock.get(), false));
    NamedState unknown = NamedState.version(1);
    refused("BlobNotFound", () -> setPolicy(unknown, days(1), false));
    refused("BlobNotFound", () -> setHold(unknown, true));
    blobs.putBlock("b", "b1", bytes("block"));
    refused("BlobNotFound", () -> blobs.run(new SetLegalHold(at("b"), null, true)));
  }

  @Test
  void protectionLeavesTheETagAndNeedsNoLease() {
    put("1");
    BlobProperties before = blobs.properties("a");
    clock.addAndGet(DAY);
    setPolicy(null, days(1), false);
    setHold(null, true);
    assertThat(blobs.properties("a").changedTicks()).isEqualTo(before.changedTicks());
    assertThat(blobs.properties("a").optional().versionTicks())
        .isEqualTo(before.optional().versionTicks());
  }

  @Test
  void snapshotsAreProtectedOneByOne() {
    put("1");
    long first = blobs.snapshot("a");
    long second = blobs.snapshot("a");
    setPolicy(NamedState.snapshot(first), days(2), false);
    assertThat(blobs.properties("a").optional().immutability()).isNull();
    blobs.deleteSnapshot("a", second);
    refused(BY_POLICY, () -> blobs.deleteSnapshot("a", first));
    refused(BY_POLICY, () -> blobs.delete("a", DeletedSnapshots.INCLUDE));
    refused(BY_POLICY, () -> blobs.delete("a", DeletedSnapshots.ONLY));
    assertThat(blobs.properties("a").snapshots().count()).isEqualTo(1);
    clock.addAndGet(2 * DAY);
    blobs.delete("a", DeletedSnapshots.INCLUDE);
  }

  /** One transaction deletes up to 900 snapshots, or up to 300 that can be restored. */
  @Test
  void manySnapshotsAreDeletedTogetherOrNotAtAll() {
    protection = BlobProtection.NONE;
    put("1");
    for (int i = 0; i < 1_000; i++) {
      blobs.snapshot("a");
    }
    NamedState last = NamedState.snapshot(blobs.snapshot("a"));
    setHold(last, true);
    for (BlobProtection each : List.of(protection, new BlobProtection(false, 7, false))) {
      protection = each;
      refused(BY_HOLD, () -> blobs.delete("a", DeletedSnapshots.INCLUDE));
      refused(BY_HOLD, () -> blobs.delete("a", DeletedSnapshots.ONLY));
      assertThat(blobs.properties("a").snapshots().count()).isEqualTo(1_001);
    }
    protection = BlobProtection.NONE;
    setHold(last, false);
    blobs.delete("a", DeletedSnapshots.INCLUDE);
    refused("BlobNotFound", () -> text("a", last));
  }

  @Test
  void aSnapshotOfAProtectedBlobIsNotProtectedAndTheBlobStaysSo() {
    long version = put("1");
    setHold(null, true);
    long snapshot = blobs.snapshot("a");
    assertThat(blobs.properties("a").optional().legalHold()).isTrue();
    assertThat(properties(NamedState.version(version)).optional().legalHold()).isTrue();
    assertThat(properties(NamedState.snapshot(snapshot)).optional().legalHold()).isFalse();
    blobs.deleteSnapshot("a", snapshot);
  }

  @Test
  void aBlobWithoutVersionIsNeitherReplacedNorDeleted() {
    protection = BlobProtection.NONE;
    put("1");
    hold("a");
    refused(BY_HOLD, () -> put("2"));
    refused(BY_HOLD, () -> blobs.delete("a", DeletedSnapshots.NOT_SAID));
    blobs.put("b", bytes("b"));
    refused(BY_HOLD, () -> blobs.copy("b", null, "a"));
    blobs.putBlock("a", "b1", bytes("3"));
    refused(BY_HOLD, () -> blobs.commit("a", List.of(BlobsUnderTest.latest("b1"))));
    // Soft delete would keep it for some days only.
    protection = new BlobProtection(false, 7, false);
    refused(BY_HOLD, () -> put("2"));
    refused(BY_HOLD, () -> blobs.delete("a", DeletedSnapshots.NOT_SAID));
    protection = VERSIONS;
    put("2");
    assertThat(text("a", null)).isEqualTo("2");
  }

  @Test
  void protectionStaysInForceWhenVersionsAreSwitchedOff() {
    long first = put("1");
    setPolicy(null, days(2), false);
    protection = BlobProtection.NONE;
    put("2");
    refused(BY_POLICY, () -> deleteVersion(first));
    assertThat(text(first)).isEqualTo("1");
  }

  @Test
  void softDeleteNeverTakesAProtectedVersion() {
    protection = new BlobProtection(true, 1, true);
    long first = put("1");
    setPolicy(null, days(30), false);
    put("2");
    refused(BY_POLICY, () -> deleteVersion(first));
    clock.addAndGet(20 * DAY);
    BlobsUnderTest.round(blobs.collector());
    blobs.clean();
    assertThat(text(first)).isEqualTo("1");
  }

  /** A wrong clock ends the policy, a client deletes the version, and the clock is corrected. */
  @Test
  void aClockThatIsSetBackBringsPoliciesBack() {
    protection = new BlobProtection(true, 1, true);
    long first = put("1");
    setPolicy(null, days(30), false);
    long second = put("2");
    setPolicy(null, days(30), false);
    put("3");
    clock.addAndGet(40 * DAY);
    deleteVersion(first);
    clock.addAndGet(-40 * DAY);
    refused(BY_POLICY, () -> deleteVersion(second));
    refused(BY_POLICY, () -> blobs.run(new Erase(at("a"), NamedState.version(first))));
    clock.addAndGet(42 * DAY);
    long ahead = engine.now();
    clock.addAndGet(-42 * DAY);
    // The retention of the first version is over in the engine's time, which does not go back.
    assertThat(engine.now()).isGreaterThanOrEqualTo(ahead);
    BlobsUnderTest.round(blobs.collector());
    blobs.clean();
    assertThat(blobs.rowKinds("a")).contains("x");
    clock.addAndGet(60 * DAY);
    BlobsUnderTest.round(blobs.collector());
    blobs.clean();
    assertThat(blobs.rowKinds("a")).doesNotContain("x", "e");
    assertThat(text(second)).isEqualTo("2");
  }

  @Test
  void everyWayToCreateABlobProtectsIt() {
    Immutability both = new Immutability(new ImmutabilityPolicy(days(1), true), true);
    blobs.upload(
        new PutBlob(
            at("a"), BlobType.BLOCK, settings(both), RequestTerms.NONE, 1, BlobsUnderTest.ANY),
        bytes("1"));
    assertProtected(blobs.properties("a"));
    blobs.putBlock("b", "b1", bytes("2"));
    blobs.run(
        new PutBlockList(
            at("b"), List.of(BlobsUnderTest.latest("b1")), settings(both), RequestTerms.NONE));
    assertProtected(blobs.properties("b"));
    blobs.upload(
        new PutBlob(
            at("c"), BlobType.APPEND, settings(both), RequestTerms.NONE, 0, BlobsUnderTest.ANY),
        new byte[0]);
    assertProtected(blobs.properties("c"));
    blobs.run(new CreatePageBlob(at("d"), settings(both), RequestTerms.NONE, 512, 0));
    assertProtected(blobs.properties("d"));
    // A copy does not take over the protection of its source.
    assertThat(blobs.copy("a", null, "e").optional().immutability()).isNull();
  }

  private void assertProtected(BlobProperties blob) {
    assertThat(blob.optional().immutability()).isEqualTo(new ImmutabilityPolicy(days(1), true));
    assertThat(blob.optional().legalHold()).isTrue();
  }

  @Test
  void aProtectedBlobDoesNotExpire() {
    put("1");
    expire();
    hold("a");
    clock.addAndGet(2 * DAY);
    BlobsUnderTest.round(blobs.collector());
    assertThat(text("a", null)).isEqualTo("1");
    refused(BY_HOLD, this::expire);
    setHold(null, false);
    refused("BlobNotFound", () -> blobs.get("a"));
  }

  /** The clock cannot end a policy and remove the blob in one go. */
  @Test
  void aBlobWithAPolicyThatHasEndedDoesNotExpire() {
    put("1");
    expire();
    setPolicy(null, days(2), false);
    clock.addAndGet(30 * DAY);
    BlobsUnderTest.round(blobs.collector());
    assertThat(text("a", null)).isEqualTo("1");
    blobs.run(new SetPolicy(at("a"), null, null, Conditions.NONE));
    refused("BlobNotFound", () -> blobs.get("a"));
  }

  @Test
  void aProtectedSnapshotKeepsABlobThatExpires() {
    protection = BlobProtection.NONE;
    put("1");
    NamedState snapshot = NamedState.snapshot(blobs.snapshot("a"));
    expire();
    setHold(snapshot, true);
    clock.addAndGet(2 * DAY);
    BlobsUnderTest.round(blobs.collector());
    blobs.clean();
    assertThat(text("a", snapshot)).isEqualTo("1");
    assertThat(blobs.properties("a").optional().expiryTicks()).isZero();
    assertThat(blobs.properties("a").snapshots().count()).isEqualTo(1);
    put("2");
    assertThat(text("a", snapshot)).isEqualTo("1");
  }

  /** One transaction removes up to 900 snapshots. The hold is on the last of them. */
  @Test
  void aProtectedSnapshotKeepsAllSnapshotsOfABlobThatExpires() {
    protection = BlobProtection.NONE;
    put("1");
    for (int i = 0; i < 1_900; i++) {
      blobs.snapshot("a");
    }
    NamedState last = NamedState.snapshot(blobs.snapshot("a"));
    expire();
    setHold(last, true);
    clock.addAndGet(2 * DAY);
    BlobsUnderTest.round(blobs.collector());
    assertThat(blobs.properties("a").snapshots().count()).isEqualTo(1_901);
    assertThat(text("a", last)).isEqualTo("1");
    // A write that finds the expired blob goes the same way.
    expire();
    clock.addAndGet(2 * DAY);
    put("2");
    assertThat(blobs.properties("a").snapshots().count()).isEqualTo(1_901);
    setHold(last, false);
    expire();
    clock.addAndGet(2 * DAY);
    BlobsUnderTest.round(blobs.collector());
    blobs.clean();
    assertThat(blobs.rowKinds("a")).isEmpty();
  }

  private void expire() {
    blobs.run(new SetExpiry(at("a"), new Expiry.AfterNow(3_600_000), RequestTerms.NONE));
  }

  @Test
  void theOnlyConditionIsADate() {
    put("1");
    Conditions earlier = new Conditions(null, null, null, Instant.parse("2026-02-01T00:00:00Z"));
    ImmutabilityPolicy policy = new ImmutabilityPolicy(days(1), false);
    refused("ConditionNotMet", () -> blobs.run(new SetPolicy(at("a"), null, policy, earlier)));
    Conditions later = new Conditions(null, null, null, Instant.parse("2026-04-01T00:00:00Z"));
    blobs.run(new SetPolicy(at("a"), null, policy, later));
  }

  @Test
  void blobsWithoutProtectionCostNothing() {
    CountingEngine counting = new CountingEngine(engine);
    BlobsUnderTest counted =
        new BlobsUnderTest(
            counting, (account, deadline) -> CompletableFuture.completedFuture(protection));
    counted.put("a", bytes("1"));
    List<Integer> first = counting.calls();
    counted.put("a", bytes("2"));
    // One transaction and the read of the blob before its body; the container is known.
    assertThat(counting.calls().get(0) - first.get(0)).isEqualTo(1);
    assertThat(counting.calls().get(1) - first.get(1)).isEqualTo(1);
    List<Integer> second = counting.calls();
    counted.get("a");
    assertThat(counting.calls().get(0)).isEqualTo(second.get(0));
    assertThat(counting.calls().get(1) - second.get(1)).isEqualTo(2);
    assertThat(counting.calls().get(2) - second.get(2)).isEqualTo(2);
  }

  private long put(String content) {
    return blobs.put("a", bytes(content)).optional().versionTicks();
  }

  private long days(int days) {
    return clock.get() + days * DAY;
  }

  private void setPolicy(@Nullable NamedState state, long until, boolean locked) {
    BlobOutcome outcome =
        blobs.run(
            new SetPolicy(at("a"), state, new ImmutabilityPolicy(until, locked), Conditions.NONE));
    assertThat(((BlobChanged) outcome).properties().optional().immutability())
        .isEqualTo(new ImmutabilityPolicy(until, locked));
  }

  private void setHold(@Nullable NamedState state, boolean hold) {
    blobs.run(new SetLegalHold(at("a"), state, hold));
  }

  private void hold(String blob) {
    blobs.run(new SetLegalHold(at(blob), null, true));
  }

  private void deleteVersion(long ticks) {
    blobs.run(new DeleteVersion(at("a"), ticks, RequestTerms.NONE));
  }

  private BlobProperties properties(NamedState state) {
    return open("a", state).properties();
  }

  private BlobOpened open(String blob, @Nullable NamedState state) {
    return (BlobOpened) blobs.run(new GetBlob(at(blob), state, null, RequestTerms.NONE));
  }

  private String text(long version) {
    return text("a", NamedState.version(version));
  }

  private String text(String blob, @Nullable NamedState state) {
    try (BlobReader reader = open(blob, state).content()) {
      return new String(BlobsUnderTest.drain(reader), StandardCharsets.UTF_8);
    }
  }

  private static BlobSettings settings(Immutability immutability) {
    return new BlobSettings(HttpProperties.NONE, Map.of(), BlobTags.NONE, null, immutability);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static void refused(String code, Runnable work) {
    assertThatThrownBy(work::run)
        .isInstanceOfSatisfying(
            ServiceException.class, e -> assertThat(e.error().code()).isEqualTo(code));
  }
}
