package io.lazuli.server.blob.transaction;

import io.lazuli.server.blob.encoding.BlobRows;
import io.lazuli.server.blob.index.GivesTags;
import io.lazuli.server.blob.model.BlobContent;
import io.lazuli.server.blob.model.BlobErrors;
import io.lazuli.server.blob.model.BlobProperties;
import io.lazuli.server.blob.model.BlobTags;
import io.lazuli.server.blob.partition.BlobView;
import io.lazuli.server.blob.protection.Keep;
import io.lazuli.server.blob.request.Conditions;
import io.lazuli.server.blob.tier.Rehydration;
import io.lazuli.server.error.CommonErrors;
import io.lazuli.server.error.ServiceError;
import io.lazuli.storage.PartitionView;
import org.jspecify.annotations.Nullable;

/**
 * Makes a copy, whose bytes and segments are already written, the content of the blob. Changes only
 * the properties. Does nothing if the copy took so long that its segments were removed as garbage.
 *
 * @param version the version of the segments; 0 if there are none
 * @param shape the length, the number of blocks and the seal of the copy; its version is not used
 * @param rehydration the way of the copy out of the archive; null if the source is not archived
 */
public record CopyBody(
    BlobTerms terms,
    Conditions.Use use,
    NewBlob blob,
    long version,
    BlobContent shape,
    @Nullable Rehydration rehydration,
    Keep keep)
    implements KeepingBody<BlobProperties>, GivesTags<TransactionResult<BlobProperties>> {
  public CopyBody(
      BlobTerms terms,
      Conditions.Use use,
      NewBlob blob,
      long version,
      BlobContent shape,
      @Nullable Rehydration rehydration) {
    this(terms, use, blob, version, shape, rehydration, Keep.NOTHING);
  }

  @Override
  public CopyBody keeping(Keep newKeep) {
    return new CopyBody(terms, use, blob, version, shape, rehydration, newKeep);
  }

  @Override
  public BlobTags givenTags() {
    return blob.tags();
  }

  @Override
  public CopyBody withTagStamp(long stamp) {
    return new CopyBody(terms, use, blob.withTagStamp(stamp), version, shape, rehydration, keep);
  }

  @Override
  public TransactionResult<BlobProperties> run(PartitionView partition) {
    BlobView view = new BlobView(partition);
    BlobProperties old = view.find();
    Replacement replacement = new Replacement(partition, keep, old);
    ServiceError refusal = refusal(old);
    refusal = refusal == null ? replacement.refusal(blob.type(), terms.clock()) : refusal;
    if (refusal != null) {
      return TransactionResult.refused(refusal);
    } else if (replacement.isUnannounced()) {
      return TransactionResult.unannounced();
    }
    if (version != 0 && partition.read(BlobRows.segment(version, 0)) == null) {
      return TransactionResult.refused(CommonErrors.OPERATION_TIMED_OUT);
    }
    long ticks = view.newTicks();
    long stored = version == 0 ? view.newVersion(ticks, old) : version;
    BlobContent content = new BlobContent(stored, shape.length(), shape.blocks(), shape.sealed());
    BlobProperties made = blob.replacing(old, content, ticks, terms.now(), keep.versions());
    BlobProperties now = made.withOptional(made.optional().withRehydration(rehydration));
    return TransactionResult.done(
        replacement.put(now, ticks), old != null && !replacement.keepsOld());
  }

  /** Returns why no copy can replace the given blob; null if one can. */
  public @Nullable ServiceError refusal(@Nullable BlobProperties old) {
    ServiceError refusal = terms.writeRefusal(use, old);
    boolean otherType = old != null && old.isCommitted() && old.type() != blob.type();
    return refusal == null && otherType ? BlobErrors.INVALID_BLOB_TYPE : refusal;
  }
}
