package io.lazuli.server.blob.garbage;

import io.lazuli.server.blob.encoding.BlobPropertiesCodec;
import io.lazuli.server.blob.encoding.BlobRows;
import io.lazuli.server.blob.model.BlobProperties;
import io.lazuli.server.blob.model.SnapshotCount;
import io.lazuli.server.blob.partition.BlobView;
import io.lazuli.storage.Bytes;
import io.lazuli.storage.PartitionView;
import io.lazuli.storage.TransactionBody;
import java.util.ArrayList;
import java.util.List;

/**
 * Removes a blob that has expired, with its snapshots and without keeping anything (blob-features
 * 4.3). Previous versions and soft-deleted states stay. Many snapshots take several transactions;
 * the last of them removes the blob itself.
 */
record EraseExpiredBody() implements TransactionBody<EraseExpiredBody.Outcome> {
  /**
   * The number of snapshots that one transaction removes. Keeps it below 1,000 rows, which is our
   * own limit.
   */
  static final int SNAPSHOTS_MAX = 900;

  /**
   * The result of one transaction.
   *
   * @param removed true if something was removed
   * @param more true if another transaction is needed
   * @param againTicks the time at which the blob can be removed; 0 if it need not be
   */
  record Outcome(boolean removed, boolean more, long againTicks) {
    private static final Outcome NOTHING = new Outcome(false, false, 0);
  }

  @Override
  public Outcome run(PartitionView partition) {
    BlobView view = new BlobView(partition);
    BlobProperties blob = view.findStored();
    if (blob == null || blob.optional().expiryTicks() == 0) {
      return Outcome.NOTHING;
    } else if (!view.isExpired(blob)) {
      boolean isProtected = blob.changeRefusal() != null;
      return new Outcome(
          false, false, isProtected ? Long.MAX_VALUE : blob.optional().expiryTicks());
    }
    List<Bytes> snapshots = new ArrayList<>();
    boolean[] kept = new boolean[1];
    partition.scan(
        BlobRows.SNAPSHOTS,
        BlobRows.SNAPSHOTS_END,
        SNAPSHOTS_MAX,
        (row, value) -> {
          kept[0] |= BlobPropertiesCodec.decode(value).changeRefusal() != null;
          return snapshots.add(row);
        });
    if (kept[0]) {
      // A protected snapshot keeps its blob, which does not expire any more.
      view.put(blob.withOptional(blob.optional().withExpiryTicks(0)));
      return Outcome.NOTHING;
    }
    snapshots.forEach(partition::delete);
    int left = blob.snapshots().count() - snapshots.size();
    if (left <= 0) {
      partition.delete(BlobRows.PROPERTIES);
      return new Outcome(true, false, 0);
    }
    view.noteDropped(blob, blob);
    view.put(blob.withSnapshots(new SnapshotCount(left, blob.snapshots().lastTicks())));
    return new Outcome(true, true, 0);
  }
}
