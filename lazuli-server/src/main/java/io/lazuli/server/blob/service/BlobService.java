package io.lazuli.server.blob.service;

import io.lazuli.server.access.Access;
import io.lazuli.server.access.Caller;
import io.lazuli.server.blob.garbage.BlobCollector;
import io.lazuli.server.blob.garbage.BlobGarbage;
import io.lazuli.server.blob.index.TagIndex;
import io.lazuli.server.blob.model.BlobErrors;
import io.lazuli.server.blob.model.ContainerName;
import io.lazuli.server.blob.model.PublicAccess;
import io.lazuli.server.blob.request.BlobAddress;
import io.lazuli.server.blob.request.Conditions;
import io.lazuli.server.blob.service.BlobOperation.OnBlob;
import io.lazuli.server.blob.service.BlobOperation.OnContainer;
import io.lazuli.server.catalog.Catalog;
import io.lazuli.server.catalog.ServiceHome;
import io.lazuli.server.catalog.StorageFailures;
import io.lazuli.server.error.Futures;
import io.lazuli.server.error.ServiceException;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.StorageEngine;
import io.lazuli.storage.Ticks;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

/**
 * The rules of the blob service, for any engine. Knows neither HTTP nor XML. Its methods are called
 * on worker threads, on which a local engine scans and reads. Writes, and all operations of a
 * remote engine, complete on the engine's threads.
 *
 * <h2>How content is stored and replaced</h2>
 *
 * A body is first stored in memory or in a chunk. Then one transaction makes it part of the blob.
 * Content never changes; it is only replaced. The blob's properties name a version, the rows of the
 * version list the blocks, and each block refers to a record or a chunk. A reader therefore only
 * has to keep its version from being removed. Replaced content is garbage. {@link BlobGarbage}
 * removes it as soon as nobody reads it, and {@link BlobCollector} removes garbage that a crash has
 * left.
 */
public final class BlobService {
  private static final Duration REHYDRATION_TIME = Duration.ofMinutes(1);

  private final StorageEngine engine;
  private final BlobGarbage garbage;
  private final Protections protections;
  private final ContainerGuard guard;
  private final BlobPartitions partitions;
  private final Containers containers;
  private final BlobSearch search;
  private final BlobReads reads;
  private final BlobWrites writes;
  private final BlobUploads uploads;
  private final BlobCopies copies;
  private final BlobPages pages;
  private final PendingCopies pending;

  /** Creates a service that copies from this server only. */
  public BlobService(StorageEngine engine, Catalog catalog, Supplier<UUID> ids, Executor workers) {
    this(engine, catalog, ids, Protections.NONE, workers, REHYDRATION_TIME);
  }

  /** Creates a service that copies from this server only, for accounts with protections. */
  public BlobService(
      StorageEngine engine,
      Catalog catalog,
      Supplier<UUID> ids,
      Protections protections,
      Executor workers,
      Duration rehydrationTime) {
    this(
        engine,
        catalog,
        ids,
        protections,
        workers,
        rehydrationTime,
        ExternalSources.NONE,
        PendingCopies.Times.DEFAULT);
  }

  /**
   * @param ids random ids for copies
   * @param protections how accounts protect their blobs
   * @param workers the threads on which an operation continues after a transaction; never refuses
   * @param rehydrationTime the time that a blob needs to leave the archive
   * @param external reads the sources of copies that are on other servers
   */
  public BlobService(
      StorageEngine engine,
      Catalog catalog,
      Supplier<UUID> ids,
      Protections protections,
      Executor workers,
      Duration rehydrationTime,
      ExternalSources external,
      PendingCopies.Times times) {
    long rehydrationTicks = rehydrationTime.toSeconds() * Ticks.PER_SECOND;
    this.engine = engine;
    this.protections = protections;
    this.guard = new ContainerGuard(engine, catalog, workers);
    this.garbage = new BlobGarbage(engine);
    TagIndex index = new TagIndex(engine, workers);
    this.partitions = new BlobPartitions(engine, index, catalog, garbage, protections, workers);
    this.search = new BlobSearch(engine, catalog, partitions, index);
    this.containers = new Containers(engine, catalog, protections, workers);
    this.reads = new BlobReads(engine, partitions, garbage.use());
    this.writes = new BlobWrites(engine, partitions, garbage, rehydrationTicks);
    this.uploads = new BlobUploads(engine, partitions, garbage);
    this.pages = new BlobPages(engine, partitions, garbage.use());
    this.pending = new PendingCopies(engine, catalog, partitions, garbage, external, times);
    this.copies =
        new BlobCopies(
            engine, partitions, garbage, writes, uploads, ids, rehydrationTicks, external, pending);
  }

