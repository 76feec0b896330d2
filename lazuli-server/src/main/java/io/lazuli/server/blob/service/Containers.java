package io.lazuli.server.blob.service;

import io.lazuli.server.access.AccessPolicyCodec;
import io.lazuli.server.blob.encoding.ContainerPropertiesCodec;
import io.lazuli.server.blob.index.ProtectionIndex;
import io.lazuli.server.blob.model.BlobErrors;
import io.lazuli.server.blob.model.ContainerName;
import io.lazuli.server.blob.model.ContainerProperties;
import io.lazuli.server.blob.model.Lease;
import io.lazuli.server.blob.model.LeaseOutcome;
import io.lazuli.server.blob.model.LeasedResource;
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
import io.lazuli.server.blob.service.BlobOperation.RestoreContainer;
import io.lazuli.server.blob.service.BlobOutcome.ContainerAccess;
import io.lazuli.server.blob.service.BlobOutcome.ContainerChanged;
import io.lazuli.server.blob.service.BlobOutcome.ContainerFound;
import io.lazuli.server.blob.service.BlobOutcome.ContainerLeased;
import io.lazuli.server.blob.service.BlobOutcome.Done;
import io.lazuli.server.blob.transaction.TransactionResult;
import io.lazuli.server.catalog.Catalog;
import io.lazuli.server.catalog.Catalog.NameChange;
import io.lazuli.server.catalog.CatalogRow;
import io.lazuli.server.catalog.ServiceHome;
import io.lazuli.server.error.CommonErrors;
import io.lazuli.server.error.ServiceError;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.Space;
import io.lazuli.storage.StorageEngine;
import io.lazuli.storage.Ticks;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * The operations on containers, which are rows of the catalogue. The catalogue's transaction checks
 * leases and conditions together with the change.
 */
final class Containers {
  private static final long TICKS_PER_DAY = 24 * 60 * 60 * Ticks.PER_SECOND;

  /** After this many searches, a container whose blobs keep being protected counts as busy. */
  private static final int DELETE_ATTEMPTS_MAX = 5;

  /** A container that cannot be deleted before its blobs were searched for protected ones. */
  private record Guarded(Space space, long guard) {}

  private final StorageEngine engine;
  private final Catalog catalog;
  private final ProtectionIndex index;
  private final Protections protections;
  private final Executor workers;

  /**
   * @param workers the threads on which an operation continues after a transaction; never refuses
   */
  Containers(StorageEngine engine, Catalog catalog, Protections protections, Executor workers) {
    this.workers = workers;
    this.engine = engine;
    this.index = new ProtectionIndex(engine, workers);
    this.catalog = catalog;
    this.protections = protections;
  }

  CompletableFuture<BlobOutcome> create(
      ServiceHome home, CreateContainer create, Deadline deadline) {
    String name = create.container().text();
    return catalog
        .newStamp(home, create.publicAccess() != PublicAccess.NONE, deadline)
        .thenCompose(
            stamp ->
                catalog.create(
                    home,
                    name,
                    name,
                    stamp,
                    ticks ->
                        ContainerPropertiesCodec.encode(
                            new ContainerProperties(
                                ticks, create.metadata(), create.publicAccess(), Lease.NONE)),
                    deadline))
        .thenApply(
            made -> {
              if (!made.created()) {
                throw BlobErrors.CONTAINER_ALREADY_EXISTS.exception();
              }
              return new ContainerChanged(properties(made.row()));
            });
  }

  CompletableFuture<BlobOutcome> delete(
      ServiceHome home, DeleteContainer delete, Deadline deadline) {
    return delete(home, delete, 0, 1, deadline);
  }

