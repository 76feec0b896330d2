package io.lazuli.server.blob.service;

import io.lazuli.server.blob.garbage.BlobGarbage;
import io.lazuli.server.blob.model.BlobErrors;
import io.lazuli.server.blob.model.BlobLimits;
import io.lazuli.server.blob.model.BlobProperties;
import io.lazuli.server.blob.model.BlobType;
import io.lazuli.server.blob.model.Block;
import io.lazuli.server.blob.model.BlockId;
import io.lazuli.server.blob.model.TierChoice;
import io.lazuli.server.blob.model.UncommittedBlock;
import io.lazuli.server.blob.partition.BlobRecords;
import io.lazuli.server.blob.request.BlobAddress;
import io.lazuli.server.blob.request.BlobSettings;
import io.lazuli.server.blob.request.Conditions;
import io.lazuli.server.blob.request.RequestTerms;
import io.lazuli.server.blob.service.BlobOperation.DeleteBlob;
import io.lazuli.server.blob.service.BlobOperation.DeleteSnapshot;
import io.lazuli.server.blob.service.BlobOperation.LeaseBlob;
import io.lazuli.server.blob.service.BlobOperation.PutBlockList;
import io.lazuli.server.blob.service.BlobOperation.ReplaceHttp;
import io.lazuli.server.blob.service.BlobOperation.ReplaceMetadata;
import io.lazuli.server.blob.service.BlobOperation.ReplaceTags;
import io.lazuli.server.blob.service.BlobOperation.Seal;
import io.lazuli.server.blob.service.BlobOperation.SetTier;
import io.lazuli.server.blob.service.BlobOperation.TakeSnapshot;
import io.lazuli.server.blob.service.BlobOutcome.BlobChanged;
import io.lazuli.server.blob.service.BlobOutcome.BlobLeased;
import io.lazuli.server.blob.service.BlobOutcome.Done;
import io.lazuli.server.blob.service.BlobOutcome.SnapshotTaken;
import io.lazuli.server.blob.transaction.BlobTerms;
import io.lazuli.server.blob.transaction.BlockList;
import io.lazuli.server.blob.transaction.ChangeBody;
import io.lazuli.server.blob.transaction.CommitBody;
import io.lazuli.server.blob.transaction.DeleteBody;
import io.lazuli.server.blob.transaction.DeleteSnapshotBody;
import io.lazuli.server.blob.transaction.LeaseBody;
import io.lazuli.server.blob.transaction.NewBlob;
import io.lazuli.server.blob.transaction.SegmentsBody;
import io.lazuli.server.blob.transaction.SnapshotBody;
import io.lazuli.server.blob.transaction.SnapshotTierBody;
import io.lazuli.server.blob.transaction.TransactionResult;
import io.lazuli.server.error.CommonErrors;
import io.lazuli.server.error.ServiceError;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.Partition;
import io.lazuli.storage.StorageEngine;
import io.lazuli.storage.TransactionBody;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The operations that change a blob without a body. */
final class BlobWrites {
  /** After this many attempts, a blob whose blocks keep changing counts as busy. */
  private static final int COMMIT_ATTEMPTS_MAX = 20;

  private final StorageEngine engine;
  private final BlobPartitions partitions;
  private final BlobGarbage garbage;

  BlobWrites(StorageEngine engine, BlobPartitions partitions, BlobGarbage garbage) {
    this.engine = engine;
    this.partitions = partitions;
    this.garbage = garbage;
  }

  CompletableFuture<BlobOutcome> replaceMetadata(
      String account, ReplaceMetadata replace, Deadline deadline) {
    ChangeBody.Change change = (blob, ticks) -> blob.withMetadata(replace.metadata(), ticks);
    return change(account, replace.at(), replace.terms(), true, change, deadline);
  }

  CompletableFuture<BlobOutcome> replaceHttp(
      String account, ReplaceHttp replace, Deadline deadline) {
    ChangeBody.Change change = (blob, ticks) -> blob.withHttp(replace.http(), ticks);
    return change(account, replace.at(), replace.terms(), true, change, deadline);
  }

  CompletableFuture<BlobOutcome> replaceTags(
      String account, ReplaceTags replace, Deadline deadline) {
    ChangeBody.Change change = (blob, ticks) -> blob.withTags(replace.tags());
    return change(account, replace.at(), replace.terms(), true, change, deadline);
  }

