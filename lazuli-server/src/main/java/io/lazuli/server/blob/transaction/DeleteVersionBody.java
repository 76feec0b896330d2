package io.lazuli.server.blob.transaction;

import io.lazuli.server.blob.model.BlobErrors;
import io.lazuli.server.blob.model.BlobProperties;
import io.lazuli.server.blob.partition.BlobView;
import io.lazuli.server.blob.partition.HistoryView;
import io.lazuli.server.blob.protection.Keep;
import io.lazuli.server.blob.protection.SoftDeletion;
import io.lazuli.server.blob.request.Conditions;
import io.lazuli.server.error.ServiceError;
import io.lazuli.storage.PartitionView;

/**
 * Deletes one previous version. The current version cannot be deleted by its name (blob-features
 * 3.5).
 *
 * @param clock the time that decides whether an immutability policy is active
 */
public record DeleteVersionBody(Conditions conditions, long ticks, long clock, Keep keep)
    implements KeepingBody<Boolean> {
  public DeleteVersionBody(Conditions conditions, long ticks, long clock) {
    this(conditions, ticks, clock, Keep.NOTHING);
  }

  @Override
  public DeleteVersionBody keeping(Keep newKeep) {
    return new DeleteVersionBody(conditions, ticks, clock, newKeep);
  }

  /** The value is true if the version can be restored. */
  @Override
  public TransactionResult<Boolean> run(PartitionView partition) {
    BlobView view = new BlobView(partition);
    BlobProperties blob = view.find();
    if (blob != null && blob.optional().versionTicks() == ticks) {
      return TransactionResult.refused(BlobErrors.OPERATION_NOT_ALLOWED_ON_ROOT_BLOB);
    }
    HistoryView history = new HistoryView(partition);
    BlobProperties version = history.version(ticks);
    if (version == null) {
      return TransactionResult.refused(BlobErrors.BLOB_NOT_FOUND);
    }
    ServiceError refusal = conditions.refusal(Conditions.Use.WRITE, version.changedTicks());
    refusal = refusal == null ? version.removalRefusal(clock) : refusal;
    if (refusal != null) {
      return TransactionResult.refused(refusal);
    } else if (keep.deleted() && !keep.announced()) {
      return TransactionResult.unannounced();
    }
    history.removeVersion(ticks);
    if (keep.deleted()) {
      SoftDeletion deletion = new SoftDeletion(view.newTicks(), keep.endTicks());
      history.addDeletedVersion(ticks, version, deletion);
    }
    history.store();
    return TransactionResult.done(keep.deleted(), !keep.deleted());
  }
}
