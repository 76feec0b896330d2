package io.lazuli.server.blob.service;

import io.lazuli.server.access.Caller;
import io.lazuli.server.blob.encoding.ContainerPropertiesCodec;
import io.lazuli.server.blob.index.ProtectionIndex;
import io.lazuli.server.blob.model.BlobErrors;
import io.lazuli.server.blob.model.ContainerName;
import io.lazuli.server.blob.model.ContainerProperties;
import io.lazuli.server.blob.protection.ImmutabilityPolicy;
import io.lazuli.server.blob.service.BlobOperation.OnBlob;
import io.lazuli.server.catalog.Catalog;
import io.lazuli.server.catalog.Catalog.NameChange;
import io.lazuli.server.catalog.CatalogRow;
import io.lazuli.server.catalog.ServiceHome;
import io.lazuli.server.catalog.StorageFailures;
import io.lazuli.server.error.CommonErrors;
import io.lazuli.server.error.Futures;
import io.lazuli.storage.Bytes;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.Partition;
import io.lazuli.storage.Space;
import io.lazuli.storage.StorageEngine;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Keeps containers with protected blobs from being deleted (blob-features 6.2).
 *
 * <p>The deletion of a container is one transaction of the catalogue, and the protection of a blob
 * is one of the container. No transaction spans both. So the container has a number, its guard. It
 * is 0 until something in the container is protected for the first time; such a container is
 * deleted without a look at its blobs. Otherwise the guard is odd, and a deletion goes like this:
 *
 * <ol>
 *   <li>It makes the guard even.
 *   <li>It reads the states of the blobs in the {@link ProtectionIndex} until it finds a protected
 *       one, and is refused if it does.
 *   <li>It deletes the container if the guard is still the same.
 * </ol>
 *
 * <p>A request that protects a blob makes the guard odd and writes the row of the index before, and
 * looks again after it has written. If the guard is odd, every later deletion will find the
 * protection. If the guard is even, a deletion may have read the blob before; the request makes the
 * guard odd again, so that this deletion fails. If the container is gone, the request fails. So no
 * acknowledged protection is lost. A crash between two steps leaves a guard that is odd or even,
 * and both are safe.
 */
final class ContainerGuard {
  private final StorageEngine engine;
  private final Catalog catalog;
  private final ProtectionIndex index;
  private final Executor workers;

  /**
   * @param workers the threads on which an operation continues after a transaction; never refuses
   */
  ContainerGuard(StorageEngine engine, Catalog catalog, Executor workers) {
    this.engine = engine;
    this.catalog = catalog;
    this.index = new ProtectionIndex(engine, workers);
    this.workers = workers;
  }

  /** Runs an operation that protects a blob. Throws if its policy ends in the past. */
  CompletableFuture<BlobOutcome> protecting(
      OnBlob operation,
      Caller caller,
      Deadline deadline,
      Supplier<CompletionStage<BlobOutcome>> work) {
    requireFuture(operation.protection().policy());
    return raise(target(operation, caller), deadline)
        .thenComposeAsync(guarded -> announced(guarded, deadline, work), workers);
  }

  /** Begins an upload that protects a blob. Throws if its policy ends in the past. */
  CompletableFuture<BlobUpload> upload(
      OnBlob operation,
      Caller caller,
      Deadline deadline,
      Supplier<CompletableFuture<BlobUpload>> work) {
    requireFuture(operation.protection().policy());
    return raise(target(operation, caller), deadline)
        .thenComposeAsync(
            guarded -> work.get().thenApply(upload -> new GuardedUpload(upload, guarded)), workers);
  }

  /** The blob that a request protects. */
  private record Target(ServiceHome home, ContainerName container, Bytes blob) {
    Partition in(long space) {
      return new Partition(new Space(space, home.partition()), blob);
    }
  }

  private static Target target(OnBlob operation, Caller caller) {
    return new Target(
        ServiceHome.ofContainers(caller.account()),
        operation.at().container(),
        operation.at().blob().key());
  }

  /** A blob whose container has an odd guard. */
  private record GuardedBlob(Target target, long space) {}

  /** An upload that writes its row of the index once the body is there. */
  private final class GuardedUpload implements BlobUpload {
    private final BlobUpload upload;
    private final GuardedBlob guarded;

    GuardedUpload(BlobUpload upload, GuardedBlob guarded) {
      this.upload = upload;
      this.guarded = guarded;
    }

    @Override
    public CompletionStage<@Nullable Void> take(ByteBuffer bytes) {
      return upload.take(bytes);
    }

    @Override
    public CompletionStage<BlobOutcome> end(Deadline deadline) {
      return StorageFailures.translatingStage(
          () -> announced(guarded, deadline, () -> upload.end(deadline)));
    }

    @Override
    public void abort() {
      upload.abort();
    }
  }

  /** Runs work that protects a blob after the blob is in the index. */
  private CompletableFuture<BlobOutcome> announced(
      GuardedBlob guarded, Deadline deadline, Supplier<CompletionStage<BlobOutcome>> work) {
    return index
        .announce(guarded.target().in(guarded.space()), deadline)
        .thenComposeAsync(
            stamp ->
                work.get()
                    .thenComposeAsync(done -> confirmed(done, guarded, stamp, deadline), workers),
            workers);
  }