  /**
   * Carries out an operation other than an upload. The stage carries all failures; expected ones
   * are {@code ServiceException}s.
   */
  public CompletionStage<BlobOutcome> execute(
      BlobOperation operation, Caller caller, Deadline deadline) {
    return StorageFailures.translatingStage(
        () -> {
          BlobAccess.check(operation, caller);
          return operation instanceof OnBlob on && on.protection().protects()
              ? guard.protecting(on, caller, deadline, () -> dispatch(on, caller, deadline))
              : dispatch(operation, caller, deadline);
        });
  }

  /**
   * Begins an upload. Checks access, lease, conditions and the state of the blob before the body
   * arrives, so that a client whose upload would be refused need not send it. The stage carries all
   * failures; a refusal is a {@code ServiceException}.
   */
  public CompletionStage<BlobUpload> upload(
      BlobOperation.Upload operation, Caller caller, Deadline deadline) {
    return StorageFailures.translatingStage(
        () -> {
          BlobAccess.check(operation, caller);
          return operation.protection().protects()
              ? guard.upload(operation, caller, deadline, () -> begin(operation, caller, deadline))
              : begin(operation, caller, deadline);
        });
  }

  private CompletableFuture<BlobUpload> begin(
      BlobOperation.Upload operation, Caller caller, Deadline deadline) {
    String account = caller.account();
    if (caller.access() instanceof Access.OfServer) {
      return uploads.beginOwn(operation, account, deadline);
    }
    boolean mayOverwrite = BlobAccess.mayOverwrite(operation, caller);
    return uploads.begin(operation, account, mayOverwrite, Conditions.Use.CREATE, deadline);
  }

  /** Returns false if no blob of the account was ever protected from removal. */
  public CompletableFuture<Boolean> mayHaveProtected(String account, Deadline deadline) {
    return guard.guarded(ServiceHome.ofContainers(account), deadline).thenApply(s -> !s.isEmpty());
  }

  /** Returns true if a blob of the account must not be removed now. */
  public CompletableFuture<Boolean> hasProtected(String account, Deadline deadline) {
    return guard.hasProtected(ServiceHome.ofContainers(account), deadline);
  }

  /** Returns true if blobs of the account can be given immutability policies and legal holds. */
  public boolean offersImmutability(String account) {
    return protections.offersImmutability(account);
  }

  /**
   * Throws if the caller may not perform the action on the resource. {@link #execute} checks again
   * once the operation is decoded.
   *
   * @param resource the container, or {@link BlobAddress#resource}; the container, a slash and the
   *     prefix for a listing; empty if the action has none
   */
  public void requireAllowed(BlobAction action, String resource, Caller caller) {
    BlobAccess.check(action, resource, caller);
  }

  /** Returns the public access of a container, which is none if the container does not exist. */
  public CompletionStage<PublicAccess> publicAccess(
      String account, String container, Deadline deadline) {
    return StorageFailures.translatingStage(
        () -> containers.publicAccess(ServiceHome.ofContainers(account), container, deadline));
  }

  /** Creates the container of an account's static website; false if it exists. */
  public CompletionStage<Boolean> createWebContainer(String account) {
    BlobOperation create =
        new BlobOperation.CreateContainer(ContainerName.WEB, Map.of(), PublicAccess.NONE);
    Caller server = new Caller(account, false, new Access.OfServer());
    return execute(create, server, Deadline.NEVER)
        .thenApply(made -> true)
        .exceptionally(
            failure -> {
              Throwable cause = Futures.cause(failure);
              if (cause instanceof ServiceException refused
                  && refused.error().equals(BlobErrors.CONTAINER_ALREADY_EXISTS)) {
                return false;
              }
              throw new CompletionException(cause);
            });
  }

