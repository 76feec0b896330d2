package io.lazuli.server.blob.transaction;

import io.lazuli.server.blob.encoding.BlobRows;
import io.lazuli.server.blob.model.BlobErrors;
import io.lazuli.server.blob.model.BlobProperties;
import io.lazuli.server.blob.partition.HistoryView;
import io.lazuli.server.blob.request.NamedState;
import io.lazuli.server.error.ServiceError;
import io.lazuli.storage.Bytes;
import io.lazuli.storage.PartitionView;
import io.lazuli.storage.TransactionBody;

/**
 * Erases a soft-deleted snapshot or version before its retention ends (blob-features 2.5).
 *
 * @param now the engine's time when the request arrived
 * @param clock the time that decides whether an immutability policy is active
 */
public record EraseBody(NamedState state, long now, long clock)
    implements TransactionBody<TransactionResult<Boolean>> {
  /** The value is false: the state cannot be restored. */
  @Override
  public TransactionResult<Boolean> run(PartitionView partition) {
    HistoryView history = new HistoryView(partition);
    Bytes row =
        state.isSnapshot()
            ? BlobRows.deletedSnapshot(state.ticks())
            : BlobRows.deletedVersion(state.ticks());
    BlobProperties deleted = history.deleted(row);
    if (deleted == null || !history.isRestorable(deleted, now)) {
      return TransactionResult.refused(BlobErrors.BLOB_NOT_FOUND);
    }
    // It was deleted when its policy had ended, but the clock may have been set back since.
    ServiceError refusal = deleted.removalRefusal(clock);
    if (refusal != null) {
      return TransactionResult.refused(refusal);
    }
    history.removeDeleted(row, deleted);
    history.store();
    return TransactionResult.done(false, true);
  }
}
