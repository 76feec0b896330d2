package io.lazuli.server.blob.service;

import static io.lazuli.server.blob.service.BlobsUnderTest.at;
import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.server.blob.model.BlobProperties;
import io.lazuli.server.blob.protection.BlobProtection;
import io.lazuli.server.blob.request.DeletedSnapshots;
import io.lazuli.server.blob.request.FormerStates;
import io.lazuli.server.blob.request.ListMarker;
import io.lazuli.server.blob.request.NamedState;
import io.lazuli.server.blob.request.RequestTerms;
import io.lazuli.server.blob.service.BlobOperation.DeleteBlob;
import io.lazuli.server.blob.service.BlobOperation.DeleteVersion;
import io.lazuli.server.blob.service.BlobOperation.Erase;
import io.lazuli.server.blob.service.BlobOperation.GetBlob;
import io.lazuli.server.blob.service.BlobOperation.ReplaceHttp;
import io.lazuli.server.blob.service.BlobOperation.ReplaceMetadata;
import io.lazuli.server.blob.service.BlobOperation.SetTier;
import io.lazuli.server.blob.service.BlobOutcome.BlobDeleted;
import io.lazuli.server.blob.service.BlobOutcome.BlobOpened;
import io.lazuli.server.blob.service.BlobOutcome.BlobPage;
import io.lazuli.server.blob.service.BlobOutcome.ListedBlob;
import io.lazuli.server.blob.tier.AccessTier;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Blob versions, with a clock that the tests move (blob-features 3). */
class VersionsTest extends ProtectedBlobs {
  private static final BlobProtection VERSIONS = new BlobProtection(true, 0, false);
  private static final FormerStates WITH_VERSIONS = new FormerStates(false, true, false);
  private static final FormerStates WITH_DELETED = new FormerStates(true, true, false);

  VersionsTest() {
    super(VERSIONS);
  }

  @Test
  void everyWriteMakesAVersion() {
    long first = version(blobs.put("a", bytes("1")));
    long second = version(blobs.put("a", bytes("2")));
    blobs.putBlock("a", "b1", bytes("3"));
    long third = version(blobs.commit("a", List.of(BlobsUnderTest.latest("b1"))));
    blobs.put("b", bytes("4"));
    long fourth = version(blobs.copy("b", null, "a"));
    assertThat(List.of(first, second, third, fourth)).isSorted().doesNotHaveDuplicates();
    assertThat(list(false, WITH_VERSIONS))
        .containsExactly("a v 1", "a v 2", "a v 3", "a current 4", "b current 4");
    assertThat(list(false, FormerStates.NONE)).containsExactly("a current 4", "b current 4");
    blobs.clean();
    assertThat(text("a", first)).isEqualTo("1");
    assertThat(text("a", fourth)).isEqualTo("4");
    assertThat(open("a", first).properties().optional().previous()).isTrue();
    assertThat(open("a", fourth).properties().optional().previous()).isFalse();
    assertRefused("BlobNotFound", () -> open("a", first + 1));
  }

  @Test
  void metadataAndSnapshotsMakeVersionsAndSmallChangesDoNot() {
    BlobProperties put = blobs.put("a", bytes("1"));
    blobs.run(new ReplaceMetadata(at("a"), Map.of("k", "v"), RequestTerms.NONE));
    long snapshot = blobs.snapshot("a");
    BlobProperties current = blobs.properties("a");
    assertThat(version(current)).isGreaterThan(snapshot);
    assertThat(current.metadata()).containsEntry("k", "v");
    blobs.run(new SetTier(at("a"), null, AccessTier.COOL, null, RequestTerms.NONE));
    blobs.run(new ReplaceHttp(at("a"), put.http(), RequestTerms.NONE));
    assertThat(list(true, WITH_VERSIONS)).containsExactly("a v 1", "a v 1", "a s 1", "a current 1");
  }