  /** Returns the garbage of this service, for its collector. */
  public BlobGarbage garbage() {
    return garbage;
  }

  /** Returns the copies from other servers that are under way, which the server starts. */
  public PendingCopies pendingCopies() {
    return pending;
  }

  private CompletionStage<BlobOutcome> dispatch(
      BlobOperation operation, Caller caller, Deadline deadline) {
    ServiceHome home = ServiceHome.ofContainers(caller.account());
    if (operation instanceof OnBlob on) {
      return dispatchRead(on, caller, deadline);
    } else if (operation instanceof OnContainer on) {
      return dispatchContainer(on, home, caller, deadline);
    } else if (operation instanceof BlobOperation.ListContainers list) {
      return containers.list(home, list, deadline);
    } else if (operation instanceof BlobOperation.FindBlobs find) {
      return search.find(caller.account(), find, deadline);
    }
    throw unknown(operation);
  }

  private CompletionStage<BlobOutcome> dispatchContainer(
      OnContainer operation, ServiceHome home, Caller caller, Deadline deadline) {
    if (operation instanceof BlobOperation.ListBlobs list) {
      return list(list, caller.account(), deadline);
    } else if (operation instanceof BlobOperation.FindBlobsInContainer find) {
      return search.find(caller.account(), find, deadline);
    } else if (operation instanceof BlobOperation.ReadContainer read) {
      return containers.read(home, read, deadline);
    } else if (operation instanceof BlobOperation.ReadContainerAccess read) {
      return containers.readAccess(home, read, deadline);
    } else if (operation instanceof BlobOperation.CreateContainer create) {
      return containers.create(home, create, deadline);
    } else if (operation instanceof BlobOperation.DeleteContainer delete) {
      return containers.delete(home, delete, deadline);
    } else if (operation instanceof BlobOperation.RestoreContainer restore) {
      return restore(home, restore, deadline);
    } else if (operation instanceof BlobOperation.ReplaceContainerMetadata replace) {
      return containers.replaceMetadata(home, replace, deadline);
    } else if (operation instanceof BlobOperation.ReplaceContainerAccess replace) {
      return containers.replaceAccess(home, replace, deadline);
    } else if (operation instanceof BlobOperation.LeaseContainer lease) {
      return containers.lease(home, lease, deadline);
    }
    throw unknown(operation);
  }

  /** Restores a container, and takes up the work in it that nobody did while it was deleted. */
  private CompletableFuture<BlobOutcome> restore(
      ServiceHome home, BlobOperation.RestoreContainer restore, Deadline deadline) {
    return containers
        .restore(home, restore, deadline)
        .thenApply(
            restored -> {
              garbage.requestFullRound();
              pending.takeUpAgain();
              return restored;
            });
  }

  private CompletableFuture<BlobOutcome> list(
      BlobOperation.ListBlobs list, String account, Deadline deadline) {
    return partitions.onContainer(
        account,
        list.container(),
        deadline,
        space -> new BlobListing(list).page(engine, space, deadline));
  }

  private CompletionStage<BlobOutcome> dispatchRead(
      OnBlob operation, Caller caller, Deadline deadline) {
    String account = caller.account();
    if (operation instanceof BlobOperation.GetBlob get) {
      return reads.get(account, get, deadline);
    } else if (operation instanceof BlobOperation.ReadProperties read) {
      return reads.properties(account, read, deadline);
    } else if (operation instanceof BlobOperation.ReadTags read) {
      return reads.tags(account, read, deadline);
    } else if (operation instanceof BlobOperation.ReadBlockList read) {
      boolean seesUncommitted = BlobAccess.seesUncommitted(caller);
      return reads.blocks(account, read, seesUncommitted, deadline);
    } else if (operation instanceof BlobOperation.PutBlockList put) {
      boolean mayOverwrite = BlobAccess.mayOverwrite(put, caller);
      return writes.putBlockList(account, put, mayOverwrite, deadline);
    }
    return dispatchChange(operation, caller, deadline);
  }

