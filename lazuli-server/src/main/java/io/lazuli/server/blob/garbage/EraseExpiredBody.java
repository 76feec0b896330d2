package io.lazuli.server.blob.garbage;

import io.lazuli.server.blob.encoding.BlobRows;
import io.lazuli.server.blob.model.BlobProperties;
import io.lazuli.server.blob.model.SnapshotCount;
import io.lazuli.server.blob.partition.BlobView;
import io.lazuli.server.blob.partition.ProtectedStates;
import io.lazuli.storage.Bytes;
import io.lazuli.storage.PartitionView;
import io.lazuli.storage.TransactionBody;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Removes a blob that has expired, with its snapshots and without keeping anything (blob-features
 * 4.3). Previous versions and soft-deleted states stay. Many snapshots take several transactions;
 * the last of them removes the blob itself. Before the first of them, the caller must look for a
 * protected snapshot: otherwise some would be gone when a transaction meets it.
 *
 * @param search what the caller knows about the snapshots; needed only if there are many
 */
record EraseExpiredBody(Search search) implements TransactionBody<EraseExpiredBody.Outcome> {
  /**
   * The number of snapshots that one transaction removes. Keeps it below 1,000 rows, which is our
   * own limit.
   */
  static final int SNAPSHOTS_MAX = 900;

  /**
   * The search for a protected snapshot.
   *
   * @param done whether the caller has searched
   * @param found the row of the snapshot; null if there was none
   */
  record Search(boolean done, @Nullable Bytes found) {
    static final Search NONE = new Search(false, null);
  }

  /** What one transaction did. */
  enum Step {
    /** The blob stays, or there is none. */
    KEPT,
    /** Nothing was removed: the caller must search the snapshots first. */
    UNSEARCHED,
    /** Some snapshots were removed. Another transaction is needed. */
    SNAPSHOTS_LEFT,
    /** The blob was removed. */
    REMOVED
  }

  /**
   * The result of one transaction.
   *
   * @param againTicks the time at which the blob can be removed; 0 if it need not be
   */
  record Outcome(Step step, long againTicks) {
    private static Outcome of(Step step) {
      return new Outcome(step, 0);
    }
  }

  @Override
  public Outcome run(PartitionView partition) {
    BlobView view = new BlobView(partition);
    BlobProperties blob = view.findStored();
    if (blob == null || blob.optional().expiryTicks() == 0) {
      return Outcome.of(Step.KEPT);
    } else if (!view.isExpired(blob)) {
      boolean isProtected = blob.changeRefusal() != null;
      return new Outcome(Step.KEPT, isProtected ? Long.MAX_VALUE : blob.optional().expiryTicks());
    }
    Bytes found = search.found();
    if (found == null && blob.snapshots().count() > SNAPSHOTS_MAX && !search.done()) {
      return Outcome.of(Step.UNSEARCHED);
    }
    Map<Bytes, byte[]> snapshots = new LinkedHashMap<>();
    partition.scan(
        found == null ? BlobRows.SNAPSHOTS : found,
        BlobRows.SNAPSHOTS_END,
        found == null ? SNAPSHOTS_MAX : 1,
        (row, value) -> {
          snapshots.put(row, value);
          return true;
        });
    if (snapshots.values().stream().anyMatch(ProtectedStates::isProtected)) {
      // A protected snapshot keeps its blob, which does not expire any more.
      view.put(blob.withOptional(blob.optional().withExpiryTicks(0)));
      return Outcome.of(Step.KEPT);
    } else if (found != null) {
      return Outcome.of(Step.UNSEARCHED);
    }
    snapshots.keySet().forEach(partition::delete);
    int left = blob.snapshots().count() - snapshots.size();
    if (left <= 0) {
      partition.delete(BlobRows.PROPERTIES);
      return Outcome.of(Step.REMOVED);
    }
    view.noteDropped(blob, blob);
    view.put(blob.withSnapshots(new SnapshotCount(left, blob.snapshots().lastTicks())));
    return Outcome.of(Step.SNAPSHOTS_LEFT);
  }
}
