package io.lazuli.server.blob.service;

import io.lazuli.server.blob.garbage.BlobGarbage;
import io.lazuli.server.blob.garbage.EndedUpload;
import io.lazuli.server.blob.model.BlobErrors;
import io.lazuli.server.blob.model.BlobLimits;
import io.lazuli.server.blob.model.BlobProperties;
import io.lazuli.server.blob.model.BlobType;
import io.lazuli.server.blob.model.Block;
import io.lazuli.server.blob.model.BlockId;
import io.lazuli.server.blob.model.UncommittedBlock;
import io.lazuli.server.blob.partition.BlobRecords;
import io.lazuli.server.blob.partition.ProtectedStates;
import io.lazuli.server.blob.request.BlobAddress;
import io.lazuli.server.blob.request.BlobSettings;
import io.lazuli.server.blob.request.Conditions;
import io.lazuli.server.blob.request.NamedState;
import io.lazuli.server.blob.request.RequestTerms;
import io.lazuli.server.blob.service.BlobOperation.DeleteBlob;
import io.lazuli.server.blob.service.BlobOperation.DeleteSnapshot;
import io.lazuli.server.blob.service.BlobOperation.DeleteVersion;
import io.lazuli.server.blob.service.BlobOperation.Erase;
import io.lazuli.server.blob.service.BlobOperation.LeaseBlob;
import io.lazuli.server.blob.service.BlobOperation.PutBlockList;
import io.lazuli.server.blob.service.BlobOperation.ReplaceHttp;
import io.lazuli.server.blob.service.BlobOperation.ReplaceMetadata;
import io.lazuli.server.blob.service.BlobOperation.ReplaceTags;
import io.lazuli.server.blob.service.BlobOperation.Seal;
import io.lazuli.server.blob.service.BlobOperation.SetExpiry;
import io.lazuli.server.blob.service.BlobOperation.SetLegalHold;
import io.lazuli.server.blob.service.BlobOperation.SetPolicy;
import io.lazuli.server.blob.service.BlobOperation.SetTier;
import io.lazuli.server.blob.service.BlobOperation.TakeSnapshot;
import io.lazuli.server.blob.service.BlobOperation.UndeleteBlob;
import io.lazuli.server.blob.service.BlobOutcome.BlobChanged;
import io.lazuli.server.blob.service.BlobOutcome.BlobDeleted;
import io.lazuli.server.blob.service.BlobOutcome.BlobLeased;
import io.lazuli.server.blob.service.BlobOutcome.Done;
import io.lazuli.server.blob.service.BlobOutcome.SnapshotTaken;
import io.lazuli.server.blob.transaction.BlobTerms;
import io.lazuli.server.blob.transaction.BlockList;
import io.lazuli.server.blob.transaction.ChangeBody;
import io.lazuli.server.blob.transaction.CommitBody;
import io.lazuli.server.blob.transaction.DeleteBody;
import io.lazuli.server.blob.transaction.DeleteSnapshotBody;
import io.lazuli.server.blob.transaction.DeleteVersionBody;
import io.lazuli.server.blob.transaction.EraseBody;
import io.lazuli.server.blob.transaction.LeaseBody;
import io.lazuli.server.blob.transaction.NewBlob;
import io.lazuli.server.blob.transaction.ProtectBody;
import io.lazuli.server.blob.transaction.SegmentsBody;
import io.lazuli.server.blob.transaction.SnapshotBody;
import io.lazuli.server.blob.transaction.SnapshotTierBody;
import io.lazuli.server.blob.transaction.TransactionResult;
import io.lazuli.server.blob.transaction.UndeleteBody;
import io.lazuli.server.blob.transaction.VersionTagsBody;
import io.lazuli.server.error.CommonErrors;
import io.lazuli.server.error.ServiceError;
import io.lazuli.storage.Bytes;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.Partition;
import io.lazuli.storage.StorageEngine;
import io.lazuli.storage.TransactionBody;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The operations that change a blob without a body. */
final class BlobWrites {
  /** After this many attempts, a blob whose blocks keep changing counts as busy. */
  private static final int COMMIT_ATTEMPTS_MAX = 20;

  private final StorageEngine engine;
  private final BlobPartitions partitions;
  private final BlobGarbage garbage;
  private final long rehydrationTicks;

