package io.lazuli.server.blob.garbage;

import io.lazuli.server.blob.encoding.BlobRows;
import io.lazuli.server.blob.encoding.IndexPartitions;
import io.lazuli.server.error.Futures;
import io.lazuli.storage.Bytes;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.Direction;
import io.lazuli.storage.KeyRange;
import io.lazuli.storage.Partition;
import io.lazuli.storage.Position;
import io.lazuli.storage.Space;
import io.lazuli.storage.StorageEngine;
import io.lazuli.storage.Visit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * The index of the blobs of a container that have soft-deleted states, in the order in which those
 * states expire. Removal reads this index and therefore never scans blobs that have none. A row is
 * written before the transaction that deletes a state, and removed after the state. A row without
 * such a state costs one look at the blob.
 */
public final class DueRemovals {
  private static final int ROWS_PER_PAGE = 1_000;
  private static final byte[] MARK = {1};

  private final StorageEngine engine;
  private final BlobGarbage garbage;

  public DueRemovals(StorageEngine engine, BlobGarbage garbage) {
    this.engine = engine;
    this.garbage = garbage;
  }

  /** Writes the row of a blob one of whose states will expire at the given time. */
  public CompletableFuture<Boolean> announce(Partition blob, long endTicks, Deadline deadline) {
    Partition index = new Partition(blob.space(), IndexPartitions.dueRemovals(endTicks));
    return engine.transact(
        index,
        List.of(blob.name()),
        deadline,
        view -> {
          view.put(blob.name(), MARK.clone());
          return true;
        });
  }

  /** Removes all states of a container that have expired; blocks. */
  void removeExpired(Space container, Deadline deadline) {
    long now = engine.now();
    List<Due> page;
    do {
      page = page(container, now, deadline);
      for (Due due : page) {
        removeExpired(new Partition(container, due.blob()), now, deadline);
        remove(new Partition(container, due.index()), due.blob(), deadline);
      }
    } while (page.size() == ROWS_PER_PAGE);
  }

  /** A row of the index. */
  private record Due(Bytes index, Bytes blob) {}

  private List<Due> page(Space container, long now, Deadline deadline) {
    List<Due> due = new ArrayList<>();
    KeyRange range =
        new KeyRange(
            Position.startOf(IndexPartitions.DUE_REMOVALS),
            Position.startOf(IndexPartitions.dueRemovalsEnd(now)));
    Futures.await(
        engine.scan(
            container,
            List.of(range),
            Direction.FORWARD,
            deadline,
            record -> {
              due.add(new Due(Bytes.of(record.partition().copy()), Bytes.of(record.row().copy())));
              return due.size() < ROWS_PER_PAGE ? Visit.CONTINUE : Visit.STOP;
            }));
    return due;
  }

  private void removeExpired(Partition blob, long now, Deadline deadline) {
    int removed;
    do {
      removed =
          Futures.await(
              engine.transact(
                  blob, List.of(BlobRows.HISTORY), deadline, new ExpireDeletedBody(now)));
      if (removed > 0) {
        garbage.changed(blob);
      }
    } while (removed == ExpireDeletedBody.STATES_MAX);
  }

  private void remove(Partition index, Bytes row, Deadline deadline) {
    boolean unused =
        Futures.await(
            engine.transact(
                index,
                List.of(row),
                deadline,
                view -> {
                  view.delete(row);
                  return true;
                }));
  }
}
