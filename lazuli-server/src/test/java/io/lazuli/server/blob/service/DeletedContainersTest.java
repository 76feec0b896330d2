package io.lazuli.server.blob.service;

import static io.lazuli.server.blob.service.BlobsUnderTest.CONTAINER;
import static io.lazuli.server.blob.service.BlobsUnderTest.OWNER;
import static io.lazuli.server.blob.service.BlobsUnderTest.deadline;
import static io.lazuli.server.blob.service.BlobsUnderTest.join;
import static io.lazuli.server.blob.service.BlobsUnderTest.refusal;
import static io.lazuli.server.blob.service.BlobsUnderTest.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.server.access.StoredAccessPolicy;
import io.lazuli.server.blob.model.BlobErrors;
import io.lazuli.server.blob.model.BlobType;
import io.lazuli.server.blob.model.ContainerName;
import io.lazuli.server.blob.model.LeaseAction;
import io.lazuli.server.blob.model.LeaseState;
import io.lazuli.server.blob.model.PublicAccess;
import io.lazuli.server.blob.protection.BlobProtection;
import io.lazuli.server.blob.request.Conditions;
import io.lazuli.server.blob.request.RequestTerms;
import io.lazuli.server.blob.service.BlobOperation.CreateContainer;
import io.lazuli.server.blob.service.BlobOperation.DeleteContainer;
import io.lazuli.server.blob.service.BlobOperation.LeaseContainer;
import io.lazuli.server.blob.service.BlobOperation.ListContainers;
import io.lazuli.server.blob.service.BlobOperation.ReadContainerAccess;
import io.lazuli.server.blob.service.BlobOperation.ReplaceContainerAccess;
import io.lazuli.server.blob.service.BlobOperation.RestoreContainer;
import io.lazuli.server.blob.service.BlobOutcome.ContainerAccess;
import io.lazuli.server.blob.service.BlobOutcome.ContainerPage;
import io.lazuli.server.blob.service.BlobOutcome.ListedContainer;
import io.lazuli.server.catalog.Catalog;
import io.lazuli.server.catalog.ServiceHome;
import io.lazuli.server.error.ServiceException;
import io.lazuli.storage.Bytes;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.Direction;
import io.lazuli.storage.KeyRange;
import io.lazuli.storage.Space;
import io.lazuli.storage.StorageEngine;
import io.lazuli.storage.StorageException;
import io.lazuli.storage.Ticks;
import io.lazuli.storage.Visit;
import io.lazuli.storage.faults.FaultyEngine;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Soft delete of containers, with a clock that the tests move (blob-features 2.6). */
class DeletedContainersTest {
  private static final long DAY = 24 * 60 * 60 * Ticks.PER_SECOND;
  private static final ContainerName OTHER = new ContainerName("other");

  /** An account that keeps deleted containers, and nothing else. */
  record Days(int containerDays) implements Protections {
    @Override
    public CompletionStage<BlobProtection> of(String account, Deadline deadline) {
      return CompletableFuture.completedFuture(BlobProtection.NONE);
    }

    @Override
    public int containerDays(String account) {
      return containerDays;
    }
  }

  private final AtomicLong clock = new AtomicLong(Ticks.systemNow());
  private final FaultyEngine engine =
      new FaultyEngine(BlobsUnderTest.engine("memory", Path.of("unused"), clock::incrementAndGet));
  private final BlobsUnderTest blobs = BlobsUnderTest.protecting(engine, new Days(7));

  @AfterEach
  void close() {
    engine.close();
  }

