package io.lazuli.server.blob.transaction;

import io.lazuli.server.blob.encoding.BlobPropertiesCodec;
import io.lazuli.server.blob.encoding.BlobRows;
import io.lazuli.server.blob.model.BlobErrors;
import io.lazuli.server.blob.model.BlobProperties;
import io.lazuli.server.blob.model.SnapshotCount;
import io.lazuli.server.blob.partition.BlobView;
import io.lazuli.server.blob.partition.HistoryView;
import io.lazuli.server.blob.protection.Keep;
import io.lazuli.server.blob.protection.SoftDeletion;
import io.lazuli.server.blob.request.Conditions;
import io.lazuli.server.error.ServiceError;
import io.lazuli.storage.PartitionView;

/**
 * Deletes one snapshot. The conditions apply to the snapshot, which has no lease.
 *
 * @param clock the time that decides whether an immutability policy is active
 */
public record DeleteSnapshotBody(Conditions conditions, long ticks, long clock, Keep keep)
    implements KeepingBody<Boolean> {
  public DeleteSnapshotBody(Conditions conditions, long ticks, long clock) {
    this(conditions, ticks, clock, Keep.NOTHING);
  }

  @Override
  public DeleteSnapshotBody keeping(Keep newKeep) {
    return new DeleteSnapshotBody(conditions, ticks, clock, newKeep);
  }

  /** The value is true if the snapshot can be restored. */
  @Override
  public TransactionResult<Boolean> run(PartitionView partition) {
    BlobView view = new BlobView(partition);
    BlobProperties blob = view.find();
    byte[] snapshot = partition.read(BlobRows.snapshot(ticks));
    if (snapshot == null || blob == null) {
      return TransactionResult.refused(BlobErrors.BLOB_NOT_FOUND);
    }
    BlobProperties state = BlobPropertiesCodec.decode(snapshot);
    ServiceError refusal =
        conditions.refusal(Conditions.Use.WRITE, state.changedTicks(), state.tags());
    refusal = refusal == null ? state.removalRefusal(clock) : refusal;
    if (refusal != null) {
      return TransactionResult.refused(refusal);
    } else if (keep.deleted() && !keep.announced()) {
      return TransactionResult.unannounced();
    }
    partition.delete(BlobRows.snapshot(ticks));
    view.noteDropped(state, blob);
    SnapshotCount before = blob.snapshots();
    BlobProperties rest =
        blob.withSnapshots(new SnapshotCount(before.count() - 1, before.lastTicks()));
    if (keep.deleted()) {
      HistoryView history = new HistoryView(partition);
      SoftDeletion deletion = new SoftDeletion(view.newTicks(), keep.endTicks());
      history.addDeletedSnapshot(ticks, state, deletion);
      history.store();
    }
    view.put(rest);
    return TransactionResult.done(keep.deleted(), !keep.deleted());
  }
}