  /**
   * @param rehydrationTicks the time that a blob needs to leave the archive
   */
  BlobWrites(
      StorageEngine engine, BlobPartitions partitions, BlobGarbage garbage, long rehydrationTicks) {
    this.rehydrationTicks = rehydrationTicks;
    this.engine = engine;
    this.partitions = partitions;
    this.garbage = garbage;
  }

  CompletableFuture<BlobOutcome> replaceMetadata(
      String account, ReplaceMetadata replace, Deadline deadline) {
    long now = engine.now();
    ChangeBody.Change change =
        new ChangeBody.Change() {
          @Override
          public @Nullable ServiceError refusal(BlobProperties blob) {
            return archiveRefusal(blob, now);
          }

          @Override
          public BlobProperties apply(BlobProperties blob, long ticks) {
            return blob.withMetadata(replace.metadata(), ticks);
          }

          @Override
          public boolean makesVersion() {
            return true;
          }
        };
    return change(account, replace.at(), replace.terms(), true, change, deadline);
  }

  CompletableFuture<BlobOutcome> replaceHttp(
      String account, ReplaceHttp replace, Deadline deadline) {
    long now = engine.now();
    ChangeBody.Change change =
        new ChangeBody.Change() {
          @Override
          public @Nullable ServiceError refusal(BlobProperties blob) {
            return archiveRefusal(blob, now);
          }

          @Override
          public BlobProperties apply(BlobProperties blob, long ticks) {
            return blob.withHttp(replace.http(), ticks);
          }
        };
    return change(account, replace.at(), replace.terms(), true, change, deadline);
  }

  /** Returns the error if the blob is in the archive; null if it is not. */
  private static @Nullable ServiceError archiveRefusal(BlobProperties blob, long now) {
    return blob.tierAt(now).isArchived() ? BlobErrors.BLOB_ARCHIVED : null;
  }

  CompletableFuture<BlobOutcome> replaceTags(
      String account, ReplaceTags replace, Deadline deadline) {
    BlobTerms terms = terms(replace.terms());
    Long version = replace.versionTicks();
    TransactionBody<TransactionResult<BlobProperties>> body =
        version == null
            ? VersionTagsBody.ofBlob(terms, replace.tags())
            : new VersionTagsBody(terms, version, replace.tags());
    return run(account, replace.at(), deadline, body).thenApply(BlobChanged::new);
  }

  CompletableFuture<BlobOutcome> setTier(String account, SetTier set, Deadline deadline) {
    NamedState state = set.state();
    if (state != null) {
      BlobTerms terms = terms(set.terms());
      return run(account, set.at(), deadline, new SnapshotTierBody(terms, state, set.tier()))
          .thenApply(BlobChanged::new);
    }
    long now = engine.now();
    ChangeBody.Change change =
        new ChangeBody.Change() {
          @Override
          public @Nullable ServiceError refusal(BlobProperties blob) {
            if (blob.type() != BlobType.BLOCK) {
              return BlobErrors.TIER_NOT_SUPPORTED;
            }
            return blob.tierAt(now).isLeavingFor(set.tier())
                ? BlobErrors.BLOB_BEING_REHYDRATED
                : null;
          }

          @Override
          public boolean isAllowedOnImmutable() {
            return true;
          }

          @Override
          public BlobProperties apply(BlobProperties blob, long ticks) {
            return blob.withTier(
                blob.tierAt(now).set(set.tier(), set.priority(), ticks, rehydrationTicks));
          }
        };
    return change(account, set.at(), set.terms(), false, change, deadline);
  }

  CompletableFuture<BlobOutcome> setPolicy(String account, SetPolicy set, Deadline deadline) {
    ProtectBody.Change change = new ProtectBody.PolicyChange(set.policy());
    ProtectBody body = new ProtectBody(set.state(), set.conditions(), engine.clock(), change);
    return run(account, set.at(), deadline, body).thenApply(BlobChanged::new);
  }

  CompletableFuture<BlobOutcome> setLegalHold(String account, SetLegalHold set, Deadline deadline) {
    ProtectBody.Change change = new ProtectBody.HoldChange(set.hold());
    ProtectBody body = new ProtectBody(set.state(), Conditions.NONE, engine.clock(), change);
    return run(account, set.at(), deadline, body).thenApply(BlobChanged::new);
  }

