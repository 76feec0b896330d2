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
 * those that are due. A state whose policy was active again, because the clock was set back after
 * its deletion, stays.
 *
 * @param clock the time that decides whether an immutability policy is active
 */
record ExpireDeletedBody(long now, long clock)
    implements TransactionBody<ExpireDeletedBody.Expired> {
  /**
   * The states that were due.
   *
   * @param kept the number of those that are protected
   */
  record Expired(int removed, int kept) {}

  /**
   * The number of states that one transaction removes. Each takes at most three rows and, in a page
   * blob, a note. A transaction stays below 1,000 rows, which is our own limit.
   */
  static final int STATES_MAX = 150;

  @Override
  public Expired run(PartitionView partition) {
    HistoryView history = new HistoryView(partition);
    List<Bytes> due = new ArrayList<>();
    partition.scan(BlobRows.DUE, BlobRows.dueEnd(now), STATES_MAX, (row, value) -> due.add(row));
    int kept = 0;
    for (Bytes row : due) {
      BlobProperties state = history.deleted(BlobRows.dueRow(row));
      if (state != null && state.removalRefusal(clock) != null) {
        kept++;
        continue;
      }
      history.removeDue(row);
      if (state != null) {
        new BlobView(partition).noteDropped(state, state);
      }
    }
    history.store();
    return new Expired(due.size() - kept, kept);
  }
}
