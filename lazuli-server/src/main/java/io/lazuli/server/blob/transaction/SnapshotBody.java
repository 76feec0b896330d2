package io.lazuli.server.blob.transaction;

import io.lazuli.server.blob.encoding.BlobPropertiesCodec;
import io.lazuli.server.blob.encoding.BlobRows;
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
 * Takes a snapshot: a row that names the same version, no bytes are copied. The blob counts it, so
 * that a deletion knows by key whether there are any.
 *
 * @param metadata null to take over the blob's
 */
public record SnapshotBody(BlobTerms terms, @Nullable Map<String, String> metadata)
    implements TransactionBody<BodyResult> {
  /** The result's blob is the snapshot. */
  @Override
  public BodyResult run(PartitionView partition) {
    BlobView view = new BlobView(partition);
    BlobProperties blob = view.find();
    ServiceError refusal = terms.readRefusal(Conditions.Use.WRITE, blob);
    if (refusal != null || blob == null) {
      return new BodyResult(refusal, null, 0, false);
    }
    SnapshotCount before = blob.snapshots();
    long ticks = Math.max(view.newTicks(), before.lastTicks() + 1);
    BlobProperties copy = metadata == null ? blob : blob.withMetadata(metadata, ticks);
    BlobProperties snapshot = copy.asSnapshot();
    partition.put(BlobRows.snapshot(ticks), BlobPropertiesCodec.encode(snapshot));
    view.put(blob.withSnapshots(new SnapshotCount(before.count() + 1, ticks)));
    return BodyResult.doneAt(snapshot, ticks);
  }
}