  @Test
  void aDeletedContainerIsInvisibleAndReturnsWithEverything() {
    StoredAccessPolicy policy = new StoredAccessPolicy("p", null, null, "r");
    blobs.run(
        new ReplaceContainerAccess(
            CONTAINER, PublicAccess.BLOB, List.of(policy), RequestTerms.NONE));
    blobs.put("a", text("1"));
    long snapshot = blobs.snapshot("a");
    blobs.putTagged("t", "k=1", RequestTerms.NONE);
    byte[] large = BlobsUnderTest.bytes(3 << 20, 1);
    blobs.put("large", large);
    blobs.deleteContainer();
    assertThat(refusal(() -> blobs.get("a"))).isEqualTo(BlobErrors.CONTAINER_NOT_FOUND);
    assertThat(refusal(() -> blobs.find("k='1'"))).isEqualTo(BlobErrors.CONTAINER_NOT_FOUND);
    assertThat(publicAccess()).isEqualTo(PublicAccess.NONE);
    assertThat(list(false)).isEmpty();
    assertThat(list(true)).hasSize(1);
    BlobsUnderTest.round(blobs.collector());
    clock.addAndGet(2 * DAY);
    BlobsUnderTest.round(blobs.collector());

    restore(CONTAINER, 0);
    assertThat(blobs.get("a")).isEqualTo(text("1"));
    assertThat(blobs.get("a", snapshot, null)).isEqualTo(text("1"));
    assertThat(blobs.get("large")).isEqualTo(large);
    assertThat(blobs.find("k='1'")).containsExactly("t");
    ContainerAccess access = (ContainerAccess) blobs.run(new ReadContainerAccess(CONTAINER, null));
    assertThat(access.policies()).containsExactly(policy);
    assertThat(publicAccess()).isEqualTo(PublicAccess.BLOB);
    blobs.put("b", text("2"));
    assertThat(list(true)).extracting(ListedContainer::deletion).containsOnlyNulls();
  }

  @Test
  void aNameHasSeveralDeletionsAndEachIsRestoredUnderAnyFreeName() {
    for (String content : List.of("first", "second")) {
      blobs.put("a", text(content));
      blobs.deleteContainer();
      create();
    }
    List<ListedContainer> all = list(true);
    assertThat(all).extracting(ListedContainer::name).containsOnly("docs").hasSize(3);
    assertThat(all.get(0).deletion()).isNull();
    assertThat(refusal(() -> restore(CONTAINER, 1))).isEqualTo(BlobErrors.CONTAINER_ALREADY_EXISTS);
    restore(OTHER, 2);
    assertThat(list(true)).hasSize(3);
    blobs.run(new DeleteContainer(CONTAINER, RequestTerms.NONE));
    restore(CONTAINER, 0);
    assertThat(blobs.get("a")).isEqualTo(text("first"));
    assertThat(refusal(() -> blobs.run(new CreateContainer(OTHER, Map.of(), PublicAccess.NONE))))
        .isEqualTo(BlobErrors.CONTAINER_ALREADY_EXISTS);
  }

  @Test
  void aRestoredContainerIsDeletedAndRestoredAgain() {
    blobs.put("a", text("1"));
    for (int i = 0; i < 3; i++) {
      blobs.deleteContainer();
      assertThat(refusal(() -> blobs.get("a"))).isEqualTo(BlobErrors.CONTAINER_NOT_FOUND);
      restore(CONTAINER, 0);
      assertThat(blobs.get("a")).isEqualTo(text("1"));
    }
  }

  @Test
  void theLeaseGoesAndTheETagIsNew() {
    UUID id = UUID.randomUUID();
    blobs.run(new LeaseContainer(CONTAINER, new LeaseAction.Acquire(id, -1), Conditions.NONE));
    assertThat(refusal(blobs::deleteContainer)).isEqualTo(BlobErrors.CONTAINER_LEASE_ID_MISSING);
    blobs.run(new DeleteContainer(CONTAINER, new RequestTerms(Conditions.NONE, id)));
    long before = list(true).get(0).properties().changedTicks();
    restore(CONTAINER, 0);
    ListedContainer restored = list(true).get(0);
    assertThat(restored.properties().lease().state(engine.now())).isEqualTo(LeaseState.AVAILABLE);
    assertThat(restored.properties().changedTicks()).isGreaterThan(before);
  }

  @Test
  void onlyAnExactDeletionIsFound() {
    blobs.deleteContainer();
    String version = version(0);
    for (String wrong : List.of("", "x", version + "0", version + "!", "!" + version)) {
      assertThat(refusal(() -> restore("docs", wrong))).isEqualTo(BlobErrors.CONTAINER_NOT_FOUND);
    }
    assertThat(refusal(() -> restore("doc", version))).isEqualTo(BlobErrors.CONTAINER_NOT_FOUND);
    assertThat(refusal(() -> restore("docs!" + version, "")))
        .isEqualTo(BlobErrors.CONTAINER_NOT_FOUND);
    assertThat(refusal(() -> restore("docs", version))).isNull();
    assertThat(refusal(() -> restore("docs", version))).isEqualTo(BlobErrors.CONTAINER_NOT_FOUND);
  }

