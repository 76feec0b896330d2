package io.lazuli.server.blob.index;

import io.lazuli.server.blob.encoding.BlobPropertiesCodec;
import io.lazuli.server.blob.encoding.BlobRows;
import io.lazuli.server.blob.encoding.TaggedState;
import io.lazuli.storage.Bytes;
import io.lazuli.storage.PartitionView;
import io.lazuli.storage.TransactionBody;
import java.util.List;

/**
 * Writes versions anew whose tags are not in the index, so that {@link IndexedBody} gives them the
 * stamp of their rows. The result is the number of versions.
 */
record StampVersionsBody(List<Bytes> rows) implements TransactionBody<Integer> {
  @Override
  public Integer run(PartitionView view) {
    int written = 0;
    for (Bytes row : rows) {
      byte[] record = view.read(row);
      if (record != null && isUnindexed(row, record)) {
        view.put(row, record.clone());
        written++;
      }
    }
    return written;
  }

  static boolean isUnindexed(Bytes row, byte[] record) {
    long version = BlobRows.versionTicks(row);
    return new TaggedState(version, BlobPropertiesCodec.decode(record).tags()).isUnindexed();
  }
}
