package io.lazuli.server.blob.service;

import static io.lazuli.server.blob.service.BlobsUnderTest.refusal;
import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.server.access.StoredAccessPolicy;
import io.lazuli.server.blob.model.BlobErrors;
import io.lazuli.server.blob.model.ContainerName;
import io.lazuli.server.blob.model.ContainerProperties;
import io.lazuli.server.blob.model.LeaseAction;
import io.lazuli.server.blob.model.LeaseState;
import io.lazuli.server.blob.model.PublicAccess;
import io.lazuli.server.blob.request.Conditions;
import io.lazuli.server.blob.request.RequestTerms;
import io.lazuli.server.blob.service.BlobOperation.CreateContainer;
import io.lazuli.server.blob.service.BlobOperation.DeleteContainer;
import io.lazuli.server.blob.service.BlobOperation.LeaseContainer;
import io.lazuli.server.blob.service.BlobOperation.ListContainers;
import io.lazuli.server.blob.service.BlobOperation.ReadContainer;
import io.lazuli.server.blob.service.BlobOperation.ReadContainerAccess;
import io.lazuli.server.blob.service.BlobOperation.ReplaceContainerAccess;
import io.lazuli.server.blob.service.BlobOperation.ReplaceContainerMetadata;
import io.lazuli.server.blob.service.BlobOutcome.ContainerAccess;
import io.lazuli.server.blob.service.BlobOutcome.ContainerChanged;
import io.lazuli.server.blob.service.BlobOutcome.ContainerFound;
import io.lazuli.server.blob.service.BlobOutcome.ContainerLeased;
import io.lazuli.server.blob.service.BlobOutcome.ContainerPage;
import io.lazuli.server.blob.service.BlobOutcome.ListedContainer;
import io.lazuli.storage.StorageEngine;
import io.lazuli.storage.Ticks;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ContainersTest {
  private static final ContainerName PHOTOS = new ContainerName("photos");

  private final AtomicLong clock = new AtomicLong(Ticks.of(Instant.parse("2026-03-01T12:00:00Z")));
  private final StorageEngine engine =
      BlobsUnderTest.engine("memory", Path.of("unused"), clock::get);
  private final BlobsUnderTest blobs = new BlobsUnderTest(engine);

  @AfterEach
  void closeEngine() {
    engine.close();
  }

  @Test
  void aContainerIsMadeOnce() {
    ContainerProperties made = create(PHOTOS);
    assertThat(made.metadata()).containsEntry("owner", "ann");
    assertThat(read()).isEqualTo(made);
    assertThat(refusal(() -> create(PHOTOS))).isEqualTo(BlobErrors.CONTAINER_ALREADY_EXISTS);
    blobs.run(new DeleteContainer(PHOTOS, RequestTerms.NONE));
    assertThat(refusal(this::read)).isEqualTo(BlobErrors.CONTAINER_NOT_FOUND);
    assertThat(create(PHOTOS).changedTicks()).isGreaterThan(made.changedTicks());
  }

  @Test
  void metadataAndAccessChangeTheETagAndLeasesDoNot() {
    ContainerProperties made = create(PHOTOS);
    ContainerProperties named =
        changed(new ReplaceContainerMetadata(PHOTOS, Map.of("k", "v"), RequestTerms.NONE));
    assertThat(named.changedTicks()).isGreaterThan(made.changedTicks());
    StoredAccessPolicy policy = new StoredAccessPolicy("p", null, null, "r");
    ContainerProperties opened =
        changed(
            new ReplaceContainerAccess(
                PHOTOS, PublicAccess.BLOB, List.of(policy), RequestTerms.NONE));
    assertThat(opened.changedTicks()).isGreaterThan(named.changedTicks());
    lease(new LeaseAction.Acquire(UUID.randomUUID(), 60));
    assertThat(read().changedTicks()).isEqualTo(opened.changedTicks());
    assertThat(read().metadata()).isEqualTo(Map.of("k", "v"));
    ContainerAccess access = (ContainerAccess) blobs.run(new ReadContainerAccess(PHOTOS, null));
    assertThat(access.policies()).containsExactly(policy);
    assertThat(access.properties().publicAccess()).isEqualTo(PublicAccess.BLOB);
    assertThat(publicAccess("photos")).isEqualTo(PublicAccess.BLOB);
    assertThat(publicAccess("nothing")).isEqualTo(PublicAccess.NONE);
  }

  @Test
  void aLeasedContainerIsDeletedByItsHolderOnly() {
    create(PHOTOS);
    UUID id = UUID.randomUUID();
    lease(new LeaseAction.Acquire(id, 15));
    assertThat(delete(null)).isEqualTo(BlobErrors.CONTAINER_LEASE_ID_MISSING);
    assertThat(delete(UUID.randomUUID())).isEqualTo(BlobErrors.CONTAINER_LEASE_MISMATCH);
    assertThat(refusal(() -> blobs.run(new ReadContainer(PHOTOS, UUID.randomUUID()))))
        .isEqualTo(BlobErrors.CONTAINER_LEASE_MISMATCH);
    assertThat(refusal(() -> changed(metadata(UUID.randomUUID()))))
        .isEqualTo(BlobErrors.CONTAINER_LEASE_MISMATCH);
    assertThat(refusal(() -> changed(metadata(null)))).isNull();
    clock.addAndGet(16 * Ticks.PER_SECOND);
    assertThat(delete(id)).isEqualTo(BlobErrors.CONTAINER_LEASE_LOST);
    lease(new LeaseAction.Acquire(id, -1));
    assertThat(delete(id)).isNull();
  }

  @Test
  void aBreakTellsTheTimeThatIsLeft() {
    create(PHOTOS);
    lease(new LeaseAction.Acquire(UUID.randomUUID(), 60));
    clock.addAndGet(10 * Ticks.PER_SECOND);
    assertThat(lease(new LeaseAction.Break(null)).secondsLeft()).isEqualTo(50);
    assertThat(read().lease().state(engine.now())).isEqualTo(LeaseState.BREAKING);
  }

  @Test
  void conditionsAreDatesAndDecidedWithTheChange() {
    create(PHOTOS);
    Instant later = Ticks.toInstant(engine.now()).plusSeconds(60);
    RequestTerms changedLater = new RequestTerms(new Conditions(null, null, later, null), null);
    assertThat(refusal(() -> blobs.run(new DeleteContainer(PHOTOS, changedLater))))
        .isEqualTo(BlobErrors.CONDITION_NOT_MET);
    RequestTerms unchangedSince = new RequestTerms(new Conditions(null, null, null, later), null);
    assertThat(refusal(() -> blobs.run(new DeleteContainer(PHOTOS, unchangedSince)))).isNull();
  }

  @Test
  void containersAreListedByPageInOrder() {
    List.of("b1", "a1", "b3", "b2", "$web").forEach(name -> create(new ContainerName(name)));
    ContainerPage first = list("b", "", 2, false);
    assertThat(names(first)).containsExactly("b1", "b2");
    assertThat(first.next()).isEqualTo("b3");
    ContainerPage second = list("b", "b3", 2, false);
    assertThat(names(second)).containsExactly("b3");
    assertThat(second.next()).isNull();
    assertThat(names(list("", "", 9, false))).containsExactly("$web", "a1", "b1", "b2", "b3");
    assertThat(names(list("", "", 9, true))).contains("$web").hasSize(5);
  }

  private ContainerProperties create(ContainerName name) {
    return changed(new CreateContainer(name, Map.of("owner", "ann"), PublicAccess.NONE));
  }

  private ContainerProperties changed(BlobOperation operation) {
    return ((ContainerChanged) blobs.run(operation)).properties();
  }

  private ContainerProperties read() {
    return ((ContainerFound) blobs.run(new ReadContainer(PHOTOS, null))).properties();
  }

  private PublicAccess publicAccess(String container) {
    return BlobsUnderTest.join(
        blobs.service().publicAccess("acct", container, BlobsUnderTest.deadline()));
  }

  private ContainerLeased lease(LeaseAction action) {
    return (ContainerLeased) blobs.run(new LeaseContainer(PHOTOS, action, Conditions.NONE));
  }

  private static ReplaceContainerMetadata metadata(@Nullable UUID leaseId) {
    return new ReplaceContainerMetadata(
        PHOTOS, Map.of(), new RequestTerms(Conditions.NONE, leaseId));
  }

  private @Nullable Object delete(@Nullable UUID leaseId) {
    return refusal(
        () -> blobs.run(new DeleteContainer(PHOTOS, new RequestTerms(Conditions.NONE, leaseId))));
  }

  private ContainerPage list(String prefix, String from, int max, boolean system) {
    return (ContainerPage) blobs.run(new ListContainers(prefix, from, max, system));
  }

  private static List<String> names(ContainerPage page) {
    return page.containers().stream().map(ListedContainer::name).toList();
  }
}
