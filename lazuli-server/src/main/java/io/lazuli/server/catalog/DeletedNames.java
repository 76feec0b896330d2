package io.lazuli.server.catalog;

import io.lazuli.server.error.Futures;
import io.lazuli.storage.Bytes;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.Direction;
import io.lazuli.storage.KeyRange;
import io.lazuli.storage.PartitionView;
import io.lazuli.storage.Position;
import io.lazuli.storage.RecordVisitor;
import io.lazuli.storage.Space;
import io.lazuli.storage.SpaceKind;
import io.lazuli.storage.StorageEngine;
import io.lazuli.storage.Visit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The soft-deleted names of the catalogue: lists, restores and removes them.
 *
 * <p>A soft-deleted name keeps its space and loses the space's gate. So every request that still
 * knows the space, on any server, finds that it is gone. A restored name gets a new gate. All rows
 * of a name are in its home, so each step is one transaction and a crash loses nothing.
 */
public final class DeletedNames {
  private static final int ROWS_PER_PAGE = 100;
  private static final byte[] MARK = {1};

  private final StorageEngine engine;

  DeletedNames(StorageEngine engine) {
    this.engine = engine;
  }

  /** Adds the rows of a soft-deleted name. The caller deletes its row and drops its gate. */
  static void put(PartitionView view, DeletedName deleted) {
    view.put(CatalogEntryCodec.deletedRow(deleted.key()), CatalogEntryCodec.encode(deleted));
    view.put(CatalogEntryCodec.dueRow(deleted.endTicks(), deleted.key()), MARK.clone());
  }

  private static void delete(PartitionView view, DeletedName deleted) {
    view.delete(CatalogEntryCodec.deletedRow(deleted.key()));
    view.delete(CatalogEntryCodec.dueRow(deleted.endTicks(), deleted.key()));
  }

  private static @Nullable DeletedName find(PartitionView view, String key) {
    byte[] value = view.read(CatalogEntryCodec.deletedRow(key));
    return value == null ? null : CatalogEntryCodec.decodeDeleted(key, value);
  }

  /** The result of an attempt to restore a name. */
  public enum Restoration {
    RESTORED,
    /** There is no such name, or its time is over. */
    NOT_FOUND,
    /** The new name exists. */
    NAME_TAKEN
  }

  /** Returns the metadata of a restored name. Pure: an engine may call it several times. */
  @FunctionalInterface
  public interface RestoredMetadata {
    byte[] of(byte[] metadata, long ticks);
  }

  /**
   * Restores a soft-deleted name, under this name or another.
   *
   * @param version any text of a client
   */
  public CompletableFuture<Restoration> restore(
      ServiceHome home,
      String name,
      String version,
      String newName,
      RestoredMetadata metadata,
      Deadline deadline) {
    String key = DeletedName.key(name, version);
    Bytes row = CatalogEntryCodec.row(newName);
    return engine
        .newSpace(SpaceKind.GATE, deadline)
        .thenCompose(
            gate ->
                engine
                    .newSpace(home.kind(), deadline)
                    .thenCompose(
                        stamp ->
                            engine.transact(
                                home.partition(),
                                List.of(CatalogEntryCodec.deletedRow(key), row),
                                deadline,
                                view -> {
                                  DeletedName deleted = find(view, key);
                                  if (deleted == null || deleted.endTicks() <= engine.now()) {
                                    return Restoration.NOT_FOUND;
                                  } else if (view.read(row) != null) {
                                    return Restoration.NAME_TAKEN;
                                  }
                                  CatalogRow old = deleted.row();
                                  byte[] changed = metadata.of(old.metadata(), view.timestamp(row));
                                  long rules = old.stamp() == 0 ? 0 : stamp;
                                  delete(view, deleted);
                                  view.put(
                                      row,
                                      CatalogEntryCodec.encode(
                                          old.restored(newName, gate, rules, changed)));
                                  return Restoration.RESTORED;
                                })));
  }

