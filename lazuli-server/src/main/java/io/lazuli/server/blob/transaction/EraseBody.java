package io.lazuli.server.blob.transaction;

import io.lazuli.server.blob.encoding.BlobRows;
import io.lazuli.server.blob.model.BlobErrors;
import io.lazuli.server.blob.model.BlobProperties;
import io.lazuli.server.blob.partition.HistoryView;
import io.lazuli.server.blob.request.NamedState;
import io.lazuli.storage.Bytes;
import io.lazuli.storage.PartitionView;
import io.lazuli.storage.TransactionBody;

/**
 * Erases a soft-deleted snapshot or version before its retention ends (blob-features 2.5).
 *
 * @param now the engine's time when the request arrived
 */
public record EraseBody(NamedState state, long now)
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
    history.removeDeleted(row, deleted);
    history.store();
    return TransactionResult.done(false, true);
  }
}