  @Test
  void everythingIsRemovedWhenTheTimeIsOver() {
    blobs.put("large", BlobsUnderTest.bytes(3 << 20, 1));
    blobs.deleteContainer();
    String version = version(0);
    clock.addAndGet(7 * DAY - 60 * Ticks.PER_SECOND);
    BlobsUnderTest.round(blobs.collector());
    assertThat(list(true)).hasSize(1);
    assertThat(blobs.storedChunks()).hasSize(1);
    clock.addAndGet(61 * Ticks.PER_SECOND);
    assertThat(list(true)).isEmpty();
    assertThat(refusal(() -> restore("docs", version))).isEqualTo(BlobErrors.CONTAINER_NOT_FOUND);
    BlobsUnderTest.round(blobs.collector());
    assertThat(blobs.storedChunks()).isEmpty();
    assertThat(catalogueRows()).isEmpty();
  }

  @Test
  void aChangeOfTheDaysDoesNotChangeWhatWasDeletedBefore() {
    blobs.deleteContainer();
    BlobsUnderTest later = new BlobsUnderTest(engine, new Days(0));
    later.run(new CreateContainer(CONTAINER, Map.of(), PublicAccess.NONE));
    later.deleteContainer();
    assertThat(list(true)).hasSize(1);
    clock.addAndGet(6 * DAY);
    restore(CONTAINER, 0);
  }

  @Test
  void pagesOfOneVisitEveryContainerOnceInOrder() {
    for (String name : List.of("aaa", "bbb", "docs-2", "docs")) {
      for (int i = 0; i < 3; i++) {
        ContainerName container = new ContainerName(name);
        if (i > 0 || !container.equals(CONTAINER)) {
          blobs.run(new CreateContainer(container, Map.of(), PublicAccess.NONE));
        }
        if (i < 2) {
          blobs.run(new DeleteContainer(container, RequestTerms.NONE));
        }
      }
    }
    for (int max : List.of(1, 2, 5, 100)) {
      List<String> visited = new ArrayList<>();
      String from = "";
      do {
        ContainerPage page =
            (ContainerPage) blobs.run(new ListContainers("", from, max, false, true));
        page.containers().forEach(container -> visited.add(container.position()));
        assertThat(page.containers().size()).isLessThanOrEqualTo(max);
        from = page.next();
      } while (from != null);
      assertThat(visited).hasSize(12).isSorted().doesNotHaveDuplicates();
    }
    ContainerPage some =
        (ContainerPage) blobs.run(new ListContainers("docs-", "", 100, false, true));
    assertThat(some.containers()).extracting(ListedContainer::name).containsOnly("docs-2");
  }

  @Test
  void theDataOfARemovedAccountIncludesItsDeletedContainers() {
    blobs.put("large", BlobsUnderTest.bytes(3 << 20, 1));
    blobs.deleteContainer();
    create();
    Catalog catalog = new Catalog(engine);
    ServiceHome home = ServiceHome.ofContainers(OWNER.account());
    while (!join(catalog.clear(home, 1, deadline()))) {
      // The next name.
    }
    assertThat(catalogueRows()).isEmpty();
    clock.addAndGet(DAY);
    BlobsUnderTest.round(blobs.collector());
    assertThat(blobs.storedChunks()).isEmpty();
  }

  @Test
  void aRequestThatBeganBeforeTheDeletionDoesNotWriteAfterIt() {
    BlobUpload upload =
        join(
            blobs
                .service()
                .upload(
                    BlobsUnderTest.putBlob("late", BlobType.BLOCK, 1, RequestTerms.NONE),
                    OWNER,
                    deadline()));
    blobs.deleteContainer();
    BlobsUnderTest.send(upload, new byte[1]);
    assertThat(refusal(() -> join(upload.end(deadline()))))
        .isEqualTo(BlobErrors.CONTAINER_NOT_FOUND);
    restore(CONTAINER, 0);
    assertThat(refusal(() -> blobs.get("late"))).isEqualTo(BlobErrors.BLOB_NOT_FOUND);
  }

