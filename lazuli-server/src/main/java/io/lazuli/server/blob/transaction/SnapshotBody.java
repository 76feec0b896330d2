package io.lazuli.server.blob.transaction;

import io.lazuli.server.blob.encoding.BlobPropertiesCodec;
import io.lazuli.server.blob.encoding.BlobRows;
import io.lazuli.server.blob.model.BlobErrors;
import io.lazuli.server.blob.model.BlobProperties;
import io.lazuli.server.blob.model.SnapshotCount;
import io.lazuli.server.blob.partition.BlobView;
import io.lazuli.server.blob.protection.Keep;
import io.lazuli.server.blob.request.Conditions;
import io.lazuli.server.error.ServiceError;
import io.lazuli.storage.PartitionView;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Takes a snapshot: writes a row that names the same version, and copies no bytes. The blob's
 * properties count its snapshots, so that a deletion knows whether there are any without a scan.
 *
 * @param metadata null to take over the metadata of the blob
 */
public record SnapshotBody(BlobTerms terms, @Nullable Map<String, String> metadata, Keep keep)
    implements KeepingBody<SnapshotBody.Taken> {
  public SnapshotBody(BlobTerms terms, @Nullable Map<String, String> metadata) {
    this(terms, metadata, Keep.NOTHING);
  }

  @Override
  public SnapshotBody keeping(Keep newKeep) {
    return new SnapshotBody(terms, metadata, newKeep);
  }

  /**
   * A snapshot was taken.
   *
   * @param ticks the time that names the snapshot
   * @param versionTicks the time that names the new current version of the blob; 0 without versions
   */
  public record Taken(BlobProperties snapshot, long ticks, long versionTicks) {}

  @Override
  public TransactionResult<Taken> run(PartitionView partition) {
    BlobView view = new BlobView(partition);
    BlobProperties blob = view.find();
    if (blob == null) {
      return TransactionResult.refused(BlobErrors.BLOB_NOT_FOUND);
    }
    ServiceError refusal = terms.readRefusal(Conditions.Use.WRITE, blob);
    if (refusal == null && blob.isCopyPending()) {
      refusal = BlobErrors.PENDING_COPY;
    } else if (refusal == null && blob.tierAt(terms.now()).isArchived()) {
      refusal = BlobErrors.BLOB_ARCHIVED;
    }
    if (refusal != null) {
      return TransactionResult.refused(refusal);
    }
    SnapshotCount before = blob.snapshots();
    long ticks = Math.max(view.newTicks(), before.lastTicks() + 1);
    BlobProperties copy = metadata == null ? blob : blob.withMetadata(metadata, ticks);
    BlobProperties snapshot = copy.asSnapshot();
    partition.put(BlobRows.snapshot(ticks), BlobPropertiesCodec.encode(snapshot));
    BlobProperties counted = blob.withSnapshots(new SnapshotCount(before.count() + 1, ticks));
    if (!keep.versions()) {
      view.put(counted);
      return TransactionResult.done(new Taken(snapshot, ticks, 0));
    }
    // The new version is later than the snapshot (blob-features 3.1).
    BlobProperties current =
        new Replacement(partition, keep.versionsOnly(), blob).put(counted, ticks + 1);
    return TransactionResult.done(new Taken(snapshot, ticks, current.optional().versionTicks()));
  }
}
