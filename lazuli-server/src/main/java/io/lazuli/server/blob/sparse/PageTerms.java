package io.lazuli.server.blob.sparse;

import io.lazuli.server.blob.model.BlobErrors;
import io.lazuli.server.blob.model.BlobProperties;
import io.lazuli.server.blob.model.BlobType;
import io.lazuli.server.blob.page.SequenceConditions;
import io.lazuli.server.blob.request.ByteRange;
import io.lazuli.server.blob.request.Conditions;
import io.lazuli.server.blob.transaction.BlobTerms;
import io.lazuli.server.error.ServiceError;
import org.jspecify.annotations.Nullable;

/** The preconditions of a request that writes or clears pages (blob-features 7.2 and 7.3). */
public record PageTerms(BlobTerms terms, SequenceConditions sequence) {
  /** Returns why the range of the given blob cannot be written; null if it can. */
  @Nullable ServiceError refusal(@Nullable BlobProperties blob, ByteRange range) {
    ServiceError refusal = terms.writeRefusal(Conditions.Use.WRITE, blob);
    if (refusal != null || blob == null) {
      return refusal;
    } else if (blob.type() != BlobType.PAGE) {
      return BlobErrors.INVALID_BLOB_TYPE;
    } else if (!sequence.areMetBy(blob.optional().sequenceNumber())) {
      return BlobErrors.SEQUENCE_NUMBER_CONDITION_NOT_MET;
    }
    ServiceError immutable = blob.changeRefusal();
    if (immutable != null) {
      return immutable;
    }
    return range.to() >= blob.content().length() ? BlobErrors.INVALID_PAGE_RANGE : null;
  }

  /** Returns the properties after a write with the given number. */
  BlobProperties written(BlobProperties blob, long write) {
    return blob.withContent(blob.content(), write).withLease(blob.lease().afterWrite(terms.now()));
  }
}
