package io.lazuli.server.blob.index;

import io.lazuli.server.blob.encoding.BlobPropertiesCodec;
import io.lazuli.server.blob.encoding.BlobRows;
import io.lazuli.server.blob.model.BlobProperties;
import io.lazuli.server.blob.model.BlobTags;
import io.lazuli.storage.PartitionView;
import io.lazuli.storage.TransactionBody;

/**
 * Gives the tags of a blob the stamp of their index rows. Does nothing if the tags have changed or
 * have a stamp in the meantime. The result says whether it did.
 */
record StampBody(BlobTags givenTags) implements GivesTags<Boolean> {
  @Override
  public Boolean run(PartitionView view) {
    byte[] record = view.read(BlobRows.PROPERTIES);
    BlobProperties blob = record == null ? null : BlobPropertiesCodec.decode(record);
    if (blob == null || !blob.isSearchable() || !blob.tags().equals(givenTags.stamped(0))) {
      return false;
    }
    byte[] stamped = BlobPropertiesCodec.encode(blob.withTagStamp(givenTags.stamp()));
    view.put(BlobRows.PROPERTIES, stamped);
    return true;
  }

  @Override
  public TransactionBody<Boolean> withTagStamp(long stamp) {
    return new StampBody(givenTags.stamped(stamp));
  }
}
