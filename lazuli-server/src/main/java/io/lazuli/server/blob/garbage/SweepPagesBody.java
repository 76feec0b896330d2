package io.lazuli.server.blob.garbage;

import io.lazuli.server.blob.encoding.PageCodec;
import io.lazuli.server.blob.page.ExtentRange;
import io.lazuli.server.blob.page.PageExtent;
import io.lazuli.server.error.Invariant;
import io.lazuli.storage.Bytes;
import io.lazuli.storage.PartitionView;
import io.lazuli.storage.TransactionBody;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Removes rows of pages that no state sees. What no state sees now, none will see later, so the
 * properties may have changed in between. Does nothing if the work was done already by another
 * server; the result is then false.
 *
 * @param work the row of the note or of the cleared range
 * @param seen the value of that row when the rows were found
 * @param deleted the rows to delete
 * @param emptied rows to write for extents that the cleared range hides and a snapshot still sees
 * @param left the extents that are still to be swept; null if the work is done; not used if more
 *     rows follow
 * @param last false if more rows follow
 */
record SweepPagesBody(
    Bytes work,
    byte[] seen,
    List<Bytes> deleted,
    List<Bytes> emptied,
    @Nullable ExtentRange left,
    boolean last)
    implements TransactionBody<Boolean> {
  /** The maximum number of rows; keeps a transaction below 1,000 rows, which is our own limit. */
  static final int ROWS_MAX = 900;

  SweepPagesBody {
    Invariant.check(deleted.size() + emptied.size() <= ROWS_MAX, "too many rows in a transaction");
  }

  @Override
  public Boolean run(PartitionView partition) {
    byte[] there = partition.read(work);
    if (there == null || !Arrays.equals(there, seen)) {
      return false;
    }
    deleted.forEach(partition::delete);
    for (Bytes row : emptied) {
      partition.put(row, PageCodec.encode(PageExtent.EMPTY));
    }
    if (last && left == null) {
      partition.delete(work);
    } else if (last && left != null) {
      partition.put(work, PageCodec.encode(left));
    }
    return true;
  }
}