  CompletableFuture<BlobOutcome> setTier(String account, SetTier set, Deadline deadline) {
    Long snapshotTicks = set.snapshotTicks();
    if (snapshotTicks != null) {
      BlobTerms terms = terms(lease(set.leaseId()));
      return run(
              account, set.at(), deadline, new SnapshotTierBody(terms, snapshotTicks, set.tier()))
          .thenApply(BlobChanged::new);
    }
    ChangeBody.Change change =
        new ChangeBody.Change() {
          @Override
          public @Nullable ServiceError refusal(BlobProperties blob) {
            return blob.type() == BlobType.BLOCK ? null : BlobErrors.TIER_NOT_SUPPORTED;
          }

          @Override
          public BlobProperties apply(BlobProperties blob, long ticks) {
            return blob.withTier(new TierChoice(set.tier(), ticks));
          }
        };
    return change(account, set.at(), lease(set.leaseId()), false, change, deadline);
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

  CompletableFuture<BlobOutcome> snapshot(String account, TakeSnapshot take, Deadline deadline) {
    SnapshotBody body = new SnapshotBody(terms(take.terms()), take.metadata());
    return run(account, take.at(), deadline, body)
        .thenApply(taken -> new SnapshotTaken(taken.snapshot(), taken.ticks()));
  }

  CompletableFuture<BlobOutcome> lease(String account, LeaseBlob lease, Deadline deadline) {
    LeaseBody body = new LeaseBody(lease.conditions(), engine.now(), lease.lease());
    return run(account, lease.at(), deadline, body)
        .thenApply(leased -> new BlobLeased(leased.blob(), leased.secondsLeft()));
  }

  /** Deletes a blob. Many snapshots take several transactions. */
  CompletableFuture<BlobOutcome> delete(String account, DeleteBlob delete, Deadline deadline) {
    DeleteBody body = new DeleteBody(terms(delete.terms()), delete.snapshots());
    return run(account, delete.at(), deadline, body)
        .thenComposeAsync(
            outcome ->
                outcome == DeleteBody.Outcome.SNAPSHOTS_LEFT
                    ? delete(account, delete, deadline)
                    : CompletableFuture.completedFuture(new Done()));
  }

  /** Deletes a snapshot. A snapshot has no lease, so a lease id can only be wrong. */
  CompletableFuture<BlobOutcome> deleteSnapshot(
      String account, DeleteSnapshot delete, Deadline deadline) {
    if (delete.terms().leaseId() != null) {
      throw BlobErrors.BLOB_WITHOUT_LEASE.exception();
    }
    DeleteSnapshotBody body =
        new DeleteSnapshotBody(delete.terms().conditions(), delete.snapshotTicks());
    return run(account, delete.at(), deadline, body).thenApply(blob -> new Done());
  }

  /**
   * Commits a block list: reads the blocks, writes the new list next to the old one, then makes the
   * properties name the new list.
   *
   * @param mayOverwrite false if the caller may only create new blobs
   */
  BlobOutcome putBlockList(
      String account, PutBlockList put, boolean mayOverwrite, Deadline deadline) {
    if (put.entries().size() > BlobLimits.COMMITTED_BLOCKS_MAX) {
      throw BlobErrors.BLOCK_LIST_TOO_LONG.exception();
    }
    return partitions.reading(
        account,
        put.at(),
        deadline,
        partition -> {
          try {
            return garbage
                .use()
                .during(partition, () -> commit(partition, put, mayOverwrite, deadline));
          } finally {
            garbage.changed(partition);
          }
        });
  }

  private BlobOutcome commit(
      Partition partition, PutBlockList put, boolean mayOverwrite, Deadline deadline) {
    BlobRecords records = new BlobRecords(engine, partition, deadline);
    for (int attempt = 0; attempt < COMMIT_ATTEMPTS_MAX; attempt++) {
      BlobTerms terms = new BlobTerms(put.terms(), engine.now(), mayOverwrite);
      BlobProperties seen = records.find();
      Refusals.check(CommitBody.refusal(terms, seen));
      BlockList list = resolve(records, seen, put);
      long version = writeSegments(partition, list, deadline);
      CommitBody body = new CommitBody(terms, blob(put), seen, version, list);
      CommitBody.Outcome outcome = partitions.run(partition, deadline, body).orThrow();
      if (outcome instanceof CommitBody.Committed committed) {
        return new BlobChanged(committed.blob());
      }
    }
    throw CommonErrors.SERVER_BUSY.exception();
  }

  private static NewBlob blob(PutBlockList put) {
    BlobSettings settings = put.settings();
    return new NewBlob(
        BlobType.BLOCK,
        settings.http(),
        settings.metadata(),
        settings.tags(),
        settings.tier(),
        null);
  }

  private static BlockList resolve(
      BlobRecords records, @Nullable BlobProperties seen, PutBlockList put) {
    Map<BlockId, Block> committed = new HashMap<>();
    Map<BlockId, UncommittedBlock> uncommitted = new HashMap<>();
    if (seen != null) {
      records.blocks(seen).forEach(block -> committed.putIfAbsent(block.id(), block));
      records.uncommitted(seen).forEach((id, block) -> uncommitted.put(new BlockId(id), block));
    }
    return BlockList.resolve(put.entries(), committed, uncommitted)
        .orElseThrow(BlobErrors.INVALID_BLOCK_LIST::exception);
  }

  /** Writes the segments of a list that nothing names yet. Returns their version. */
  long writeSegments(Partition partition, BlockList list, Deadline deadline) {
    long version = 0;
    for (int at = 0; at < list.segments().size(); at += SegmentsBody.SEGMENTS_MAX) {
      int end = Math.min(list.segments().size(), at + SegmentsBody.SEGMENTS_MAX);
      SegmentsBody body = new SegmentsBody(version, list.segments().subList(at, end));
      version = partitions.run(partition, deadline, body);
    }
    return version;
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
    return new BlobTerms(terms, engine.now());
  }

  private static RequestTerms lease(@Nullable UUID leaseId) {
    return new RequestTerms(Conditions.NONE, leaseId);
  }
}