  @Test
  void aVersionHasItsOwnCreationTimeAndTier() {
    long first = version(blobs.put("a", bytes("1")));
    blobs.run(new SetTier(at("a"), null, AccessTier.COOL, null, RequestTerms.NONE));
    BlobProperties second = blobs.put("a", bytes("2"));
    assertThat(second.creationTicks()).isEqualTo(second.changedTicks());
    assertThat(second.tier()).isNull();
    assertThat(open("a", first).properties().tier()).isNotNull();
    blobs.run(
        new SetTier(at("a"), NamedState.version(first), AccessTier.COLD, null, RequestTerms.NONE));
    assertThat(Objects.requireNonNull(open("a", first).properties().tier()).tier())
        .isEqualTo(AccessTier.COLD);
    assertThat(blobs.properties("a").tier()).isNull();
  }

  @Test
  void aDeletedBlobIsItsLastVersion() {
    long first = version(blobs.put("a", bytes("1")));
    long second = version(blobs.put("a", bytes("2")));
    assertThat(permanent("a", DeletedSnapshots.NOT_SAID)).isFalse();
    assertRefused("BlobNotFound", () -> blobs.get("a"));
    assertThat(list(false, WITH_VERSIONS)).containsExactly("a v 1", "a v 2");
    assertThat(list(false, FormerStates.NONE)).isEmpty();
    List<ListedBlob> only = items(10, false, new FormerStates(false, false, true));
    assertThat(only).hasSize(1);
    assertThat(only.get(0).versionsOnly()).isTrue();
    assertThat(version(only.get(0).properties())).isEqualTo(second);
    blobs.clean();
    BlobsUnderTest.round(blobs.collector());
    assertThat(text("a", first)).isEqualTo("1");
    undelete("a");
    assertRefused("BlobNotFound", () -> blobs.get("a"));

    blobs.put("a", bytes("3"));
    assertThat(list(false, WITH_VERSIONS)).containsExactly("a v 1", "a v 2", "a current 3");
  }

  @Test
  void snapshotsBlockADeletionAndVersionsDoNot() {
    blobs.put("a", bytes("1"));
    blobs.snapshot("a");
    assertRefused("SnapshotsPresent", () -> permanent("a", DeletedSnapshots.NOT_SAID));
    assertThat(permanent("a", DeletedSnapshots.INCLUDE)).isFalse();
    assertThat(list(true, WITH_VERSIONS)).containsExactly("a v 1", "a v 1");
  }

  @Test
  void previousVersionsAreDeletedOneByOne() {
    long first = version(blobs.put("a", bytes("1")));
    long second = version(blobs.put("a", bytes("2")));
    assertRefused("OperationNotAllowedOnRootBlob", () -> deleteVersion("a", second));
    assertThat(deleteVersion("a", first)).isTrue();
    assertRefused("BlobNotFound", () -> deleteVersion("a", first));
    assertThat(list(false, WITH_VERSIONS)).containsExactly("a current 2");
    blobs.clean();
    assertThat(blobs.rowKinds("a")).isEqualTo("dlp");
    permanent("a", DeletedSnapshots.NOT_SAID);
    assertThat(deleteVersion("a", second)).isTrue();
    blobs.clean();
    assertThat(blobs.rowKinds("a")).isEmpty();
  }

  @Test
  void deletedVersionsAreRestoredWithSoftDelete() {
    protection = new BlobProtection(true, 7, false);
    long first = version(blobs.put("a", bytes("1")));
    blobs.put("a", bytes("2"));
    assertThat(deleteVersion("a", first)).isFalse();
    assertThat(list(false, WITH_VERSIONS)).containsExactly("a current 2");
    assertThat(described(items(9, false, WITH_DELETED).get(0))).isEqualTo("a v deleted");
    permanent("a", DeletedSnapshots.NOT_SAID);
    undelete("a");
    assertThat(list(false, WITH_VERSIONS)).containsExactly("a v 1", "a v 2");
    assertRefused("BlobNotFound", () -> blobs.get("a"));
  }

  @Test
  void deletedStatesAreErasedIfTheOwnerAllowsIt() {
    protection = new BlobProtection(true, 7, false);
    long first = version(blobs.put("a", bytes("1")));
    blobs.put("a", bytes("2"));
    deleteVersion("a", first);
    Erase erase = new Erase(at("a"), NamedState.version(first));
    assertRefused("AuthorizationFailure", () -> blobs.run(erase));
    protection = new BlobProtection(true, 7, true);
    assertThat(((BlobDeleted) blobs.run(erase)).permanent()).isTrue();
    assertRefused("BlobNotFound", () -> blobs.run(erase));
    undelete("a");
    assertThat(list(false, WITH_DELETED)).containsExactly("a current 2");
  }