  @Test
  void anotherServerThatKnowsTheNameFindsThatItIsGone() {
    blobs.put("a", text("1"));
    BlobsUnderTest other = new BlobsUnderTest(engine, new Days(7));
    assertThat(other.get("a")).isEqualTo(text("1"));
    blobs.deleteContainer();
    assertThat(refusal(() -> other.get("a"))).isEqualTo(BlobErrors.CONTAINER_NOT_FOUND);
    restore(CONTAINER, 0);
    assertThat(other.get("a")).isEqualTo(text("1"));
    blobs.deleteContainer();
    restore(OTHER, 0);
    assertThat(refusal(() -> other.put("b", text("2")))).isEqualTo(BlobErrors.CONTAINER_NOT_FOUND);
  }

  /** Each step is one transaction, so a failure leaves the state before it. */
  @Test
  void aFailedStepChangesNothing() {
    blobs.put("a", text("1"));
    assertThat(failing(blobs::deleteContainer)).isTrue();
    assertThat(blobs.get("a")).isEqualTo(text("1"));
    blobs.deleteContainer();
    String version = version(0);
    assertThat(failing(() -> restore("docs", version))).isTrue();
    assertThat(list(true)).hasSize(1);
    engine.failNext(FaultyEngine.Call.NEW_SPACE, StorageException.Kind.UNAVAILABLE);
    assertThat(refusal(() -> restore("docs", version))).isNotNull();
    restore("docs", version);
    assertThat(blobs.get("a")).isEqualTo(text("1"));
  }

  @Test
  void deletionsAndRestorationsOutliveTheServer(@TempDir Path folder) {
    StorageEngine stored = BlobsUnderTest.engine("rocksdb", folder, clock::incrementAndGet);
    BlobsUnderTest first = BlobsUnderTest.protecting(stored, new Days(7));
    first.put("a", text("1"));
    first.deleteContainer();
    stored.close();
    StorageEngine again = BlobsUnderTest.engine("rocksdb", folder, clock::incrementAndGet);
    BlobsUnderTest second = new BlobsUnderTest(again, new Days(7));
    BlobsUnderTest.round(second.collector());
    ContainerPage page = (ContainerPage) second.run(new ListContainers("", "", 100, false, true));
    String version = Objects.requireNonNull(page.containers().get(0).deletion()).version();
    second.run(new RestoreContainer(CONTAINER, "docs", version));
    again.close();
    StorageEngine last = BlobsUnderTest.engine("rocksdb", folder, clock::incrementAndGet);
    BlobsUnderTest third = new BlobsUnderTest(last, new Days(7));
    assertThat(third.get("a")).isEqualTo(text("1"));
    third.deleteContainer();
    clock.addAndGet(8 * DAY);
    BlobsUnderTest.round(third.collector());
    assertThat(((ContainerPage) third.run(new ListContainers("", "", 9, false, true))).containers())
        .isEmpty();
    last.close();
  }

  private boolean failing(Runnable operation) {
    engine.failNext(FaultyEngine.Call.TRANSACT, StorageException.Kind.UNAVAILABLE);
    try {
      operation.run();
      return false;
    } catch (ServiceException e) {
      return e.error().status() == 503;
    }
  }

  private void create() {
    blobs.run(new CreateContainer(CONTAINER, Map.of(), PublicAccess.NONE));
  }

  private List<ListedContainer> list(boolean deleted) {
    ContainerPage page = (ContainerPage) blobs.run(new ListContainers("", "", 100, false, deleted));
    return page.containers();
  }

  private String version(int index) {
    return Objects.requireNonNull(list(true).get(index).deletion()).version();
  }

  private void restore(ContainerName name, int index) {
    ListedContainer listed = list(true).get(index);
    String version = Objects.requireNonNull(listed.deletion()).version();
    blobs.run(new RestoreContainer(name, listed.name(), version));
  }

  private void restore(String name, String version) {
    blobs.run(new RestoreContainer(CONTAINER, name, version));
  }

  private @Nullable PublicAccess publicAccess() {
    return join(blobs.service().publicAccess("acct", "docs", deadline()));
  }

  /** Returns the rows of the account's home that are not the engine's own. */
  private List<String> catalogueRows() {
    List<String> rows = new ArrayList<>();
    Bytes home = ServiceHome.ofContainers(OWNER.account()).partition().name();
    join(
        engine.scan(
            Space.CATALOGUE,
            List.of(KeyRange.ofPartition(home)),
            Direction.FORWARD,
            deadline(),
            record -> {
              rows.add(new String(record.row().copy(), StandardCharsets.UTF_8));
              return Visit.CONTINUE;
            }));
    return rows;
  }
}