  private CompletionStage<BlobOutcome> dispatchChange(
      OnBlob operation, Caller caller, Deadline deadline) {
    String account = caller.account();
    if (operation instanceof BlobOperation.ReplaceMetadata replace) {
      return writes.replaceMetadata(account, replace, deadline);
    } else if (operation instanceof BlobOperation.ReplaceHttp replace) {
      return writes.replaceHttp(account, replace, deadline);
    } else if (operation instanceof BlobOperation.ReplaceTags replace) {
      return writes.replaceTags(account, replace, deadline);
    } else if (operation instanceof BlobOperation.SetTier set) {
      return writes.setTier(account, set, deadline);
    } else if (operation instanceof BlobOperation.SetExpiry set) {
      return writes.setExpiry(account, set, deadline);
    } else if (operation instanceof BlobOperation.SetPolicy set) {
      return writes.setPolicy(account, set, deadline);
    } else if (operation instanceof BlobOperation.SetLegalHold set) {
      return writes.setLegalHold(account, set, deadline);
    } else if (operation instanceof BlobOperation.Seal seal) {
      return writes.seal(account, seal, deadline);
    } else if (operation instanceof BlobOperation.TakeSnapshot take) {
      return writes.snapshot(account, take, deadline);
    } else if (operation instanceof BlobOperation.DeleteBlob delete) {
      return writes.delete(account, delete, deadline);
    } else if (operation instanceof BlobOperation.DeleteSnapshot delete) {
      return writes.deleteSnapshot(account, delete, deadline);
    } else if (operation instanceof BlobOperation.LeaseBlob lease) {
      return writes.lease(account, lease, deadline);
    } else if (operation instanceof BlobOperation.DeleteVersion delete) {
      return writes.deleteVersion(account, delete, deadline);
    } else if (operation instanceof BlobOperation.Erase erase) {
      return writes.erase(account, erase, deadline);
    } else if (operation instanceof BlobOperation.UndeleteBlob undelete) {
      return writes.undelete(account, undelete, deadline);
    }
    return dispatchCopy(operation, caller, deadline);
  }

  private CompletionStage<BlobOutcome> dispatchCopy(
      OnBlob operation, Caller caller, Deadline deadline) {
    String account = caller.account();
    boolean mayOverwrite = BlobAccess.mayOverwrite(operation, caller);
    if (operation instanceof BlobOperation.CopyBlob copy) {
      return copies.copy(account, copy, mayOverwrite, deadline);
    } else if (operation instanceof BlobOperation.PutBlobFromUrl put) {
      return copies.put(account, put, mayOverwrite, deadline);
    } else if (operation instanceof BlobOperation.PutBlockFromUrl put) {
      return copies.putBlock(account, put, mayOverwrite, deadline);
    } else if (operation instanceof BlobOperation.AppendBlockFromUrl append) {
      return copies.append(account, append, deadline);
    } else if (operation instanceof BlobOperation.AbortCopy abort) {
      return pending.abort(account, abort, deadline);
    } else if (operation instanceof BlobOperation.PutPagesFromUrl put) {
      return copies.putPages(account, put, deadline);
    }
    return dispatchPages(operation, caller, deadline);
  }

  private CompletionStage<BlobOutcome> dispatchPages(
      OnBlob operation, Caller caller, Deadline deadline) {
    String account = caller.account();
    if (operation instanceof BlobOperation.CreatePageBlob create) {
      boolean mayOverwrite = BlobAccess.mayOverwrite(create, caller);
      return pages.create(account, create, mayOverwrite, deadline);
    } else if (operation instanceof BlobOperation.ChangePageBlob change) {
      return pages.change(account, change, deadline);
    } else if (operation instanceof BlobOperation.ClearPages clear) {
      return pages.clear(account, clear, deadline);
    } else if (operation instanceof BlobOperation.FindPageRanges find) {
      return pages.ranges(account, find, deadline);
    }
    throw unknown(operation);
  }

  /**
   * Returns the exception for an operation that {@link #execute} does not handle, such as an
   * upload, which begins with {@link #upload}.
   */
  private static IllegalStateException unknown(BlobOperation operation) {
    return new IllegalStateException("unknown operation: " + operation.getClass());
  }
}
