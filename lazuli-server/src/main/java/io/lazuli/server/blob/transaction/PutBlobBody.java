package io.lazuli.server.blob.transaction;

import io.lazuli.server.blob.index.GivesTags;
import io.lazuli.server.blob.model.BlobContent;
import io.lazuli.server.blob.model.BlobErrors;
import io.lazuli.server.blob.model.BlobProperties;
import io.lazuli.server.blob.model.BlobTags;
import io.lazuli.server.blob.model.Block;
import io.lazuli.server.blob.model.BlockId;
import io.lazuli.server.blob.model.BlockPlace;
import io.lazuli.server.blob.partition.BlobView;
import io.lazuli.server.blob.partition.NewContent;
import io.lazuli.server.blob.protection.Keep;
import io.lazuli.server.blob.request.Conditions;
import io.lazuli.server.error.CommonErrors;
import io.lazuli.server.error.ServiceError;
import io.lazuli.storage.PartitionView;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Replaces or creates a blob as a whole, without a block list. Uncommitted blocks are dropped. */
public record PutBlobBody(
    BlobTerms terms, Conditions.Use use, NewBlob blob, NewContent content, Keep keep)
    implements KeepingBody<BlobProperties>, GivesTags<TransactionResult<BlobProperties>> {
  public PutBlobBody(BlobTerms terms, Conditions.Use use, NewBlob blob, NewContent content) {
    this(terms, use, blob, content, Keep.NOTHING);
  }

  @Override
  public PutBlobBody keeping(Keep newKeep) {
    return new PutBlobBody(terms, use, blob, content, newKeep);
  }

  @Override
  public BlobTags givenTags() {
    return blob.tags();
  }

  @Override
  public PutBlobBody withTagStamp(long stamp) {
    return new PutBlobBody(terms, use, blob.withTagStamp(stamp), content, keep);
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
    long ticks = view.newTicks();
    long version = view.newVersion(ticks, old);
    if (content.length() > 0) {
      BlockPlace place = view.store(content, ticks);
      if (place == null) {
        return TransactionResult.refused(CommonErrors.OPERATION_TIMED_OUT);
      }
      view.putSegment(version, 0, List.of(new Block(BlockId.NONE, content.length(), place)));
    }
    BlobContent stored = new BlobContent(version, content.length(), 0, false);
    BlobProperties now = blob.replacing(old, stored, ticks, terms.now(), keep.versions());
    return TransactionResult.done(
        replacement.put(now, ticks), old != null && !replacement.keepsOld());
  }

  @Override
  public long weightBytes() {
    return content.weightBytes();
  }

  /** Returns why the given blob cannot be replaced; null if it can. */
  public @Nullable ServiceError refusal(@Nullable BlobProperties old) {
    ServiceError refusal = terms.writeRefusal(use, old);
    boolean otherType = old != null && old.isCommitted() && old.type() != blob.type();
    return refusal == null && otherType ? BlobErrors.INVALID_BLOB_TYPE : refusal;
  }
}
