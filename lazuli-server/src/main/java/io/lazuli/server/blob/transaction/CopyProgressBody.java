package io.lazuli.server.blob.transaction;

import io.lazuli.server.blob.model.BlobProperties;
import io.lazuli.server.blob.model.CopyProperties;
import io.lazuli.server.blob.partition.BlobView;
import io.lazuli.storage.PartitionView;
import io.lazuli.storage.TransactionBody;
import java.util.UUID;

/**
 * Stores how far a pending copy has come. Returns false if the copy is not pending any more, so
 * that its server stops.
 */
public record CopyProgressBody(UUID id, long bytes) implements TransactionBody<Boolean> {
  @Override
  public Boolean run(PartitionView partition) {
    BlobView view = new BlobView(partition);
    BlobProperties blob = view.find();
    CopyProperties copy = blob == null ? null : blob.copy();
    if (blob == null || copy == null || !copy.isPending(id)) {
      return false;
    }
    view.put(blob.withCopy(copy.withProgress(bytes)));
    return true;
  }
}
