package io.lazuli.server.blob.transaction;

import io.lazuli.server.blob.encoding.BlobPropertiesCodec;
import io.lazuli.server.blob.encoding.BlobRows;
import io.lazuli.server.blob.model.BlobErrors;
import io.lazuli.server.blob.model.BlobProperties;
import io.lazuli.server.blob.model.SnapshotCount;
import io.lazuli.server.blob.partition.BlobView;
import io.lazuli.server.blob.partition.HistoryView;
import io.lazuli.server.blob.protection.Keep;
import io.lazuli.server.blob.protection.SoftDeletion;
import io.lazuli.server.blob.request.Conditions;
import io.lazuli.server.blob.request.DeletedSnapshots;
import io.lazuli.server.error.Invariant;
import io.lazuli.server.error.ServiceError;
import io.lazuli.storage.Bytes;
import io.lazuli.storage.PartitionView;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Deletes a blob, its snapshots, or both. Removes the rows that name content; the collector removes
 * the content later. Many snapshots take several transactions; the last of them deletes the blob
 * itself. Before the first of them, the caller must check that no snapshot is protected: otherwise
 * some would be gone when a transaction meets a protected one.
 *
 * @param checked whether the caller found no protected snapshot; needed only if there are many
 */
public record DeleteBody(BlobTerms terms, DeletedSnapshots snapshots, boolean checked, Keep keep)
    implements KeepingBody<DeleteBody.Outcome> {
  public DeleteBody(BlobTerms terms, DeletedSnapshots snapshots) {
    this(terms, snapshots, false, Keep.NOTHING);
  }

  @Override
  public DeleteBody keeping(Keep newKeep) {
    return new DeleteBody(terms, snapshots, checked, newKeep);
  }

  /** Returns the same deletion after the caller has checked the snapshots. */
  public DeleteBody asChecked() {
    return new DeleteBody(terms, snapshots, true, keep);
  }

  /** The progress of a deletion that was not refused. */
  public enum Outcome {
    /** Everything that was to be deleted is gone. */
    COMPLETE,
    /** Everything that was to be deleted can be restored, or is a previous version. */
    KEPT,
    /**
     * Nothing was deleted: the blob has more snapshots than one transaction deletes, and the caller
     * must check all of them first.
     */
    UNCHECKED,
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

  /** The same if the snapshots can be restored. Each then takes three rows. */
  static final int KEPT_SNAPSHOTS_MAX = 300;

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
    boolean keeps = blob.isCommitted() && (keep.deleted() || isVersion(blob));
    if (keep.deleted() && blob.isCommitted() && !keep.announced()) {
      return TransactionResult.unannounced();
    }
    int max = keep.deleted() ? KEPT_SNAPSHOTS_MAX : SNAPSHOTS_MAX;
    if (blob.snapshots().count() > max && !checked) {
      return TransactionResult.done(Outcome.UNCHECKED, false);
    }
    Map<Bytes, byte[]> rows = snapshotRows(partition, max);
    refusal = protectionRefusal(blob, rows);
    if (refusal != null) {
      return TransactionResult.refused(refusal);
    }
    rows.keySet().forEach(partition::delete);
    int left = blob.snapshots().count() - rows.size();
    Invariant.check(left == 0 || rows.size() == max, "the number of snapshots is wrong");
    boolean whole = left == 0 && snapshots != DeletedSnapshots.ONLY;
    if (keeps) {
      keep(partition, blob, rows, whole, view.newTicks());
    }
    if (whole) {
      partition.delete(BlobRows.PROPERTIES);
      boolean garbage = !keeps || blob.upload().number() != 0 || !rows.isEmpty();
      return TransactionResult.done(keeps ? Outcome.KEPT : Outcome.COMPLETE, garbage);
    }
    view.noteDropped(blob, blob);
    view.put(blob.withSnapshots(new SnapshotCount(left, blob.snapshots().lastTicks())));
    Outcome outcome = keep.deleted() ? Outcome.KEPT : Outcome.COMPLETE;
    return TransactionResult.done(left > 0 ? Outcome.SNAPSHOTS_LEFT : outcome, !keep.deleted());
  }

  /**
   * Returns the error if something that must not be removed would be (blob-features 6.2). A blob
   * that becomes a version is not removed. Soft delete does not count, because its time ends.
   */
  private @Nullable ServiceError protectionRefusal(BlobProperties blob, Map<Bytes, byte[]> rows) {
    ServiceError refusal =
        snapshots == DeletedSnapshots.ONLY || isVersion(blob)
            ? null
            : blob.removalRefusal(terms.clock());
    for (byte[] row : rows.values()) {
      if (refusal == null && BlobPropertiesCodec.hasOptional(row)) {
        refusal = BlobPropertiesCodec.decode(row).removalRefusal(terms.clock());
      }
    }
    return refusal;
  }

  private boolean isVersion(BlobProperties blob) {
    return keep.versions() || blob.optional().versionTicks() != 0;
  }

  /**
   * Keeps snapshots and the blob itself.
   *
   * @param whole true if the blob is deleted, too
   */
  private void keep(
      PartitionView partition,
      BlobProperties blob,
      Map<Bytes, byte[]> rows,
      boolean whole,
      long ticks) {
    HistoryView history = new HistoryView(partition);
    SoftDeletion deletion = new SoftDeletion(ticks, keep.endTicks());
    if (keep.deleted()) {
      rows.forEach(
          (row, value) ->
              history.addDeletedSnapshot(
                  BlobRows.snapshotTicks(row), BlobPropertiesCodec.decode(value), deletion));
    }
    if (whole && isVersion(blob)) {
      history.addVersion(blob);
    } else if (whole) {
      history.addDeletedBlob(blob, deletion);
    }
    history.store();
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

  private static Map<Bytes, byte[]> snapshotRows(PartitionView partition, int max) {
    Map<Bytes, byte[]> rows = new LinkedHashMap<>();
    partition.scan(
        BlobRows.SNAPSHOTS,
        BlobRows.SNAPSHOTS_END,
        max,
        (row, value) -> {
          rows.put(row, value);
          return true;
        });
    return rows;
  }
}
