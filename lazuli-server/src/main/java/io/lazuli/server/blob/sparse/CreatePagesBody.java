package io.lazuli.server.blob.sparse;

import io.lazuli.server.blob.model.BlobContent;
import io.lazuli.server.blob.model.BlobProperties;
import io.lazuli.server.blob.partition.BlobView;
import io.lazuli.server.blob.protection.Keep;
import io.lazuli.server.blob.transaction.KeepingBody;
import io.lazuli.server.blob.transaction.PutBlobBody;
import io.lazuli.server.blob.transaction.TransactionResult;
import io.lazuli.storage.PartitionView;
import java.util.List;

/**
 * Creates or replaces a page blob without written pages. The content has no extents yet, only an
 * empty block list, which marks its version as taken.
 *
 * @param put creates the blob without content
 */
public record CreatePagesBody(PutBlobBody put, long length, long sequenceNumber)
    implements KeepingBody<BlobProperties> {
  @Override
  public CreatePagesBody keeping(Keep keep) {
    return new CreatePagesBody(put.keeping(keep), length, sequenceNumber);
  }

  @Override
  public TransactionResult<BlobProperties> run(PartitionView partition) {
    TransactionResult<BlobProperties> result = put.run(partition);
    if (result instanceof TransactionResult.Done<BlobProperties> done) {
      BlobView view = new BlobView(partition);
      BlobProperties made = done.value();
      long version = made.content().version();
      view.putSegment(version, 0, List.of());
      BlobProperties sized =
          made.withContent(new BlobContent(version, length, 0, false), made.changedTicks());
      BlobProperties numbered =
          sized.withOptional(sized.optional().withSequenceNumber(sequenceNumber));
      view.put(numbered);
      return TransactionResult.done(numbered, done.leavesGarbage());
    }
    return result;
  }
}
