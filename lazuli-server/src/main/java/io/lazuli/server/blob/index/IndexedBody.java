package io.lazuli.server.blob.index;

import io.lazuli.server.blob.encoding.BlobPropertiesCodec;
import io.lazuli.server.blob.encoding.BlobRows;
import io.lazuli.server.blob.model.BlobProperties;
import io.lazuli.server.blob.model.BlobTags;
import io.lazuli.storage.Bytes;
import io.lazuli.storage.PartitionView;
import io.lazuli.storage.TransactionBody;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/**
 * Runs a transaction on a blob and reports which tags the blob had before and has after it. Tags
 * whose stamp is neither the old one nor the prepared one have no rows in the index, such as those
 * of a blob that is restored. Their stamp becomes 0, so that they are indexed later.
 *
 * @param prepared the stamp whose index rows are written; 0 if there are none
 */
public record IndexedBody<R>(TransactionBody<R> body, long prepared)
    implements TransactionBody<IndexedBody.Done<R>> {
  /**
   * The transaction took place, or was refused.
   *
   * @param before the tags that the index had before
   * @param after the tags that the index must have from now on
   */
  public record Done<R>(R value, BlobTags before, BlobTags after) {}

  @Override
  public Done<R> run(PartitionView view) {
    BlobTags before = tags(view.read(BlobRows.PROPERTIES));
    R value = body.run(view);
    byte[] record = view.read(BlobRows.PROPERTIES);
    BlobTags after = tags(record);
    boolean known =
        after.stamp() == 0 || after.stamp() == before.stamp() || after.stamp() == prepared;
    if (record != null && !known) {
      after = after.stamped(0);
      BlobProperties blob = BlobPropertiesCodec.decode(record);
      view.put(BlobRows.PROPERTIES, BlobPropertiesCodec.encode(blob.withTagStamp(0)));
    }
    return new Done<>(value, before, after);
  }

  /**
   * Returns the tags that a search can find. Most blobs have none, and their record is not read.
   */
  private static BlobTags tags(byte @Nullable [] record) {
    if (record == null || !BlobPropertiesCodec.hasOptional(record)) {
      return BlobTags.NONE;
    }
    BlobProperties blob = BlobPropertiesCodec.decode(record);
    return blob.isSearchable() ? blob.tags() : BlobTags.NONE;
  }

  @Override
  public long weightBytes() {
    return body.weightBytes();
  }

  @Override
  public Collection<Bytes> probablyAbsent() {
    return body.probablyAbsent();
  }
}
