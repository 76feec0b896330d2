package io.lazuli.server.blob.service;

import static io.lazuli.server.blob.service.BlobsUnderTest.at;
import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.server.blob.model.BlobProperties;
import io.lazuli.server.blob.model.BlobType;
import io.lazuli.server.blob.model.SnapshotCount;
import io.lazuli.server.blob.model.SnapshotTime;
import io.lazuli.server.blob.protection.BlobProtection;
import io.lazuli.server.blob.protection.SoftDeletion;
import io.lazuli.server.blob.request.DeletedSnapshots;
import io.lazuli.server.blob.request.FormerStates;
import io.lazuli.server.blob.request.RequestTerms;
import io.lazuli.server.blob.service.BlobOperation.DeleteBlob;
import io.lazuli.server.blob.service.BlobOutcome.BlobDeleted;
import io.lazuli.server.blob.service.BlobOutcome.ListedBlob;
import io.lazuli.server.blob.service.BlobOutcome.ListedItem;
import io.lazuli.storage.Ticks;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Soft delete of blobs and snapshots, with a clock that the tests move (blob-features 2). */
class SoftDeleteTest extends ProtectedBlobs {
  private static final FormerStates DELETED = new FormerStates(true, false, false);
  private static final long DAY = 24 * 60 * 60 * Ticks.PER_SECOND;

  SoftDeleteTest() {
    super(new BlobProtection(false, 7, false));
  }

  @Test
  void aDeletedBlobIsInvisibleAndReturnsAsItWas() {
    BlobProperties before = blobs.put("a", bytes("one"));
    assertThat(deleted("a", DeletedSnapshots.NOT_SAID)).isFalse();
    assertRefused("BlobNotFound", () -> blobs.get("a"));
    assertRefused("BlobNotFound", () -> blobs.delete("a", DeletedSnapshots.NOT_SAID));
    assertThat(list(false, FormerStates.NONE)).isEmpty();
    assertThat(list(false, DELETED)).containsExactly("a deleted");

    undelete("a");
    assertThat(blobs.properties("a").withSnapshots(SnapshotCount.NONE)).isEqualTo(before);
    assertThat(text("a")).isEqualTo("one");
    assertThat(list(false, DELETED)).containsExactly("a");
  }

  @Test
  void onlyARestoredBlobIsFoundByItsTags() {
    blobs.putTagged("a", "k=1", RequestTerms.NONE);
    deleted("a", DeletedSnapshots.NOT_SAID);
    assertThat(blobs.find("k='1'")).isEmpty();
    undelete("a");
    assertThat(blobs.find("k='1'")).containsExactly("a");
    blobs.putTagged("a", "k=2", RequestTerms.NONE);
    assertThat(blobs.find("k='1'")).isEmpty();
    assertThat(blobs.find("k='2'")).containsExactly("a");
  }

  @Test
  void nothingToRestore() {
    assertRefused("BlobNotFound", () -> undelete("never"));
    blobs.put("a", bytes("one"));
    undelete("a");
    assertThat(text("a")).isEqualTo("one");
  }

  @Test
  void withoutRetentionNothingIsKept() {
    protection = BlobProtection.NONE;
    blobs.put("a", bytes("one"));
    blobs.put("a", bytes("two"));
    assertThat(deleted("a", DeletedSnapshots.NOT_SAID)).isTrue();
    assertRefused("BlobNotFound", () -> undelete("a"));
    assertThat(list(true, DELETED)).isEmpty();
  }

  /** Observed: CloudBlockBlobTests of the legacy SDK. */
  @Test
  void fourWritesListAsOneBlobAndThreeDeletedSnapshots() {
    for (String text : List.of("1", "2", "3", "4")) {
      blobs.put("a", bytes(text));
    }
    assertThat(list(true, DELETED))
        .containsExactly("a s deleted", "a s deleted", "a s deleted", "a");
    assertThat(list(false, DELETED)).containsExactly("a");
    assertThat(list(true, FormerStates.NONE)).containsExactly("a");

    undelete("a");
    assertThat(text("a")).isEqualTo("4");
    assertThat(list(true, FormerStates.NONE)).containsExactly("a s", "a s", "a s", "a");
    assertThat(blobs.properties("a").snapshots().count()).isEqualTo(3);
  }

  @Test
  void aBlockListAndACopyKeepTheReplacedStateToo() {
    blobs.put("a", bytes("1"));
    blobs.putBlock("a", "b1", bytes("2"));
    blobs.commit("a", List.of(BlobsUnderTest.latest("b1")));
    blobs.put("b", bytes("3"));
    blobs.copy("b", null, "a");
    assertThat(list(true, DELETED)).containsExactly("a s deleted", "a s deleted", "a", "b");
    blobs.clean();
    undelete("a");
    assertThat(snapshotTexts("a")).containsExactly("1", "2");
    assertThat(text("a")).isEqualTo("3");
  }