  /**
   * Passes the soft-deleted names of a home to a visitor, in the order of their keys, until it
   * returns false.
   */
  public CompletableFuture<@Nullable Void> list(
      ServiceHome home, String fromKey, Deadline deadline, Predicate<DeletedName> visitor) {
    return scan(
        home,
        CatalogEntryCodec.deletedRow(fromKey),
        CatalogEntryCodec.DELETED_END,
        deadline,
        record -> {
          String key = CatalogEntryCodec.deletedKey(record.row().copy());
          DeletedName deleted = CatalogEntryCodec.decodeDeleted(key, record.value().copy());
          return visitor.test(deleted) ? Visit.CONTINUE : Visit.STOP;
        });
  }

  /** Decides whether a name that can no longer be restored must be kept nevertheless. */
  @FunctionalInterface
  public interface Keeping {
    CompletableFuture<Boolean> keeps(CatalogRow row, Space space);
  }

  /**
   * Removes some names of a home that can no longer be restored, and drops their spaces.
   *
   * @return false if there were none that need not be kept
   */
  public CompletableFuture<Boolean> removeDue(
      ServiceHome home, Keeping keeping, Deadline deadline) {
    Bytes end = CatalogEntryCodec.dueEnd(engine.now());
    return removeSome(home, end, ROWS_PER_PAGE, keeping, deadline);
  }

  /**
   * Removes soft-deleted names of a home, due or not, and drops their spaces.
   *
   * @return true if none were left
   */
  CompletableFuture<Boolean> clear(ServiceHome home, int namesMax, Deadline deadline) {
    Bytes end = CatalogEntryCodec.dueEnd(Long.MAX_VALUE - 1);
    Keeping nothing = (row, space) -> CompletableFuture.completedFuture(false);
    return removeSome(home, end, namesMax, nothing, deadline).thenApply(more -> !more);
  }

  /** Removes the first names. Returns false if there were none. */
  private CompletableFuture<Boolean> removeSome(
      ServiceHome home, Bytes end, int namesMax, Keeping keeping, Deadline deadline) {
    List<Bytes> due = new ArrayList<>();
    return scan(
            home,
            CatalogEntryCodec.DUE,
            end,
            deadline,
            record -> {
              due.add(Bytes.of(record.row().copy()));
              return due.size() < namesMax ? Visit.CONTINUE : Visit.STOP;
            })
        .thenCompose(
            scanned ->
                Futures.all(
                    due.stream()
                        .map(row -> removeUnlessKept(home, row, keeping, deadline))
                        .toList()))
        .thenApply(removed -> removed.contains(true));
  }

  /** Removes a name. Returns false if it is kept. */
  private CompletableFuture<Boolean> removeUnlessKept(
      ServiceHome home, Bytes due, Keeping keeping, Deadline deadline) {
    String key = CatalogEntryCodec.dueKey(due.array());
    return engine
        .read(home.partition().row(CatalogEntryCodec.deletedRow(key)), deadline)
        .thenCompose(
            value -> {
              if (value == null) {
                return CompletableFuture.completedFuture(false);
              }
              CatalogRow row = CatalogEntryCodec.decodeDeleted(key, value).row();
              return keeping.keeps(row, new Space(row.space(), home.partition()));
            })
        .thenCompose(
            kept -> kept ? CompletableFuture.completedFuture(false) : remove(home, due, deadline));
  }

  private CompletableFuture<Boolean> remove(ServiceHome home, Bytes due, Deadline deadline) {
    String key = CatalogEntryCodec.dueKey(due.array());
    return engine.transact(
        home.partition(),
        List.of(CatalogEntryCodec.deletedRow(key)),
        deadline,
        view -> {
          DeletedName deleted = find(view, key);
          if (deleted != null) {
            view.drop(new Space(deleted.row().space(), home.partition()));
            view.delete(CatalogEntryCodec.deletedRow(key));
          }
          view.delete(due);
          return true;
        });
  }

  private CompletableFuture<@Nullable Void> scan(
      ServiceHome home, Bytes from, Bytes to, Deadline deadline, RecordVisitor visitor) {
    Bytes partition = home.partition().name();
    KeyRange range = new KeyRange(new Position(partition, from), new Position(partition, to));
    return engine.scan(Space.CATALOGUE, List.of(range), Direction.FORWARD, deadline, visitor);
  }
}
