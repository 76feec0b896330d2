package io.lazuli.server.blob.sparse;

import io.lazuli.server.blob.model.BlobErrors;
import io.lazuli.server.blob.model.BlobProperties;
import io.lazuli.server.blob.partition.BlobView;
import io.lazuli.server.blob.partition.NewContent;
import io.lazuli.server.blob.request.ByteRange;
import io.lazuli.server.blob.transaction.TransactionResult;
import io.lazuli.server.error.CommonErrors;
import io.lazuli.server.error.ServiceError;
import io.lazuli.storage.PartitionView;
import io.lazuli.storage.TransactionBody;
import org.jspecify.annotations.Nullable;

/**
 * Writes pages. Writes one row for each extent of the range, of which there are at most 65, however
 * large the blob is.
 *
 * @param range whole pages
 * @param content as long as the range
 */
public record WritePagesBody(PageTerms terms, ByteRange range, NewContent content)
    implements TransactionBody<TransactionResult<BlobProperties>> {
  @Override
  public TransactionResult<BlobProperties> run(PartitionView partition) {
    BlobView view = new BlobView(partition);
    BlobProperties old = view.find();
    ServiceError refusal = refusal(old);
    if (refusal != null || old == null) {
      return TransactionResult.refused(refusal == null ? BlobErrors.BLOB_NOT_FOUND : refusal);
    }
    PagesView pages = new PagesView(partition, old);
    if (!pages.write(range.from(), content)) {
      return TransactionResult.refused(CommonErrors.OPERATION_TIMED_OUT);
    }
    BlobProperties written = terms.written(old, pages.write());
    view.put(written);
    return TransactionResult.done(written, pages.supersedes());
  }

  @Override
  public long weightBytes() {
    return content.weightBytes();
  }

  /** Returns why the pages of the given blob cannot be written; null if they can. */
  public @Nullable ServiceError refusal(@Nullable BlobProperties blob) {
    return terms.refusal(blob, range);
  }
}
