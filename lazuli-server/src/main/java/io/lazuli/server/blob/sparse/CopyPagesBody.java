package io.lazuli.server.blob.sparse;

import io.lazuli.server.blob.model.BlobProperties;
import io.lazuli.server.blob.partition.BlobView;
import io.lazuli.server.blob.protection.Keep;
import io.lazuli.server.blob.transaction.CopyBody;
import io.lazuli.server.blob.transaction.KeepingBody;
import io.lazuli.server.blob.transaction.TransactionResult;
import io.lazuli.storage.PartitionView;

/** Completes the copy of a page blob, which also has the sequence number of its source. */
public record CopyPagesBody(CopyBody copy, long sequenceNumber)
    implements KeepingBody<BlobProperties> {
  @Override
  public CopyPagesBody keeping(Keep keep) {
    return new CopyPagesBody(copy.keeping(keep), sequenceNumber);
  }

  @Override
  public TransactionResult<BlobProperties> run(PartitionView partition) {
    TransactionResult<BlobProperties> result = copy.run(partition);
    if (result instanceof TransactionResult.Done<BlobProperties> done) {
      BlobProperties made = done.value();
      BlobProperties numbered =
          made.withOptional(made.optional().withSequenceNumber(sequenceNumber));
      new BlobView(partition).put(numbered);
      return TransactionResult.done(numbered, done.leavesGarbage());
    }
    return result;
  }
}
