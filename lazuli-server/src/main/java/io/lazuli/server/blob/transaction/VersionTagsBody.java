package io.lazuli.server.blob.transaction;

import io.lazuli.server.blob.model.BlobErrors;
import io.lazuli.server.blob.model.BlobProperties;
import io.lazuli.server.blob.model.BlobTags;
import io.lazuli.server.blob.partition.BlobView;
import io.lazuli.server.blob.partition.HistoryView;
import io.lazuli.server.blob.request.Conditions;
import io.lazuli.server.error.ServiceError;
import io.lazuli.storage.PartitionView;
import io.lazuli.storage.TransactionBody;

/**
 * Replaces the tags of a version that is named. Whether it is the current one shows only in the
 * transaction, so the rows of the index cannot be prepared before its first run.
 */
public record VersionTagsBody(BlobTerms terms, long ticks, BlobTags tags)
    implements TransactionBody<TransactionResult<BlobProperties>> {
  /** Returns a body that replaces the tags of the blob itself. */
  public static ChangeBody ofBlob(BlobTerms terms, BlobTags tags) {
    return new ChangeBody(terms, true, new ChangeBody.TagChange(tags));
  }

  @Override
  public TransactionResult<BlobProperties> run(PartitionView partition) {
    BlobProperties blob = new BlobView(partition).find();
    // A blob without a version has 0 there, which no version is named after.
    if (blob != null && ticks != 0 && blob.optional().versionTicks() == ticks) {
      return ofBlob(terms, tags).run(partition);
    }
    HistoryView history = new HistoryView(partition);
    BlobProperties version = history.version(ticks);
    if (version == null) {
      return TransactionResult.refused(BlobErrors.BLOB_NOT_FOUND);
    }
    ServiceError refusal = terms.readRefusal(Conditions.Use.WRITE, version);
    if (refusal != null) {
      return TransactionResult.refused(refusal);
    }
    BlobProperties changed = version.withTags(tags);
    history.changeVersion(ticks, changed);
    return TransactionResult.done(changed);
  }
}
