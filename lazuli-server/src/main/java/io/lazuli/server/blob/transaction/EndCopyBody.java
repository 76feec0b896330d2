package io.lazuli.server.blob.transaction;

import io.lazuli.server.blob.model.BlobContent;
import io.lazuli.server.blob.model.BlobErrors;
import io.lazuli.server.blob.model.BlobProperties;
import io.lazuli.server.blob.model.BlobType;
import io.lazuli.server.blob.model.Block;
import io.lazuli.server.blob.model.BlockId;
import io.lazuli.server.blob.model.BlockPlace;
import io.lazuli.server.blob.model.CopyProperties;
import io.lazuli.server.blob.model.CopyStatus;
import io.lazuli.server.blob.model.LeasedResource;
import io.lazuli.server.blob.partition.BlobView;
import io.lazuli.server.blob.partition.NewContent;
import io.lazuli.server.error.CommonErrors;
import io.lazuli.server.error.ServiceError;
import io.lazuli.storage.PartitionView;
import io.lazuli.storage.TransactionBody;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Ends a pending copy. Does nothing if the copy is not pending any more, so several servers may try
 * to end the same copy.
 *
 * @param end the new state of the copy
 * @param content the content of a copy that succeeded; null if the blob stays empty
 * @param description why the copy failed; null if it did not
 * @param abort the request to end it; null if the copy ended by itself
 */
public record EndCopyBody(
    UUID id,
    CopyStatus end,
    @Nullable NewContent content,
    @Nullable String description,
    @Nullable Abort abort)
    implements TransactionBody<TransactionResult<BlobProperties>> {
  /** A request to abort a copy. */
  public record Abort(@Nullable UUID leaseId, long now) {}

  @Override
  public TransactionResult<BlobProperties> run(PartitionView partition) {
    BlobView view = new BlobView(partition);
    BlobProperties old = view.find();
    ServiceError refusal = refusal(old);
    CopyProperties copy = old == null ? null : old.copy();
    if (refusal != null || old == null || copy == null) {
      return TransactionResult.refused(refusal == null ? BlobErrors.NO_PENDING_COPY : refusal);
    }
    long ticks = view.newTicks();
    BlobContent stored = old.content();
    long copied = copy.copiedBytes();
    if (content != null) {
      long version = view.newVersion(ticks, old);
      copied = content.length();
      int blocks = 0;
      if (copied > 0) {
        BlockPlace place = view.store(content, ticks);
        if (place == null) {
          return TransactionResult.refused(CommonErrors.OPERATION_TIMED_OUT);
        }
        view.putSegment(version, 0, List.of(new Block(BlockId.NONE, copied, place)));
        blocks = old.type() == BlobType.APPEND ? 1 : 0;
      }
      stored = new BlobContent(version, copied, blocks, stored.sealed());
    }
    BlobProperties now = old.afterCopy(stored, copy.ended(end, copied, ticks), description, ticks);
    view.put(now);
    return TransactionResult.done(now, true);
  }

  @Override
  public long weightBytes() {
    return content == null ? 0 : content.weightBytes();
  }

  private @Nullable ServiceError refusal(@Nullable BlobProperties blob) {
    if (blob == null || !blob.isCommitted()) {
      return BlobErrors.NO_PENDING_COPY;
    }
    ServiceError refusal =
        abort == null
            ? null
            : blob.lease().writeRefusal(LeasedResource.BLOB, abort.leaseId(), abort.now());
    CopyProperties copy = blob.copy();
    if (refusal != null) {
      return refusal;
    } else if (copy == null || copy.status() != CopyStatus.PENDING) {
      return BlobErrors.NO_PENDING_COPY;
    }
    return copy.id().equals(id) ? null : BlobErrors.COPY_ID_MISMATCH;
  }
}
