package io.lazuli.server.blob.index;

import io.lazuli.server.blob.encoding.TagIndexRows;
import io.lazuli.storage.Bytes;
import io.lazuli.storage.PartitionView;
import io.lazuli.storage.TransactionBody;
import java.util.Collection;
import java.util.List;

/** Inserts a row of the index of tags. The result is false if the row exists. */
record AddRowBody(Bytes row) implements TransactionBody<Boolean> {
  @Override
  public Boolean run(PartitionView view) {
    if (view.read(row) != null) {
      return false;
    }
    view.put(row, new byte[] {TagIndexRows.FORMAT});
    return true;
  }

  @Override
  public Collection<Bytes> probablyAbsent() {
    return List.of(row);
  }
}
