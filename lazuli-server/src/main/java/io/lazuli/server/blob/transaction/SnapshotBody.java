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
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Takes a snapshot: writes a row that names the same version, and copies no bytes. The blob's
 * properties count its snapshots, so that a deletion knows whether there are any without a scan.
 *
 * @param metadata null to take over the metadata of the blob
 */
public record SnapshotBody(BlobTerms terms, @Nullable Map<String, String> metadata)
    implements TransactionBody<TransactionResult<SnapshotBody.Taken>> {
  /**
   * A snapshot was taken.
   *
   * @param ticks the time that names the snapshot
   */
  public record Taken(BlobProperties snapshot, long ticks) {}

  @Override
  public TransactionResult<Taken> run(PartitionView partition) {
    BlobView view = new BlobView(partition);
    BlobProperties blob = view.find();
    if (blob == null) {
      return TransactionResult.refused(BlobErrors.BLOB_NOT_FOUND);
    }
    ServiceError refusal = terms.readRefusal(Conditions.Use.WRITE, blob);
    if (refusal != null) {
      return TransactionResult.refused(refusal);
    }
    SnapshotCount before = blob.snapshots();
    long ticks = Math.max(view.newTicks(), before.lastTicks() + 1);
    BlobProperties copy = metadata == null ? blob : blob.withMetadata(metadata, ticks);
    BlobProperties snapshot = copy.asSnapshot();
    partition.put(BlobRows.snapshot(ticks), BlobPropertiesCodec.encode(snapshot));
    view.put(blob.withSnapshots(new SnapshotCount(before.count() + 1, ticks)));
    return TransactionResult.done(new Taken(snapshot, ticks));
  }
}