  CompletableFuture<BlobOutcome> seal(String account, Seal seal, Deadline deadline) {
    ChangeBody.Change change =
        new ChangeBody.Change() {
          @Override
          public @Nullable ServiceError refusal(BlobProperties blob) {
            if (blob.type() != BlobType.APPEND) {
              return BlobErrors.INVALID_BLOB_TYPE;
            }
            Long position = seal.position();
            return position == null || position == blob.content().length()
                ? null
                : BlobErrors.APPEND_POSITION_NOT_MET;
          }

          @Override
          public BlobProperties apply(BlobProperties blob, long ticks) {
            return blob.sealed(ticks);
          }
        };
    return change(account, seal.at(), seal.terms(), true, change, deadline);
  }

  /**
   * Sets the expiry of a blob. The row by which the collector finds the blob is written first, so
   * the time must be known before the transaction.
   */
  CompletableFuture<BlobOutcome> setExpiry(String account, SetExpiry set, Deadline deadline) {
    long now = engine.now();
    return partitions.onBlob(
        account,
        set.at(),
        deadline,
        partition ->
            new BlobRecords(engine, partition, deadline)
                .find()
                .thenCompose(
                    seen -> {
                      Refusals.check(terms(set.terms()).writeRefusal(Conditions.Use.WRITE, seen));
                      long creation = seen == null ? 0 : seen.creationTicks();
                      long ticks = set.expiry().ticks(creation, now);
                      return announced(partition, ticks, deadline)
                          .thenCompose(
                              announced ->
                                  change(
                                      account,
                                      set.at(),
                                      set.terms(),
                                      true,
                                      expiryChange(ticks, creation),
                                      deadline));
                    }));
  }

  private CompletableFuture<Boolean> announced(
      Partition partition, long expiryTicks, Deadline deadline) {
    return expiryTicks == 0
        ? CompletableFuture.completedFuture(true)
        : partitions
            .announceExpiry(partition, expiryTicks, deadline)
            .thenApplyAsync(done -> done, partitions.workers());
  }

  /**
   * Returns the change that sets an expiry.
   *
   * @param creation the creation time of the blob for which the expiry was computed
   */
  private static ChangeBody.Change expiryChange(long expiryTicks, long creation) {
    return new ChangeBody.Change() {
      @Override
      public @Nullable ServiceError refusal(BlobProperties blob) {
        return blob.creationTicks() == creation ? null : CommonErrors.SERVER_BUSY;
      }

      @Override
      public BlobProperties apply(BlobProperties blob, long ticks) {
        return blob.withExpiry(expiryTicks, ticks);
      }
    };
  }

  CompletableFuture<BlobOutcome> snapshot(String account, TakeSnapshot take, Deadline deadline) {
    SnapshotBody body = new SnapshotBody(terms(take.terms()), take.metadata());
    return run(account, take.at(), deadline, body)
        .thenApply(
            taken -> new SnapshotTaken(taken.snapshot(), taken.ticks(), taken.versionTicks()));
  }

  CompletableFuture<BlobOutcome> lease(String account, LeaseBlob lease, Deadline deadline) {
    LeaseBody body = new LeaseBody(lease.conditions(), engine.now(), lease.lease());
    return run(account, lease.at(), deadline, body)
        .thenApply(leased -> new BlobLeased(leased.blob(), leased.secondsLeft()));
  }

  /**
   * Deletes a blob. Many snapshots take several transactions. They begin only if no snapshot is
   * protected. A snapshot that gets protected while they run stays, and ends the deletion.
   */
  CompletableFuture<BlobOutcome> delete(String account, DeleteBlob delete, Deadline deadline) {
    DeleteBody body = new DeleteBody(terms(delete.terms()), delete.snapshots());
    return delete(account, delete.at(), body, deadline);
  }

  private CompletableFuture<BlobOutcome> delete(
      String account, BlobAddress at, DeleteBody body, Deadline deadline) {
    return run(account, at, deadline, body)
        .thenComposeAsync(
            outcome ->
                switch (outcome) {
                  case UNCHECKED ->
                      requireNoProtectedSnapshot(account, at, deadline)
                          .thenCompose(none -> delete(account, at, body.asChecked(), deadline));
                  case SNAPSHOTS_LEFT -> delete(account, at, body, deadline);
                  case COMPLETE, KEPT ->
                      CompletableFuture.completedFuture(
                          new BlobDeleted(outcome == DeleteBody.Outcome.COMPLETE));
                });
  }

