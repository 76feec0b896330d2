package io.lazuli.server.blob.partition;

import io.lazuli.server.blob.encoding.BlobHistory;
import io.lazuli.server.blob.encoding.BlobPropertiesCodec;
import io.lazuli.server.blob.encoding.BlobRows;
import io.lazuli.server.blob.model.BlobProperties;
import io.lazuli.server.blob.protection.SoftDeletion;
import io.lazuli.storage.Bytes;
import io.lazuli.storage.PartitionView;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The former states of a blob inside a transaction: its previous versions and its soft-deleted
 * states. Each state is a row that names its content as a snapshot does, so no bytes are copied.
 * Mutable: counts the changes of one run of a body, which calls {@link #store} at the end.
 *
 * <p>A deleted blob has one row, and its snapshots have others. If the blob exists again, or is
 * deleted once more, the older state counts as a deleted snapshot whose time is that of its
 * deletion.
 */
public final class HistoryView {
  private static final byte[] MARK = {1};

  private final PartitionView view;
  private final BlobHistory before;
  private BlobHistory now;

  public HistoryView(PartitionView view) {
    this.view = view;
    byte[] record = view.read(BlobRows.HISTORY);
    this.before = record == null ? BlobHistory.NONE : BlobHistory.decode(record);
    this.now = before;
  }

  public BlobHistory history() {
    return now;
  }

  /** Returns a time for a new version or snapshot that is after all times of former states. */
  public long newTicks(long ticks) {
    return Math.max(ticks, now.lastTicks() + 1);
  }

  /** Makes a state of the blob a previous version. */
  public void addVersion(BlobProperties state) {
    long known = state.optional().versionTicks();
    long ticks = known != 0 ? known : state.creationTicks();
    while (view.read(BlobRows.version(ticks)) != null) {
      ticks++;
    }
    putVersion(ticks, state.asVersion(ticks));
  }

  private void putVersion(long ticks, BlobProperties version) {
    view.put(BlobRows.version(ticks), BlobPropertiesCodec.encode(version));
    now = now.withVersions(now.versions() + 1).withType(version.type()).withLastTicks(ticks);
  }

  public @Nullable BlobProperties version(long ticks) {
    return decoded(view.read(BlobRows.version(ticks)));
  }

  public void changeVersion(long ticks, BlobProperties version) {
    view.put(BlobRows.version(ticks), BlobPropertiesCodec.encode(version));
  }

  public void removeVersion(long ticks) {
    BlobProperties state = version(ticks);
    if (state != null) {
      new BlobView(view).noteDropped(state, state);
    }
    view.delete(BlobRows.version(ticks));
    now = now.withVersions(now.versions() - 1);
  }

  /** Keeps the state of a blob that is being deleted. */
  public void addDeletedBlob(BlobProperties state, SoftDeletion deletion) {
    BlobProperties older = decoded(view.read(BlobRows.DELETED_BLOB));
    if (older != null) {
      SoftDeletion olderDeletion = deletion(older);
      removeDeleted(BlobRows.DELETED_BLOB, older);
      addDeletedSnapshot(olderDeletion.deletedTicks(), older, olderDeletion);
    }
    putDeleted(BlobRows.DELETED_BLOB, state, deletion);
    now = now.withLastTicks(deletion.deletedTicks());
  }

  /**
   * Keeps a snapshot that is being deleted, or a state that is being replaced.
   *
   * @param ticks the time that names the snapshot
   */
  public void addDeletedSnapshot(long ticks, BlobProperties state, SoftDeletion deletion) {
    long free = ticks;
    while (view.read(BlobRows.deletedSnapshot(free)) != null) {
      free++;
    }
    putDeleted(BlobRows.deletedSnapshot(free), state, deletion);
    now = now.withLastTicks(free);
  }

  /** Keeps a version that is being deleted. */
  public void addDeletedVersion(long ticks, BlobProperties state, SoftDeletion deletion) {
    putDeleted(BlobRows.deletedVersion(ticks), state, deletion);
  }

  private void putDeleted(Bytes row, BlobProperties state, SoftDeletion deletion) {
    view.put(row, BlobPropertiesCodec.encode(state.asDeleted(deletion)));
    view.put(BlobRows.due(deletion.endTicks(), row), MARK.clone());
    now = now.withDeleted(now.deleted() + 1).withType(state.type());
  }

  /** Removes a soft-deleted state, because it is restored or gone. */
  public void removeDeleted(Bytes row, BlobProperties state) {
    view.delete(row);
    view.delete(BlobRows.due(deletion(state).endTicks(), row));
    now = now.withDeleted(now.deleted() - 1);
  }

  /** Removes a soft-deleted state whose time is over, given the row of its removal. */
  public void removeDue(Bytes due) {
    view.delete(due);
    view.delete(BlobRows.dueRow(due));
    now = now.withDeleted(now.deleted() - 1);
  }

  /** Finds a soft-deleted state by its row, whether or not it can still be restored. */
  public @Nullable BlobProperties deleted(Bytes row) {
    return decoded(view.read(row));
  }

  /** Restores a soft-deleted version. */
  public void restoreVersion(Bytes row, BlobProperties state) {
    removeDeleted(row, state);
    putVersion(BlobRows.deletedTicks(row), restored(state));
  }

  /** Returns a state without its deletion. */
  public static BlobProperties restored(BlobProperties state) {
    return state.withOptional(state.optional().withDeletion(null));
  }

  /** Returns true if a soft-deleted state can be restored at a time. */
  public boolean isRestorable(BlobProperties state, long time) {
    return isRestorable(now, state, time);
  }

  /** Returns true if a soft-deleted state can be restored at a time. */
  public static boolean isRestorable(BlobHistory history, BlobProperties state, long time) {
    SoftDeletion deletion = deletion(state);
    return deletion.endTicks() > time && deletion.deletedTicks() >= history.floorTicks();
  }

  /** Makes all soft-deleted states unrestorable, because a blob of another type replaces them. */
  public void forgetDeleted(long ticks) {
    now = now.withFloor(ticks);
  }

  /** Writes the summary if it has changed. */
  public void store() {
    if (now.isEmpty()) {
      if (!before.isEmpty()) {
        view.delete(BlobRows.HISTORY);
      }
    } else if (!now.equals(before)) {
      view.put(BlobRows.HISTORY, now.encode());
    }
  }

  /** Returns the deletion of a soft-deleted state. */
  public static SoftDeletion deletion(BlobProperties state) {
    return Objects.requireNonNull(state.optional().deletion(), "a deleted state has no deletion");
  }

  private static @Nullable BlobProperties decoded(byte @Nullable [] record) {
    return record == null ? null : BlobPropertiesCodec.decode(record);
  }
}
