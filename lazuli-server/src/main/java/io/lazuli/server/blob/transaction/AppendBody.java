package io.lazuli.server.blob.transaction;

import io.lazuli.server.blob.model.BlobContent;
import io.lazuli.server.blob.model.BlobErrors;
import io.lazuli.server.blob.model.BlobProperties;
import io.lazuli.server.blob.model.BlobType;
import io.lazuli.server.blob.model.Block;
import io.lazuli.server.blob.model.BlockId;
import io.lazuli.server.blob.model.BlockPlace;
import io.lazuli.server.blob.partition.BlobView;
import io.lazuli.server.blob.partition.NewContent;
import io.lazuli.server.blob.request.Conditions;
import io.lazuli.server.error.CommonErrors;
import io.lazuli.server.error.ServiceError;
import io.lazuli.storage.PartitionView;
import io.lazuli.storage.TransactionBody;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Appends a block to an append blob. Writes three rows, however long the blob is. The content keeps
 * its version; a snapshot of the same version shows only the length that it recorded.
 *
 * @param position the length that the blob must have; null for any
 * @param sizeMax the length that the blob may reach; null for any
 * @param blocksMax the number of blocks that the blob may reach
 */
public record AppendBody(
    BlobTerms terms,
    @Nullable Long position,
    @Nullable Long sizeMax,
    int blocksMax,
    NewContent added)
    implements TransactionBody<TransactionResult<AppendBody.Appended>> {
  /**
   * A block was appended.
   *
   * @param blob the properties of the blob from now on
   * @param offset the offset at which the block begins
   */
  public record Appended(BlobProperties blob, long offset) {}

  @Override
  public TransactionResult<Appended> run(PartitionView partition) {
    BlobView view = new BlobView(partition);
    BlobProperties old = view.find();
    if (old == null) {
      return TransactionResult.refused(BlobErrors.BLOB_NOT_FOUND);
    }
    ServiceError refusal = refusal(old);
    if (refusal != null) {
      return TransactionResult.refused(refusal);
    }
    long ticks = view.newTicks();
    BlockPlace place = view.store(added, ticks);
    if (place == null) {
      return TransactionResult.refused(CommonErrors.OPERATION_TIMED_OUT);
    }
    BlobContent content = old.content();
    view.putSegment(
        content.version(),
        content.length(),
        List.of(new Block(BlockId.NONE, added.length(), place)));
    BlobContent longer =
        new BlobContent(
            content.version(), content.length() + added.length(), content.blocks() + 1, false);
    BlobProperties appended =
        old.withContent(longer, ticks).withLease(old.lease().afterWrite(terms.now()));
    view.put(appended);
    return TransactionResult.done(new Appended(appended, content.length()));
  }

  @Override
  public long weightBytes() {
    return added.weightBytes();
  }

  /** Returns why the block cannot be appended to the given blob; null if it can. */
  public @Nullable ServiceError refusal(@Nullable BlobProperties old) {
    ServiceError refusal = terms.writeRefusal(Conditions.Use.WRITE, old);
    return refusal == null && old != null ? stateRefusal(old) : refusal;
  }

  private @Nullable ServiceError stateRefusal(BlobProperties blob) {
    BlobContent content = blob.content();
    ServiceError immutable = blob.changeRefusal();
    if (blob.type() != BlobType.APPEND) {
      return BlobErrors.INVALID_BLOB_TYPE;
    } else if (immutable != null) {
      return immutable;
    } else if (content.sealed()) {
      return BlobErrors.BLOB_IS_SEALED;
    } else if (position != null && position != content.length()) {
      return BlobErrors.APPEND_POSITION_NOT_MET;
    } else if (sizeMax != null && content.length() + added.length() > sizeMax) {
      return BlobErrors.MAX_BLOB_SIZE_NOT_MET;
    }
    return content.blocks() >= blocksMax ? BlobErrors.COMMITTED_BLOCKS_EXCEED_LIMIT : null;
  }
}