  private CompletableFuture<BlobOutcome> requireNoProtectedSnapshot(
      String account, BlobAddress at, Deadline deadline) {
    return partitions
        .onBlob(
            account,
            at,
            deadline,
            partition -> ProtectedStates.snapshotRefusal(engine, partition, deadline))
        .thenApply(
            refusal -> {
              if (refusal.isPresent()) {
                throw refusal.get().exception();
              }
              return new Done();
            });
  }

  /** Deletes a previous version, which has no lease. */
  CompletableFuture<BlobOutcome> deleteVersion(
      String account, DeleteVersion delete, Deadline deadline) {
    DeleteVersionBody body =
        new DeleteVersionBody(delete.terms().conditions(), delete.versionTicks(), engine.clock());
    return run(account, delete.at(), deadline, body).thenApply(kept -> new BlobDeleted(!kept));
  }

  /** Erases a soft-deleted state, if the owner of the account allows that. */
  CompletableFuture<BlobOutcome> erase(String account, Erase erase, Deadline deadline) {
    return partitions
        .protection(account, deadline)
        .thenCompose(
            protection -> {
              if (!protection.permanentDelete()) {
                throw CommonErrors.AUTHORIZATION_FAILURE.exception();
              }
              return run(
                  account,
                  erase.at(),
                  deadline,
                  new EraseBody(erase.state(), engine.now(), engine.clock()));
            })
        .<BlobOutcome>thenApply(kept -> new BlobDeleted(!kept))
        .toCompletableFuture();
  }

  /** Restores a blob. Many snapshots or versions take several transactions. */
  CompletableFuture<BlobOutcome> undelete(
      String account, UndeleteBlob undelete, Deadline deadline) {
    return run(account, undelete.at(), deadline, new UndeleteBody(engine.now()))
        .thenComposeAsync(
            outcome ->
                outcome == UndeleteBody.Outcome.STATES_LEFT
                    ? undelete(account, undelete, deadline)
                    : CompletableFuture.completedFuture(new Done()));
  }

  /** Deletes a snapshot. A snapshot has no lease, so a lease id can only be wrong. */
  CompletableFuture<BlobOutcome> deleteSnapshot(
      String account, DeleteSnapshot delete, Deadline deadline) {
    if (delete.terms().leaseId() != null) {
      throw BlobErrors.BLOB_WITHOUT_LEASE.exception();
    }
    DeleteSnapshotBody body =
        new DeleteSnapshotBody(delete.terms().conditions(), delete.snapshotTicks(), engine.clock());
    return run(account, delete.at(), deadline, body).thenApply(kept -> new BlobDeleted(!kept));
  }

  /**
   * Commits a block list: reads the blocks, writes the new list next to the old one, then makes the
   * properties name the new list.
   *
   * @param mayOverwrite false if the caller may only create new blobs
   */
  CompletableFuture<BlobOutcome> putBlockList(
      String account, PutBlockList put, boolean mayOverwrite, Deadline deadline) {
    if (put.entries().size() > BlobLimits.COMMITTED_BLOCKS_MAX) {
      throw BlobErrors.BLOCK_LIST_TOO_LONG.exception();
    }
    return partitions.onBlob(
        account,
        put.at(),
        deadline,
        partition ->
            garbage
                .use()
                .during(partition, () -> commit(partition, put, mayOverwrite, deadline, 1))
                .whenComplete(
                    (outcome, failure) -> {
                      if (failure != null) {
                        garbage.changed(partition);
                      }
                    }));
  }

  /** Tries to commit. If the blob changes in between, tries again. */
  private CompletableFuture<BlobOutcome> commit(
      Partition partition, PutBlockList put, boolean mayOverwrite, Deadline deadline, int attempt) {
    BlobRecords records = new BlobRecords(engine, partition, deadline);
    BlobTerms terms = BlobTerms.of(put.terms(), engine, mayOverwrite);
    return records
        .find()
        .thenCompose(
            seen -> {
              Refusals.check(CommitBody.refusal(terms, seen));
              return resolve(records, seen, put)
                  .thenCompose(list -> commit(partition, put, terms, seen, list, deadline));
            })
        .thenCompose(
            outcome -> {
              if (outcome instanceof CommitBody.Committed committed) {
                noteGarbage(partition, committed, attempt);
                return CompletableFuture.completedFuture(new BlobChanged(committed.blob()));
              } else if (attempt == COMMIT_ATTEMPTS_MAX) {
                throw CommonErrors.SERVER_BUSY.exception();
              }
              return commit(partition, put, mayOverwrite, deadline, attempt + 1);
            });
  }