  @Test
  void snapshotsAreDeletedAloneOrWithTheirBlob() {
    blobs.put("a", bytes("1"));
    long first = blobs.snapshot("a");
    long second = blobs.snapshot("a");
    blobs.deleteSnapshot("a", first);
    assertRefused("BlobNotFound", () -> blobs.open("a", first, null));
    assertThat(list(true, DELETED)).containsExactly("a s deleted", "a s", "a");
    assertRefused("SnapshotsPresent", () -> blobs.delete("a", DeletedSnapshots.NOT_SAID));

    assertThat(deleted("a", DeletedSnapshots.ONLY)).isFalse();
    assertThat(list(true, DELETED)).containsExactly("a s deleted", "a s deleted", "a");
    undelete("a");
    assertThat(list(true, DELETED)).containsExactly("a s", "a s", "a");

    assertThat(deleted("a", DeletedSnapshots.INCLUDE)).isFalse();
    assertThat(list(true, DELETED)).containsExactly("a s deleted", "a s deleted", "a deleted");
    undelete("a");
    assertThat(blobs.open("a", second, null).properties().changedTicks())
        .isEqualTo(blobs.properties("a").changedTicks());
    assertThat(blobs.properties("a").snapshots().count()).isEqualTo(2);
  }

  @Test
  void aBlobThatReplacedADeletedOneStays() {
    blobs.put("a", bytes("old"));
    blobs.delete("a", DeletedSnapshots.NOT_SAID);
    blobs.put("a", bytes("new"));
    assertThat(list(true, DELETED)).containsExactly("a s deleted", "a");
    undelete("a");
    assertThat(text("a")).isEqualTo("new");
    assertThat(snapshotTexts("a")).containsExactly("old");
  }

  @Test
  void aBlobThatIsDeletedAgainAndAgainReturnsWithItsLastState() {
    for (String text : List.of("1", "2", "3")) {
      blobs.put("a", bytes(text));
      blobs.delete("a", DeletedSnapshots.NOT_SAID);
    }
    assertThat(list(true, DELETED)).containsExactly("a s deleted", "a s deleted", "a deleted");
    undelete("a");
    assertThat(text("a")).isEqualTo("3");
    assertThat(snapshotTexts("a")).containsExactly("1", "2");
  }

  @Test
  void blocksOnADeletedNameStay() {
    blobs.put("a", bytes("old"));
    blobs.delete("a", DeletedSnapshots.NOT_SAID);
    blobs.putBlock("a", "b1", bytes("new"));
    undelete("a");
    assertThat(text("a")).isEqualTo("old");
    blobs.commit("a", List.of(BlobsUnderTest.latest("b1")));
    assertThat(text("a")).isEqualTo("new");
  }

  @Test
  void anotherTypeDestroysTheDeletedStates() {
    blobs.put("a", bytes("old"));
    blobs.delete("a", DeletedSnapshots.NOT_SAID);
    blobs.createAppendBlob("a");
    assertThat(list(true, DELETED)).containsExactly("a");
    undelete("a");
    assertThat(list(true, DELETED)).containsExactly("a");
    assertThat(blobs.properties("a").type()).isEqualTo(BlobType.APPEND);
  }

  @Test
  void theCollectorKeepsTheContentOfDeletedStates() {
    byte[] large = new byte[300_000];
    large[1] = 7;
    blobs.put("a", large);
    blobs.put("a", bytes("two"));
    blobs.delete("a", DeletedSnapshots.NOT_SAID);
    clock.addAndGet(2 * DAY);
    blobs.clean();
    BlobsUnderTest.round(blobs.collector());
    undelete("a");
    assertThat(text("a")).isEqualTo("two");
    assertThat(blobs.get("a", snapshots("a").get(0), null)).isEqualTo(large);
  }

