package io.lazuli.server.blob.sparse;

import io.lazuli.server.blob.model.BlobErrors;
import io.lazuli.server.blob.model.BlobProperties;
import io.lazuli.server.blob.partition.BlobView;
import io.lazuli.server.blob.request.ByteRange;
import io.lazuli.server.blob.transaction.TransactionResult;
import io.lazuli.server.error.CommonErrors;
import io.lazuli.server.error.ServiceError;
import io.lazuli.storage.PartitionView;
import io.lazuli.storage.TransactionBody;

/**
 * Clears pages, in one transaction of bounded size: a range with many written extents becomes one
 * row, which the collector works off.
 *
 * @param range whole pages
 */
public record ClearPagesBody(PageTerms terms, ByteRange range)
    implements TransactionBody<TransactionResult<BlobProperties>> {
  @Override
  public TransactionResult<BlobProperties> run(PartitionView partition) {
    BlobView view = new BlobView(partition);
    BlobProperties old = view.find();
    ServiceError refusal = terms.refusal(old, range);
    if (refusal != null || old == null) {
      return TransactionResult.refused(refusal == null ? BlobErrors.BLOB_NOT_FOUND : refusal);
    }
    PagesView pages = new PagesView(partition, old);
    if (!pages.clear(range.from(), range.to() + 1)) {
      return TransactionResult.refused(CommonErrors.SERVER_BUSY);
    }
    BlobProperties written = terms.written(old, pages.write());
    view.put(written);
    return TransactionResult.done(written, pages.supersedes());
  }
}