  /**
   * Tries to delete a container. If blobs in it were ever protected, looks for protected ones and
   * tries again ({@link ContainerGuard}).
   *
   * @param guard the guard with which the container was searched in vain
   */
  private CompletableFuture<BlobOutcome> delete(
      ServiceHome home, DeleteContainer delete, long guard, int attempt, Deadline deadline) {
    RequestTerms terms = delete.terms();
    long keptTicks = protections.containerDays(home.account()) * TICKS_PER_DAY;
    return this.<Optional<Guarded>>decide(
            home,
            delete.container(),
            deadline,
            (row, ticks) -> {
              ContainerProperties old = properties(row);
              ServiceError refusal =
                  old.lease().writeRefusal(LeasedResource.CONTAINER, terms.leaseId(), engine.now());
              refusal = refusal == null ? conditionRefusal(terms.conditions(), old) : refusal;
              if (refusal != null) {
                return new NameChange.Kept<>(TransactionResult.refused(refusal));
              } else if (old.guard() != guard) {
                return guarded(home, row);
              }
              TransactionResult<Optional<Guarded>> done = TransactionResult.done(Optional.empty());
              if (keptTicks == 0) {
                return new NameChange.Deleted<>(done);
              }
              long now = ticks.getAsLong();
              CatalogRow kept = with(row, old.withLease(Lease.NONE));
              return new NameChange.SoftDeleted<>(done, kept, now, now + keptTicks);
            })
        .thenCompose(
            guarded ->
                guarded.isEmpty()
                    ? CompletableFuture.completedFuture(new Done())
                    // The search may be long, so it must not use a thread of the engine.
                    : CompletableFuture.completedFuture(guarded.get())
                        .thenComposeAsync(
                            found -> searchAndDelete(home, delete, found, attempt, deadline),
                            workers));
  }

  private CompletableFuture<BlobOutcome> searchAndDelete(
      ServiceHome home, DeleteContainer delete, Guarded guarded, int attempt, Deadline deadline) {
    if (attempt == DELETE_ATTEMPTS_MAX) {
      throw CommonErrors.SERVER_BUSY.exception();
    }
    return index
        .hasProtected(guarded.space(), deadline)
        .thenCompose(
            found -> {
              if (found) {
                throw BlobErrors.IMMUTABLE_DUE_TO_POLICY.exception();
              }
              return delete(home, delete, guarded.guard(), attempt + 1, deadline);
            });
  }

  /** Leaves a container whose blobs have to be searched for protected ones. */
  private static NameChange<TransactionResult<Optional<Guarded>>> guarded(
      ServiceHome home, CatalogRow row) {
    CatalogRow lowered = ContainerGuard.lowered(row);
    Space space = new Space(row.space(), home.partition());
    return new NameChange.Replaced<>(
        TransactionResult.done(Optional.of(new Guarded(space, properties(lowered).guard()))),
        lowered);
  }

  CompletableFuture<BlobOutcome> restore(
      ServiceHome home, RestoreContainer restore, Deadline deadline) {
    return catalog
        .deletedNames()
        .restore(
            home,
            restore.deletedName(),
            restore.version(),
            restore.container().text(),
            (metadata, ticks) ->
                ContainerPropertiesCodec.encode(
                    ContainerPropertiesCodec.decode(metadata).withChangedTicks(ticks)),
            deadline)
        .thenApply(
            restoration ->
                switch (restoration) {
                  case RESTORED -> new Done();
                  case NOT_FOUND -> throw BlobErrors.CONTAINER_NOT_FOUND.exception();
                  case NAME_TAKEN -> throw BlobErrors.CONTAINER_ALREADY_EXISTS.exception();
                });
  }

  CompletableFuture<BlobOutcome> read(ServiceHome home, ReadContainer read, Deadline deadline) {
    return require(home, read.container(), deadline)
        .thenApply(
            row -> {
              ContainerProperties found = properties(row);
              requireLease(found, read.leaseId());
              return new ContainerFound(found, offersImmutability(home), engine.now());
            });
  }

  CompletableFuture<BlobOutcome> readAccess(
      ServiceHome home, ReadContainerAccess read, Deadline deadline) {
    return require(home, read.container(), deadline)
        .thenApply(
            row -> {
              ContainerProperties found = properties(row);
              requireLease(found, read.leaseId());
              return new ContainerAccess(found, AccessPolicyCodec.decode(row.policies()));
            });
  }

  /** Returns the public access of a container, which is none if the container does not exist. */
  CompletableFuture<PublicAccess> publicAccess(ServiceHome home, String name, Deadline deadline) {
    return catalog
        .readRules(home, name, deadline)
        .thenApply(row -> row == null ? PublicAccess.NONE : properties(row).publicAccess());
  }

  CompletableFuture<BlobOutcome> replaceMetadata(
      ServiceHome home, ReplaceContainerMetadata replace, Deadline deadline) {
    return change(
        home,
        replace.container(),
        replace.terms(),
        deadline,
        (row, ticks) -> with(row, properties(row).withMetadata(replace.metadata(), ticks)));
  }