  @Test
  void afterTheRetentionNothingIsLeft() {
    blobs.put("a", new byte[300_000]);
    blobs.put("a", bytes("two"));
    blobs.delete("a", DeletedSnapshots.NOT_SAID);
    blobs.put("stays", bytes("x"));
    blobs.put("stays", bytes("y"));
    clock.addAndGet(7 * DAY - Ticks.PER_SECOND);
    assertThat(list(true, DELETED))
        .containsExactly("a s deleted", "a deleted", "stays s deleted", "stays");
    clock.addAndGet(2 * Ticks.PER_SECOND);
    assertThat(list(true, DELETED)).containsExactly("stays");
    assertRefused("BlobNotFound", () -> undelete("a"));

    clock.addAndGet(120 * Ticks.PER_SECOND);
    BlobsUnderTest.round(blobs.collector());
    blobs.clean();
    clock.addAndGet(DAY);
    BlobsUnderTest.round(blobs.collector());
    assertThat(blobs.rowKinds("a")).isEmpty();
    assertThat(blobs.storedChunks()).isEmpty();
    assertThat(text("stays")).isEqualTo("y");
  }

  @Test
  void theRetentionIsThatOfTheDeletion() {
    blobs.put("a", bytes("1"));
    blobs.delete("a", DeletedSnapshots.NOT_SAID);
    protection = new BlobProtection(false, 1, false);
    blobs.put("b", bytes("1"));
    blobs.delete("b", DeletedSnapshots.NOT_SAID);
    protection = BlobProtection.NONE;
    clock.addAndGet(2 * DAY);
    BlobsUnderTest.round(blobs.collector());
    assertThat(list(false, DELETED)).containsExactly("a deleted");
    undelete("a");
    assertThat(text("a")).isEqualTo("1");
    assertRefused("BlobNotFound", () -> undelete("b"));
  }

  @Test
  void manySnapshotsAreDeletedAndRestored() {
    blobs.put("a", bytes("1"));
    for (int i = 0; i < 700; i++) {
      blobs.snapshot("a");
    }
    blobs.delete("a", DeletedSnapshots.INCLUDE);
    assertThat(list(true, FormerStates.NONE)).isEmpty();
    assertThat(list(true, DELETED)).hasSize(701);
    undelete("a");
    assertThat(list(true, FormerStates.NONE)).hasSize(701);
    assertThat(blobs.properties("a").snapshots().count()).isEqualTo(700);
    blobs.delete("a", DeletedSnapshots.INCLUDE);
  }

  @Test
  void pagesOfDeletedStatesShowEachOnce() {
    for (int i = 0; i < 9; i++) {
      blobs.put("a", bytes("" + i));
      long taken = blobs.snapshot("a");
      if (i % 3 == 0) {
        blobs.deleteSnapshot("a", taken);
      }
    }
    List<ListedBlob> all = items(100, true, DELETED);
    assertThat(all).hasSize(18);
    for (int max = 1; max < 8; max++) {
      assertThat(items(max, true, DELETED).stream().map(ListedItem::at).toList())
          .isEqualTo(all.stream().map(ListedItem::at).toList());
    }
    List<Long> times =
        all.stream().map(ListedBlob::snapshotTicks).filter(Objects::nonNull).toList();
    assertThat(times).isSorted().doesNotHaveDuplicates();
  }

  @Test
  void theTimesOfADeletedBlobAreShown() {
    blobs.put("a", bytes("1"));
    blobs.delete("a", DeletedSnapshots.NOT_SAID);
    ListedBlob listed = items(10, false, DELETED).get(0);
    SoftDeletion deletion = Objects.requireNonNull(listed.properties().optional().deletion());
    assertThat(deletion.endTicks() - deletion.deletedTicks()).isBetween(7 * DAY - 1_000, 7 * DAY);
    assertThat(SnapshotTime.text(deletion.deletedTicks())).isNotEmpty();
  }

  private boolean deleted(String blob, DeletedSnapshots snapshots) {
    return ((BlobDeleted) blobs.run(new DeleteBlob(at(blob), snapshots, RequestTerms.NONE)))
        .permanent();
  }

  private List<String> list(boolean snapshots, FormerStates former) {
    return items(5_000, snapshots, former).stream().map(SoftDeleteTest::described).toList();
  }

  private static String described(ListedBlob blob) {
    String snapshot = blob.snapshotTicks() == null ? "" : " s";
    String deleted = blob.properties().optional().deletion() == null ? "" : " deleted";
    return blob.name().text() + snapshot + deleted;
  }

  private List<Long> snapshots(String blob) {
    return items(5_000, true, FormerStates.NONE).stream()
        .filter(item -> item.name().text().equals(blob))
        .map(ListedBlob::snapshotTicks)
        .filter(Objects::nonNull)
        .toList();
  }

  private List<String> snapshotTexts(String blob) {
    return snapshots(blob).stream()
        .map(ticks -> new String(blobs.get(blob, ticks, null), StandardCharsets.UTF_8))
        .toList();
  }

  private String text(String blob) {
    return new String(blobs.get(blob), StandardCharsets.UTF_8);
  }
}