  @Test
  void theSwitchDoesNotTouchWhatIsThere() {
    protection = BlobProtection.NONE;
    BlobProperties old = blobs.put("a", bytes("1"));
    assertThat(version(old)).isZero();
    protection = VERSIONS;
    assertThat(list(false, WITH_VERSIONS)).containsExactly("a 1");
    long second = version(blobs.put("a", bytes("2")));
    assertThat(text("a", old.creationTicks())).isEqualTo("1");
    protection = BlobProtection.NONE;
    assertThat(version(blobs.properties("a"))).isEqualTo(second);
    assertThat(version(blobs.put("a", bytes("3")))).isZero();
    assertThat(version(blobs.put("a", bytes("4")))).isZero();
    assertThat(list(false, WITH_VERSIONS)).containsExactly("a v 1", "a v 2", "a 4");
    assertThat(deleteVersion("a", second)).isTrue();
  }

  @Test
  void allVersionsHaveOneType() {
    blobs.put("a", bytes("1"));
    permanent("a", DeletedSnapshots.NOT_SAID);
    assertRefused("InvalidBlobType", () -> blobs.createAppendBlob("a"));
  }

  @Test
  void pagesOfVersionsHaveAFlatCost() {
    CountingEngine counting = new CountingEngine(engine);
    BlobsUnderTest counted =
        new BlobsUnderTest(
            counting, (account, deadline) -> CompletableFuture.completedFuture(protection));
    for (int i = 0; i < 400; i++) {
      blobs.put("a", bytes("" + i));
    }
    @Nullable ListMarker marker = null;
    List<Integer> costs = new ArrayList<>();
    int seen = 0;
    do {
      int before = counting.recordsShown();
      BlobPage page = page(counted, marker, 10, true, WITH_DELETED);
      costs.add(counting.recordsShown() - before);
      seen += page.items().size();
      marker = page.next();
    } while (marker != null);
    assertThat(seen).isEqualTo(400);
    assertThat(costs).allMatch(cost -> cost < 30);
  }

  private boolean permanent(String blob, DeletedSnapshots snapshots) {
    return ((BlobDeleted) blobs.run(new DeleteBlob(at(blob), snapshots, RequestTerms.NONE)))
        .permanent();
  }

  private boolean deleteVersion(String blob, long ticks) {
    return ((BlobDeleted) blobs.run(new DeleteVersion(at(blob), ticks, RequestTerms.NONE)))
        .permanent();
  }

  private BlobOpened open(String blob, long version) {
    return (BlobOpened)
        blobs.run(new GetBlob(at(blob), NamedState.version(version), null, RequestTerms.NONE));
  }

  private String text(String blob, long version) {
    try (BlobReader reader = open(blob, version).content()) {
      return new String(BlobsUnderTest.drain(reader), StandardCharsets.UTF_8);
    }
  }

  private List<String> list(boolean snapshots, FormerStates former) {
    return items(5_000, snapshots, former).stream().map(this::shown).toList();
  }

  /** Describes an item with its content. */
  private String shown(ListedBlob blob) {
    long version = version(blob.properties());
    String name = blob.name().text();
    String content;
    if (blob.snapshotTicks() != null) {
      content = new String(blobs.get(name, blob.snapshotTicks(), null), StandardCharsets.UTF_8);
    } else {
      content =
          version == 0 ? new String(blobs.get(name), StandardCharsets.UTF_8) : text(name, version);
    }
    return described(blob) + " " + content;
  }

  private static String described(ListedBlob blob) {
    NamedState state = blob.state();
    String kind = state == null ? "" : state.isSnapshot() ? " s" : " v";
    boolean current = state == null && version(blob.properties()) != 0;
    String deleted = blob.properties().optional().deletion() == null ? "" : " deleted";
    return blob.name().text() + kind + (current ? " current" : "") + deleted;
  }

  private static long version(BlobProperties blob) {
    return blob.optional().versionTicks();
  }
}