  CompletableFuture<BlobOutcome> replaceAccess(
      ServiceHome home, ReplaceContainerAccess replace, Deadline deadline) {
    byte[] policies = AccessPolicyCodec.encode(replace.policies());
    boolean grants = policies.length > 0 || replace.publicAccess() != PublicAccess.NONE;
    return catalog
        .newStamp(home, grants, deadline)
        .thenCompose(
            stamp ->
                change(
                    home,
                    replace.container(),
                    replace.terms(),
                    deadline,
                    (row, ticks) ->
                        with(row, properties(row).withPublicAccess(replace.publicAccess(), ticks))
                            .withPolicies(policies, stamp)));
  }

  CompletableFuture<BlobOutcome> lease(ServiceHome home, LeaseContainer lease, Deadline deadline) {
    return decide(
        home,
        lease.container(),
        deadline,
        (row, ticks) -> {
          ContainerProperties old = properties(row);
          ServiceError refusal = conditionRefusal(lease.conditions(), old);
          LeaseOutcome outcome =
              old.lease().apply(lease.lease(), LeasedResource.CONTAINER, engine.now());
          refusal = refusal == null ? outcome.refusal() : refusal;
          if (refusal != null) {
            return new NameChange.Kept<>(TransactionResult.refused(refusal));
          }
          ContainerProperties leased = old.withLease(outcome.lease());
          return new NameChange.Replaced<>(
              TransactionResult.done(new ContainerLeased(leased, outcome.secondsLeft())),
              with(row, leased));
        });
  }

  CompletableFuture<BlobOutcome> list(ServiceHome home, ListContainers list, Deadline deadline) {
    ContainerListing listing = new ContainerListing(list, engine.now());
    return catalog
        .list(home, listing.from(), deadline, listing::add)
        .thenCompose(
            listed ->
                list.deleted()
                    ? catalog
                        .deletedNames()
                        .list(home, listing.from(), deadline, listing::addDeleted)
                    : CompletableFuture.completedFuture(null))
        .thenApply(listed -> listing.page(offersImmutability(home)));
  }

  private boolean offersImmutability(ServiceHome home) {
    return protections.offersImmutability(home.account());
  }

  private CompletableFuture<BlobOutcome> change(
      ServiceHome home,
      ContainerName container,
      RequestTerms terms,
      Deadline deadline,
      BiFunction<CatalogRow, Long, CatalogRow> change) {
    return decide(
        home,
        container,
        deadline,
        (row, ticks) -> {
          ContainerProperties old = properties(row);
          ServiceError refusal =
              old.lease().readRefusal(LeasedResource.CONTAINER, terms.leaseId(), engine.now());
          refusal = refusal == null ? conditionRefusal(terms.conditions(), old) : refusal;
          if (refusal != null) {
            return new NameChange.Kept<>(TransactionResult.refused(refusal));
          }
          CatalogRow changed = change.apply(row, ticks.getAsLong());
          return new NameChange.Replaced<>(
              TransactionResult.done(new ContainerChanged(properties(changed))), changed);
        });
  }

  private <T> CompletableFuture<T> decide(
      ServiceHome home,
      ContainerName container,
      Deadline deadline,
      Catalog.NameDecision<TransactionResult<T>> decision) {
    return catalog
        .decide(home, container.text(), deadline, BlobErrors.CONTAINER_NOT_FOUND, decision)
        .thenApply(TransactionResult::orThrow);
  }

  private CompletableFuture<CatalogRow> require(
      ServiceHome home, ContainerName container, Deadline deadline) {
    return catalog
        .read(home, container.text(), deadline)
        .thenApply(
            row -> {
              if (row == null) {
                throw BlobErrors.CONTAINER_NOT_FOUND.exception();
              }
              return row;
            });
  }

  private void requireLease(ContainerProperties container, @Nullable UUID leaseId) {
    Refusals.check(container.lease().readRefusal(LeasedResource.CONTAINER, leaseId, engine.now()));
  }

  private static @Nullable ServiceError conditionRefusal(
      Conditions conditions, ContainerProperties container) {
    return conditions.datesOnly().refusal(Conditions.Use.WRITE, container.changedTicks());
  }

  private static ContainerProperties properties(CatalogRow row) {
    return ContainerPropertiesCodec.decode(row.metadata());
  }

  private static CatalogRow with(CatalogRow row, ContainerProperties properties) {
    return row.withMetadata(ContainerPropertiesCodec.encode(properties));
  }
}
