package io.lazuli.server.blob.sparse;

import io.lazuli.server.blob.model.BlobContent;
import io.lazuli.server.blob.model.BlobErrors;
import io.lazuli.server.blob.model.BlobProperties;
import io.lazuli.server.blob.model.BlobType;
import io.lazuli.server.blob.model.HttpProperties;
import io.lazuli.server.blob.page.SequenceChange;
import io.lazuli.server.blob.partition.BlobView;
import io.lazuli.server.blob.request.Conditions;
import io.lazuli.server.blob.transaction.BlobTerms;
import io.lazuli.server.blob.transaction.TransactionResult;
import io.lazuli.server.error.CommonErrors;
import io.lazuli.server.error.ServiceError;
import io.lazuli.storage.PartitionView;
import io.lazuli.storage.TransactionBody;
import org.jspecify.annotations.Nullable;

/**
 * Changes the length, the sequence number and the HTTP properties of a page blob (blob-features
 * 7.1, 7.2). Pages after the new end are cleared, so that they are zeros if the blob grows again.
 *
 * @param length null to keep the length
 * @param sequence null to keep the sequence number
 * @param http null to keep the HTTP properties
 */
public record ChangePagesBody(
    BlobTerms terms,
    @Nullable Long length,
    @Nullable SequenceChange sequence,
    @Nullable HttpProperties http)
    implements TransactionBody<TransactionResult<BlobProperties>> {
  @Override
  public TransactionResult<BlobProperties> run(PartitionView partition) {
    BlobView view = new BlobView(partition);
    BlobProperties old = view.find();
    ServiceError refusal = terms.writeRefusal(Conditions.Use.WRITE, old);
    if (refusal != null || old == null) {
      return TransactionResult.refused(refusal == null ? BlobErrors.BLOB_NOT_FOUND : refusal);
    } else if (old.type() != BlobType.PAGE) {
      return TransactionResult.refused(BlobErrors.INVALID_BLOB_TYPE);
    }
    refusal = old.changeRefusal();
    if (refusal != null) {
      return TransactionResult.refused(refusal);
    }
    Long number = numbered(old.optional().sequenceNumber());
    if (number == null) {
      return TransactionResult.refused(BlobErrors.SEQUENCE_NUMBER_TOO_LARGE);
    }
    PagesView pages = new PagesView(partition, old);
    BlobContent content = old.content();
    if (length != null && length < content.length()) {
      if (!pages.clear(length, content.length())) {
        return TransactionResult.refused(CommonErrors.SERVER_BUSY);
      }
    }
    BlobContent resized =
        new BlobContent(content.version(), length == null ? content.length() : length, 0, false);
    BlobProperties changed = old.withContent(resized, pages.write());
    changed = http == null ? changed : changed.withHttp(http, pages.write());
    changed =
        changed
            .withOptional(changed.optional().withSequenceNumber(number))
            .withLease(old.lease().afterWrite(terms.now()));
    view.put(changed);
    return TransactionResult.done(changed, pages.supersedes());
  }

  private @Nullable Long numbered(long old) {
    return sequence == null ? (Long) old : sequence.apply(old);
  }
}
