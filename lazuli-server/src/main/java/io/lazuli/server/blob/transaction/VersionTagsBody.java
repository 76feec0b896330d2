package io.lazuli.server.blob.transaction;

import io.lazuli.server.blob.index.GivesTags;
import io.lazuli.server.blob.model.BlobErrors;
import io.lazuli.server.blob.model.BlobProperties;
import io.lazuli.server.blob.model.BlobTags;
import io.lazuli.server.blob.partition.BlobView;
import io.lazuli.server.blob.partition.HistoryView;
import io.lazuli.server.blob.request.Conditions;
import io.lazuli.server.error.ServiceError;
import io.lazuli.storage.PartitionView;

/**
 * Replaces the tags of a version that is named, which may be the current one. The tags of a
 * previous version are not in the index, so the rows that were prepared for them are removed again.
 */
public record VersionTagsBody(BlobTerms terms, long ticks, BlobTags givenTags)
    implements GivesTags<TransactionResult<BlobProperties>> {
  /** Returns a body that replaces the tags of the blob itself. */
  public static ChangeBody ofBlob(BlobTerms terms, BlobTags tags) {
    return new ChangeBody(terms, true, new ChangeBody.TagChange(tags));
  }

  @Override
  public VersionTagsBody withTagStamp(long stamp) {
    return new VersionTagsBody(terms, ticks, givenTags.stamped(stamp));
  }

  @Override
  public TransactionResult<BlobProperties> run(PartitionView partition) {
    BlobProperties blob = new BlobView(partition).find();
    if (blob != null && blob.optional().versionTicks() == ticks) {
      return ofBlob(terms, givenTags).run(partition);
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
    BlobProperties changed = version.withTags(givenTags.stamped(0));
    history.changeVersion(ticks, changed);
    return TransactionResult.done(changed);
  }
}
