package io.lazuli.server.blob.garbage;

import io.lazuli.server.blob.encoding.BlobRows;
import io.lazuli.server.blob.model.BlobProperties;
import io.lazuli.server.blob.partition.BlobView;
import io.lazuli.server.blob.partition.HistoryView;
import io.lazuli.storage.Bytes;
import io.lazuli.storage.PartitionView;
import io.lazuli.storage.TransactionBody;
import java.util.ArrayList;
import java.util.List;

/**
 * Removes soft-deleted states of a blob that can no longer be restored. Reads only the rows of
 * those that are due. The result is the number of states that were removed.
 */
record ExpireDeletedBody(long now) implements TransactionBody<Integer> {
  /**
   * The number of states that one transaction removes. Each takes at most three rows and, in a page
   * blob, a note. A transaction stays below 1,000 rows, which is our own limit.
   */
  static final int STATES_MAX = 150;

  @Override
  public Integer run(PartitionView partition) {
    HistoryView history = new HistoryView(partition);
    List<Bytes> due = new ArrayList<>();
    partition.scan(BlobRows.DUE, BlobRows.dueEnd(now), STATES_MAX, (row, value) -> due.add(row));
    for (Bytes row : due) {
      BlobProperties state = history.deleted(BlobRows.dueRow(row));
      history.removeDue(row);
      if (state != null) {
        new BlobView(partition).noteDropped(state, state);
      }
    }
    history.store();
    return due.size();
  }
}
