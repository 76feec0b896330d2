package io.lazuli.server.blob.transaction;

import io.lazuli.server.blob.encoding.BlobRows;
import io.lazuli.server.blob.encoding.UncommittedBlockCodec;
import io.lazuli.server.blob.model.BlobErrors;
import io.lazuli.server.blob.model.BlobLimits;
import io.lazuli.server.blob.model.BlobProperties;
import io.lazuli.server.blob.model.BlobType;
import io.lazuli.server.blob.model.BlockId;
import io.lazuli.server.blob.model.BlockPlace;
import io.lazuli.server.blob.model.LeasedResource;
import io.lazuli.server.blob.model.UncommittedBlock;
import io.lazuli.server.blob.model.Upload;
import io.lazuli.server.blob.partition.BlobView;
import io.lazuli.server.blob.partition.NewContent;
import io.lazuli.server.error.CommonErrors;
import io.lazuli.server.error.ServiceError;
import io.lazuli.storage.Bytes;
import io.lazuli.storage.ChunkRef;
import io.lazuli.storage.PartitionView;
import io.lazuli.storage.TransactionBody;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Adds an uncommitted block, or replaces the uncommitted block with the same id. Checks the lease
 * but no conditions. A replaced chunk can be deleted immediately: only the old block referred to
 * it, and a block list that was resolved with the old block cannot be committed any more.
 *
 * @param mayChange false if the caller may only create new blobs
 */
public record PutBlockBody(
    @Nullable UUID leaseId, long now, boolean mayChange, BlockId id, NewContent content)
    implements TransactionBody<TransactionResult<PutBlockBody.Stored>> {
  /**
   * The block was stored.
   *
   * @param replacedChunk the chunk of the block that it replaced; null if there was no such block
   *     or it was not in a chunk
   */
  public record Stored(@Nullable ChunkRef replacedChunk) {}

  @Override
  public TransactionResult<Stored> run(PartitionView partition) {
    BlobView view = new BlobView(partition);
    BlobProperties found = view.find();
    BlobProperties blob = found == null ? BlobProperties.UNCOMMITTED : found;
    long ticks = view.newTicks();
    long number = blob.upload().number() == 0 ? ticks : blob.upload().number();
    Bytes row = BlobRows.uncommitted(number, id);
    byte[] old = partition.read(row);
    int blocks = blob.upload().blocks() + (old == null ? 1 : 0);
    ServiceError refusal = refusal(blob, blocks);
    if (refusal != null) {
      return TransactionResult.refused(refusal);
    }
    BlockPlace place = view.store(content, ticks);
    if (place == null) {
      return TransactionResult.refused(CommonErrors.OPERATION_TIMED_OUT);
    }
    BlockPlace replaced = old == null ? null : UncommittedBlockCodec.decode(old).place();
    if (replaced != null) {
      view.remove(replaced);
    }
    partition.put(
        row, UncommittedBlockCodec.encode(new UncommittedBlock(place, content.length(), ticks)));
    BlobProperties changed =
        blob.withUpload(new Upload(number, id.bytes().length(), blocks, ticks))
            .withLease(blob.lease().afterWrite(now));
    view.put(changed);
    return TransactionResult.done(
        new Stored(
            replaced != null && replaced.inChunk() ? new ChunkRef(replaced.number()) : null));
  }

  @Override
  public long weightBytes() {
    return content.weightBytes();
  }

  /** Returns why no block can be added to the given blob; null if one can. */
  public @Nullable ServiceError refusal(@Nullable BlobProperties found) {
    BlobProperties blob = found == null ? BlobProperties.UNCOMMITTED : found;
    return refusal(blob, blob.upload().blocks());
  }

  private @Nullable ServiceError refusal(BlobProperties blob, int blocks) {
    if (blob.isCommitted() && !mayChange) {
      return CommonErrors.AUTHORIZATION_PERMISSION_MISMATCH;
    }
    ServiceError leaseRefusal = blob.lease().writeRefusal(LeasedResource.BLOB, leaseId, now);
    if (leaseRefusal != null) {
      return leaseRefusal;
    } else if (blob.isCopyPending()) {
      return BlobErrors.PENDING_COPY;
    } else if (blob.type() != BlobType.BLOCK) {
      return BlobErrors.INVALID_BLOB_TYPE;
    } else if (blob.upload().blocks() > 0 && blob.upload().idBytes() != id.bytes().length()) {
      return BlobErrors.INVALID_BLOB_OR_BLOCK;
    }
    return blocks > BlobLimits.UNCOMMITTED_BLOCKS_MAX
        ? BlobErrors.UNCOMMITTED_BLOCKS_EXCEED_LIMIT
        : null;
  }
}
