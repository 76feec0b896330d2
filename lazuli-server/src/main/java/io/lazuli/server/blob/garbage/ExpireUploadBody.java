package io.lazuli.server.blob.garbage;

import io.lazuli.server.blob.encoding.BlobRows;
import io.lazuli.server.blob.model.BlobProperties;
import io.lazuli.server.blob.model.Upload;
import io.lazuli.server.blob.partition.BlobView;
import io.lazuli.storage.PartitionView;
import io.lazuli.storage.TransactionBody;

/**
 * Drops the uncommitted blocks of a blob if the newest block was put before a given time. A blob
 * that has no other content is deleted as well. The result is true if the blocks were dropped.
 */
public record ExpireUploadBody(long beforeTicks) implements TransactionBody<Boolean> {
  @Override
  public Boolean run(PartitionView partition) {
    BlobView view = new BlobView(partition);
    BlobProperties blob = view.findStored();
    if (blob == null || blob.upload().number() == 0 || blob.upload().lastTicks() >= beforeTicks) {
      return false;
    }
    if (blob.isCommitted()) {
      view.put(blob.withUpload(Upload.NONE));
    } else {
      partition.delete(BlobRows.PROPERTIES);
    }
    return true;
  }
}
