package io.lazuli.server.blob.transaction;

import io.lazuli.server.blob.encoding.BlobHistory;
import io.lazuli.server.blob.encoding.BlobRows;
import io.lazuli.server.blob.model.BlobErrors;
import io.lazuli.server.blob.model.BlobProperties;
import io.lazuli.server.blob.model.BlobType;
import io.lazuli.server.blob.partition.BlobView;
import io.lazuli.server.blob.partition.HistoryView;
import io.lazuli.server.blob.protection.Keep;
import io.lazuli.server.blob.protection.SoftDeletion;
import io.lazuli.server.error.ServiceError;
import io.lazuli.storage.PartitionView;
import org.jspecify.annotations.Nullable;

/**
 * The replacement of a blob's state by another one. The old state is kept as the account wants it:
 * as a previous version, as a soft-deleted snapshot, or not at all. In an account that keeps
 * nothing, a replacement reads and writes nothing but the properties.
 *
 * @param old null if there is no blob
 */
record Replacement(PartitionView partition, Keep keep, @Nullable BlobProperties old) {
  /** Returns true if the old state becomes a previous version, or the new one a version. */
  boolean isVersioned() {
    return keep.versions() || (old != null && old.optional().versionTicks() != 0);
  }

  /** Returns true if nothing of the old state becomes garbage. */
  boolean keepsOld() {
    return old != null && old.upload().number() == 0 && (isVersioned() || keepsDeleted());
  }

  /** Returns true if no committed content becomes garbage. */
  boolean keepsContent() {
    return !isCommitted() || isVersioned() || keepsDeleted();
  }

  /** Returns true if the old state becomes a soft-deleted snapshot (blob-features 2.2). */
  private boolean keepsDeleted() {
    return keep.deleted() && isCommitted() && !isVersioned() && !isArchived();
  }

  private boolean isCommitted() {
    return old != null && old.isCommitted();
  }

  private boolean isArchived() {
    return old != null
        && old.tier() != null
        && old.tierAt(partition.timestamp(BlobRows.PROPERTIES)).isArchived();
  }

  /** Returns true if the index of due removals needs a row before the state can be replaced. */
  boolean isUnannounced() {
    return keepsDeleted() && !keep.announced();
  }

  /**
   * Returns why no blob of the type can replace the old state; null if one can. A protected state
   * can only become a version (blob-features 6.2), and all versions of a name have one type.
   *
   * @param clock the time that decides whether an immutability policy is active
   */
  @Nullable ServiceError refusal(BlobType type, long clock) {
    ServiceError refusal = old == null || isVersioned() ? null : old.removalRefusal(clock);
    if (refusal != null || !keep.versions() || isCommitted()) {
      return refusal;
    }
    BlobHistory history = new HistoryView(partition).history();
    return history.versions() > 0 && history.type() != type ? BlobErrors.INVALID_BLOB_TYPE : null;
  }

  /**
   * Stores the new state and keeps the old one. Returns the new state as it is stored.
   *
   * @param ticks the time of the replacement
   */
  BlobProperties put(BlobProperties fresh, long ticks) {
    BlobView view = new BlobView(partition);
    if (!isVersioned() && !keep.deleted()) {
      view.put(fresh);
      return fresh;
    }
    HistoryView history = new HistoryView(partition);
    BlobProperties stored = fresh.withOptional(fresh.optional().withVersionTicks(0));
    if (keep.versions()) {
      long before = old == null ? 0 : old.optional().versionTicks();
      long id = Math.max(history.newTicks(ticks), before + 1);
      stored = fresh.withOptional(fresh.optional().withVersionTicks(id));
    }
    if (old != null && old.isCommitted() && isVersioned()) {
      history.addVersion(old);
    } else if (old != null && keepsDeleted()) {
      history.addDeletedSnapshot(ticks, old, new SoftDeletion(ticks, keep.endTicks()));
    } else if (!isCommitted() && history.history().type() != fresh.type()) {
      history.forgetDeleted(ticks);
    }
    history.store();
    view.put(stored);
    return stored;
  }
}
