package io.lazuli.server.blob.transaction;

import io.lazuli.server.blob.encoding.BlobPropertiesCodec;
import io.lazuli.server.blob.encoding.BlobRows;
import io.lazuli.server.blob.model.BlobErrors;
import io.lazuli.server.blob.model.BlobProperties;
import io.lazuli.server.blob.model.SnapshotCount;
import io.lazuli.server.blob.model.Upload;
import io.lazuli.server.blob.partition.BlobView;
import io.lazuli.server.blob.partition.HistoryView;
import io.lazuli.storage.Bytes;
import io.lazuli.storage.PartitionView;
import io.lazuli.storage.TransactionBody;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Restores a soft-deleted blob, its soft-deleted snapshots and its soft-deleted versions
 * (blob-features 2.3). Many of them take several transactions; the first one restores the blob
 * itself. Snapshots stay deleted as long as there is no blob that they could belong to.
 *
 * @param now the engine's time when the request arrived
 */
public record UndeleteBody(long now)
    implements TransactionBody<TransactionResult<UndeleteBody.Outcome>> {
  /** The progress of a restoration that was not refused. */
  public enum Outcome {
    COMPLETE,
    /** There are more states than one transaction restores: the caller must run another one. */
    STATES_LEFT
  }

  /**
   * The number of states that one transaction restores. Each takes three rows, and a transaction
   * stays below 1,000 rows, which is our own limit.
   */
  static final int STATES_MAX = 300;

  @Override
  public TransactionResult<Outcome> run(PartitionView partition) {
    BlobView view = new BlobView(partition);
    HistoryView history = new HistoryView(partition);
    BlobProperties found = view.find();
    boolean exists = found != null && found.isCommitted();
    boolean known = exists || history.history().versions() > 0;
    BlobProperties blob = exists ? found : restoredBlob(history, found);
    known |= blob != null;
    if (blob != null) {
      blob = exists ? withReplaced(partition, history, blob) : blob;
      Map<Bytes, BlobProperties> snapshots =
          scan(partition, BlobRows.DELETED_SNAPSHOTS, BlobRows.DELETED_SNAPSHOTS_END);
      for (Map.Entry<Bytes, BlobProperties> snapshot : snapshots.entrySet()) {
        history.removeDeleted(snapshot.getKey(), snapshot.getValue());
        if (history.isRestorable(snapshot.getValue(), now)) {
          long ticks = BlobRows.deletedTicks(snapshot.getKey());
          blob = withSnapshot(partition, blob, ticks, snapshot.getValue());
        }
      }
      if (snapshots.size() == STATES_MAX) {
        return stored(view, history, blob, Outcome.STATES_LEFT);
      }
    }
    Map<Bytes, BlobProperties> versions =
        scan(partition, BlobRows.DELETED_VERSIONS, BlobRows.DELETED_VERSIONS_END);
    for (Map.Entry<Bytes, BlobProperties> version : versions.entrySet()) {
      if (history.isRestorable(version.getValue(), now)) {
        history.restoreVersion(version.getKey(), version.getValue());
        known = true;
      } else {
        history.removeDeleted(version.getKey(), version.getValue());
      }
    }
    if (!known) {
      return TransactionResult.refused(BlobErrors.BLOB_NOT_FOUND);
    }
    boolean all = versions.size() < STATES_MAX;
    return stored(view, history, blob, all ? Outcome.COMPLETE : Outcome.STATES_LEFT);
  }

  private static TransactionResult<Outcome> stored(
      BlobView view, HistoryView history, @Nullable BlobProperties blob, Outcome outcome) {
    history.store();
    if (blob != null) {
      view.put(blob);
    }
    return TransactionResult.done(outcome);
  }

  /**
   * Takes the deleted blob out of the history.
   *
   * @param uncommitted the properties of uncommitted blocks, which stay; null if there are none
   * @return null if there is no blob that can be restored
   */
  private @Nullable BlobProperties restoredBlob(
      HistoryView history, @Nullable BlobProperties uncommitted) {
    BlobProperties deleted = history.deleted(BlobRows.DELETED_BLOB);
    if (deleted == null || !history.isRestorable(deleted, now)) {
      return null;
    }
    history.removeDeleted(BlobRows.DELETED_BLOB, deleted);
    return HistoryView.restored(deleted)
        .withUpload(uncommitted == null ? Upload.NONE : uncommitted.upload())
        .withSnapshots(new SnapshotCount(0, history.history().lastTicks()));
  }

  /** Makes a deleted blob that was replaced since a snapshot of the blob that replaced it. */
  private BlobProperties withReplaced(
      PartitionView partition, HistoryView history, BlobProperties blob) {
    BlobProperties deleted = history.deleted(BlobRows.DELETED_BLOB);
    if (deleted == null) {
      return blob;
    }
    history.removeDeleted(BlobRows.DELETED_BLOB, deleted);
    return history.isRestorable(deleted, now)
        ? withSnapshot(partition, blob, HistoryView.deletion(deleted).deletedTicks(), deleted)
        : blob;
  }

  /** Writes a restored snapshot. Returns the blob with one more snapshot. */
  private static BlobProperties withSnapshot(
      PartitionView partition, BlobProperties blob, long ticks, BlobProperties deleted) {
    BlobProperties snapshot = HistoryView.restored(deleted).asSnapshot();
    partition.put(BlobRows.snapshot(ticks), BlobPropertiesCodec.encode(snapshot));
    SnapshotCount before = blob.snapshots();
    return blob.withSnapshots(
        new SnapshotCount(before.count() + 1, Math.max(before.lastTicks(), ticks)));
  }

  private static Map<Bytes, BlobProperties> scan(PartitionView partition, Bytes from, Bytes to) {
    Map<Bytes, BlobProperties> states = new LinkedHashMap<>();
    partition.scan(
        from,
        to,
        STATES_MAX,
        (row, value) -> {
          states.put(row, BlobPropertiesCodec.decode(value));
          return true;
        });
    return states;
  }
}
