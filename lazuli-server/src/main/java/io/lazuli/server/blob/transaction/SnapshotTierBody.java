package io.lazuli.server.blob.transaction;

import io.lazuli.server.blob.encoding.BlobPropertiesCodec;
import io.lazuli.server.blob.model.BlobErrors;
import io.lazuli.server.blob.model.BlobProperties;
import io.lazuli.server.blob.model.BlobType;
import io.lazuli.server.blob.partition.BlobView;
import io.lazuli.server.blob.request.Conditions;
import io.lazuli.server.blob.request.NamedState;
import io.lazuli.server.blob.tier.AccessTier;
import io.lazuli.server.blob.tier.TierState;
import io.lazuli.server.error.ServiceError;
import io.lazuli.storage.Bytes;
import io.lazuli.storage.PartitionView;
import io.lazuli.storage.TransactionBody;

/**
 * Sets the tier of one snapshot or version; the blob and its other states keep theirs. An archived
 * snapshot stays archived: only a copy of it can be online (blob-features 4.6).
 */
public record SnapshotTierBody(BlobTerms terms, NamedState state, AccessTier tier)
    implements TransactionBody<TransactionResult<BlobProperties>> {
  /** The value is the changed snapshot. */
  @Override
  public TransactionResult<BlobProperties> run(PartitionView partition) {
    Bytes row = new BlobView(partition).row(state);
    byte[] record = partition.read(row);
    if (record == null) {
      return TransactionResult.refused(BlobErrors.BLOB_NOT_FOUND);
    }
    BlobProperties snapshot = BlobPropertiesCodec.decode(record);
    ServiceError refusal = terms.readRefusal(Conditions.Use.WRITE, snapshot);
    if (refusal == null && snapshot.type() != BlobType.BLOCK) {
      refusal = BlobErrors.TIER_NOT_SUPPORTED;
    }
    TierState before = snapshot.tierAt(terms.now());
    if (refusal == null && before.isArchived() && tier != AccessTier.ARCHIVE) {
      refusal = BlobErrors.BLOB_ARCHIVED;
    }
    if (refusal != null) {
      return TransactionResult.refused(refusal);
    }
    BlobProperties changed = snapshot.withTier(before.set(tier, null, partition.timestamp(row), 0));
    partition.put(row, BlobPropertiesCodec.encode(changed));
    return TransactionResult.done(changed);
  }
}
