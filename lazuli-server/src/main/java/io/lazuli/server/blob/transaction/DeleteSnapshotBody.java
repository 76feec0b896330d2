package io.lazuli.server.blob.transaction;

import io.lazuli.server.blob.encoding.BlobPropertiesCodec;
import io.lazuli.server.blob.encoding.BlobRows;
import io.lazuli.server.blob.model.BlobErrors;
import io.lazuli.server.blob.model.BlobProperties;
import io.lazuli.server.blob.model.SnapshotCount;
import io.lazuli.server.blob.partition.BlobView;
import io.lazuli.server.blob.request.Conditions;
import io.lazuli.server.error.ServiceError;
import io.lazuli.storage.PartitionView;
import io.lazuli.storage.TransactionBody;

/** Deletes one snapshot. The conditions apply to the snapshot, which has no lease. */
public record DeleteSnapshotBody(Conditions conditions, long ticks)
    implements TransactionBody<TransactionResult<BlobProperties>> {
  /** Returns the properties of the blob that the snapshot belonged to. */
  @Override
  public TransactionResult<BlobProperties> run(PartitionView partition) {
    BlobView view = new BlobView(partition);
    BlobProperties blob = view.find();
    byte[] snapshot = partition.read(BlobRows.snapshot(ticks));
    if (snapshot == null || blob == null) {
      return TransactionResult.refused(BlobErrors.BLOB_NOT_FOUND);
    }
    long changedTicks = BlobPropertiesCodec.decode(snapshot).changedTicks();
    ServiceError refusal = conditions.refusal(Conditions.Use.WRITE, changedTicks);
    if (refusal != null) {
      return TransactionResult.refused(refusal);
    }
    partition.delete(BlobRows.snapshot(ticks));
    SnapshotCount before = blob.snapshots();
    BlobProperties rest =
        blob.withSnapshots(new SnapshotCount(before.count() - 1, before.lastTicks()));
    view.put(rest);
    return TransactionResult.done(rest, true);
  }
}