  /** Throws if a policy would have ended already (blob-features 6.2). */
  private void requireFuture(@Nullable ImmutabilityPolicy policy) {
    if (policy != null && !policy.isActive(engine.now())) {
      throw CommonErrors.INVALID_HEADER_VALUE
          .exception()
          .with("HeaderName", "x-ms-immutability-policy-until-date");
    }
  }

  /** Makes the guard of a container odd before a request. */
  private CompletableFuture<GuardedBlob> raise(Target target, Deadline deadline) {
    return raise(target, true, deadline).thenApply(space -> new GuardedBlob(target, space));
  }

  /**
   * Makes the guard of a container odd. Returns the number of its space.
   *
   * @param begins whether nothing is protected in a container whose guard is 0, so that its index
   *     begins
   */
  private CompletableFuture<Long> raise(Target target, boolean begins, Deadline deadline) {
    return catalog
        .read(target.home(), target.container().text(), deadline)
        .thenCompose(
            row -> {
              if (row == null) {
                throw BlobErrors.CONTAINER_NOT_FOUND.exception();
              } else if (isRaised(row)) {
                return CompletableFuture.completedFuture(row.space());
              }
              return begins && guard(row) == 0
                  ? index
                      .begin(target.in(row.space()).space(), deadline)
                      .thenComposeAsync(begun -> makeOdd(target, deadline), workers)
                  : makeOdd(target, deadline);
            });
  }

  private CompletableFuture<Long> makeOdd(Target target, Deadline deadline) {
    return catalog.decide(
        target.home(),
        target.container().text(),
        deadline,
        BlobErrors.CONTAINER_NOT_FOUND,
        (old, ticks) ->
            isRaised(old)
                ? new NameChange.Kept<>(old.space())
                : new NameChange.Replaced<>(old.space(), withGuard(old, guard(old) + 1)));
  }

  /**
   * Returns the outcome after the guard is odd again. Fails if the container is not the one from
   * before: the blob gets its row there, and the client must repeat its request.
   */
  private CompletableFuture<BlobOutcome> confirmed(
      BlobOutcome done, GuardedBlob guarded, long stamp, Deadline deadline) {
    Target target = guarded.target();
    return StorageFailures.translatingStage(
            () ->
                raise(target, false, deadline)
                    .thenComposeAsync(
                        space ->
                            space == guarded.space() && !index.isLate(stamp)
                                ? CompletableFuture.completedFuture(space)
                                : index
                                    .announce(target.in(space), deadline)
                                    .thenApply(written -> space),
                        workers))
        .thenApply(
            space -> {
              if (space != guarded.space()) {
                throw CommonErrors.SERVER_BUSY.exception();
              }
              return done;
            })
        .toCompletableFuture();
  }

  /** Returns the containers of an account, deleted ones too, in which something was protected. */
  CompletableFuture<List<Space>> guarded(ServiceHome home, Deadline deadline) {
    List<Space> guarded = new ArrayList<>();
    return catalog
        .list(
            home,
            "",
            deadline,
            row -> {
              if (guard(row) != 0) {
                guarded.add(new Space(row.space(), home.partition()));
              }
              return true;
            })
        .thenCompose(
            listed ->
                catalog
                    .deletedNames()
                    .list(
                        home,
                        "",
                        deadline,
                        deleted -> {
                          if (guard(deleted.row()) != 0) {
                            guarded.add(new Space(deleted.row().space(), home.partition()));
                          }
                          return true;
                        }))
        .thenApply(listed -> guarded);
  }

  /** Returns true if something in the containers of an account is protected. */
  CompletableFuture<Boolean> hasProtected(ServiceHome home, Deadline deadline) {
    boolean[] found = new boolean[1];
    return guarded(home, deadline)
        .thenCompose(
            containers -> {
              Iterator<Space> left = containers.iterator();
              return Futures.repeat(
                  () ->
                      left.hasNext()
                          ? index
                              .hasProtected(left.next(), deadline)
                              .thenApply(
                                  has -> {
                                    found[0] = has;
                                    return !has;
                                  })
                          : CompletableFuture.completedFuture(false));
            })
        .thenApply(searched -> found[0]);
  }

  /** Returns the row with an even guard, which a deletion may search for. */
  static CatalogRow lowered(CatalogRow row) {
    return isRaised(row) ? withGuard(row, guard(row) + 1) : row;
  }

  private static long guard(CatalogRow row) {
    return ContainerPropertiesCodec.decode(row.metadata()).guard();
  }

  private static CatalogRow withGuard(CatalogRow row, long guard) {
    ContainerProperties old = ContainerPropertiesCodec.decode(row.metadata());
    return row.withMetadata(ContainerPropertiesCodec.encode(old.withGuard(guard)));
  }

  /** Returns true if a deletion that begins from now on will find protected states. */
  private static boolean isRaised(CatalogRow row) {
    return guard(row) % 2 == 1;
  }
}