  /**
   * Notes the garbage of a commit. Usually that is the rest of the upload, which is found without a
   * look at the other states of the blob. Earlier attempts have left their lists, too.
   */
  private void noteGarbage(Partition partition, CommitBody.Committed committed, int attempt) {
    if (committed.leavesGarbage() || attempt > 1) {
      garbage.changed(partition);
    } else if (committed.ended().number() != 0) {
      garbage.ended(new EndedUpload(partition, committed.ended(), committed.blob().content()));
    }
  }

  private CompletableFuture<CommitBody.Outcome> commit(
      Partition partition,
      PutBlockList put,
      BlobTerms terms,
      @Nullable BlobProperties seen,
      BlockList list,
      Deadline deadline) {
    return writeSegments(partition, list, deadline)
        .thenCompose(
            version ->
                partitions.run(
                    partition, deadline, new CommitBody(terms, blob(put), seen, version, list)))
        .thenApply(TransactionResult::orThrow);
  }

  private static NewBlob blob(PutBlockList put) {
    BlobSettings settings = put.settings();
    return new NewBlob(
        BlobType.BLOCK,
        settings.http(),
        settings.metadata(),
        settings.tags(),
        settings.tier(),
        settings.immutability(),
        null);
  }

  private static CompletableFuture<BlockList> resolve(
      BlobRecords records, @Nullable BlobProperties seen, PutBlockList put) {
    return seen == null
        ? CompletableFuture.completedFuture(resolve(put, List.of(), new TreeMap<>()))
        : records
            .blocks(seen)
            .thenCombine(
                records.uncommitted(seen),
                (committed, uncommitted) -> resolve(put, committed, uncommitted));
  }

  private static BlockList resolve(
      PutBlockList put, List<Block> blocks, SortedMap<Bytes, UncommittedBlock> staged) {
    Map<BlockId, Block> committed = new HashMap<>();
    Map<BlockId, UncommittedBlock> uncommitted = new HashMap<>();
    blocks.forEach(block -> committed.putIfAbsent(block.id(), block));
    staged.forEach((id, block) -> uncommitted.put(new BlockId(id), block));
    return BlockList.resolve(put.entries(), committed, uncommitted)
        .orElseThrow(BlobErrors.INVALID_BLOCK_LIST::exception);
  }

  /** Writes the segments of a list that nothing names yet. Returns their version. */
  CompletableFuture<Long> writeSegments(Partition partition, BlockList list, Deadline deadline) {
    return writeSegments(partition, list, 0, 0, deadline);
  }

  /**
   * Writes the segments from {@code at} on.
   *
   * @param version the version of the segments before; 0 if there are none
   */
  private CompletableFuture<Long> writeSegments(
      Partition partition, BlockList list, int at, long version, Deadline deadline) {
    int count = list.segments().size();
    if (at >= count) {
      return CompletableFuture.completedFuture(version);
    }
    int end = Math.min(count, at + SegmentsBody.SEGMENTS_MAX);
    SegmentsBody body = new SegmentsBody(version, list.segments().subList(at, end));
    return partitions
        .run(partition, deadline, body)
        .thenCompose(written -> writeSegments(partition, list, end, written, deadline));
  }

  private CompletableFuture<BlobOutcome> change(
      String account,
      BlobAddress at,
      RequestTerms terms,
      boolean leaseNeeded,
      ChangeBody.Change change,
      Deadline deadline) {
    return run(account, at, deadline, new ChangeBody(terms(terms), leaseNeeded, change))
        .thenApply(BlobChanged::new);
  }

  private <T> CompletableFuture<T> run(
      String account,
      BlobAddress at,
      Deadline deadline,
      TransactionBody<TransactionResult<T>> body) {
    return partitions.writing(account, at, deadline, body).thenApply(TransactionResult::orThrow);
  }

  private BlobTerms terms(RequestTerms terms) {
    return BlobTerms.of(terms, engine, true);
  }
}
