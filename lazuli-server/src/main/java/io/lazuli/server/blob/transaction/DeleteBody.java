package io.lazuli.server.blob.transaction;

import io.lazuli.server.blob.encoding.BlobRows;
import io.lazuli.server.blob.model.BlobErrors;
import io.lazuli.server.blob.model.BlobProperties;
import io.lazuli.server.blob.model.SnapshotCount;
import io.lazuli.server.blob.partition.BlobView;
import io.lazuli.server.blob.request.Conditions;
import io.lazuli.server.blob.request.DeletedSnapshots;
import io.lazuli.server.error.Invariant;
import io.lazuli.server.error.ServiceError;
import io.lazuli.storage.Bytes;
import io.lazuli.storage.PartitionView;
import io.lazuli.storage.TransactionBody;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Deletes a blob, its snapshots, or both. Removes the rows that name content; the collector removes
 * the content later. Many snapshots take several transactions; the last of them deletes the blob
 * itself.
 */
public record DeleteBody(BlobTerms terms, DeletedSnapshots snapshots)
    implements TransactionBody<TransactionResult<DeleteBody.Outcome>> {
  /** The progress of a deletion that was not refused. */
  public enum Outcome {
    /** Everything that was to be deleted is gone. */
    COMPLETE,
    /**
     * The blob has more snapshots than one transaction deletes: the caller must run another one.
     */
    SNAPSHOTS_LEFT
  }

  /**
   * The number of snapshots that one transaction deletes. Keeps it below 1,000 rows, which is our
   * own limit.
   */
  static final int SNAPSHOTS_MAX = 900;

  @Override
  public TransactionResult<Outcome> run(PartitionView partition) {
    BlobView view = new BlobView(partition);
    BlobProperties blob = view.find();
    if (blob == null) {
      return TransactionResult.refused(BlobErrors.BLOB_NOT_FOUND);
    }
    ServiceError refusal = refusal(blob);
    if (refusal != null) {
      return TransactionResult.refused(refusal);
    }
    List<Bytes> rows = snapshotRows(partition);
    rows.forEach(partition::delete);
    int left = blob.snapshots().count() - rows.size();
    Invariant.check(left == 0 || rows.size() == SNAPSHOTS_MAX, "the number of snapshots is wrong");
    if (left == 0 && snapshots != DeletedSnapshots.ONLY) {
      partition.delete(BlobRows.PROPERTIES);
      return TransactionResult.done(Outcome.COMPLETE, true);
    }
    view.put(blob.withSnapshots(new SnapshotCount(left, blob.snapshots().lastTicks())));
    return TransactionResult.done(left > 0 ? Outcome.SNAPSHOTS_LEFT : Outcome.COMPLETE, true);
  }

  /**
   * Returns why the blob cannot be deleted; null if it can. A blob without committed content has
   * neither lease nor conditions, so its blocks can always be deleted.
   */
  private @Nullable ServiceError refusal(BlobProperties blob) {
    if (!blob.isCommitted()) {
      return null;
    }
    ServiceError refusal = terms.writeRefusal(Conditions.Use.WRITE, blob);
    boolean kept = snapshots == DeletedSnapshots.NOT_SAID && blob.snapshots().count() > 0;
    return refusal == null && kept ? BlobErrors.SNAPSHOTS_PRESENT : refusal;
  }

  private static List<Bytes> snapshotRows(PartitionView partition) {
    List<Bytes> rows = new ArrayList<>();
    partition.scan(
        BlobRows.SNAPSHOTS, BlobRows.SNAPSHOTS_END, SNAPSHOTS_MAX, (row, value) -> rows.add(row));
    return rows;
  }
}
