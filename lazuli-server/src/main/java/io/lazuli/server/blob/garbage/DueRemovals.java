package io.lazuli.server.blob.garbage;

import io.lazuli.server.blob.encoding.BlobRows;
import io.lazuli.server.blob.encoding.IndexPartitions;
import io.lazuli.server.blob.garbage.EraseExpiredBody.Search;
import io.lazuli.server.blob.partition.ProtectedStates;
import io.lazuli.server.error.Futures;
import io.lazuli.storage.Bytes;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.Direction;
import io.lazuli.storage.KeyRange;
import io.lazuli.storage.Partition;
import io.lazuli.storage.Position;
import io.lazuli.storage.Space;
import io.lazuli.storage.StorageEngine;
import io.lazuli.storage.Ticks;
import io.lazuli.storage.Visit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/**
 * The index of the blobs of a container that have soft-deleted states, in the order in which those
 * states expire. Removal reads this index and therefore never scans blobs that have none. A row is
 * written before the transaction that deletes a state, and removed after the state. A row without
 * such a state costs one look at the blob. Blobs that expire have rows of the same kind.
 */
public final class DueRemovals {
  private static final int ROWS_PER_PAGE = 1_000;
  private static final List<Bytes> TOUCH = List.of(BlobRows.PROPERTIES);
  private static final byte[] MARK = {1};

  /** How long a blob that has expired and may not be deleted is left alone at most. */
  private static final long LOOK_AGAIN_TICKS = 24 * 60 * 60 * Ticks.PER_SECOND;

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

  /**
   * Removes a blob that has expired, before something else is written under its name.
   *
   * @param workers the threads on which the removal goes on after a transaction; never refuses
   */
  public CompletableFuture<Boolean> erase(Partition blob, Deadline deadline, Executor workers) {
    return erase(blob, Search.NONE, deadline, workers).thenApply(outcome -> true);
  }

  private CompletableFuture<EraseExpiredBody.Outcome> erase(
      Partition blob, Search search, Deadline deadline, Executor workers) {
    return engine
        .transact(blob, TOUCH, deadline, new EraseExpiredBody(search))
        .thenComposeAsync(
            outcome ->
                switch (outcome.step()) {
                  case KEPT -> CompletableFuture.completedFuture(outcome);
                  case UNSEARCHED ->
                      ProtectedStates.findSnapshot(engine, blob, deadline)
                          .thenComposeAsync(
                              found ->
                                  erase(
                                      blob,
                                      new Search(true, found.orElse(null)),
                                      deadline,
                                      workers),
                              workers);
                  case SNAPSHOTS_LEFT -> {
                    garbage.changed(blob);
                    yield erase(blob, search, deadline, workers);
                  }
                  case REMOVED -> {
                    garbage.changed(blob);
                    yield CompletableFuture.completedFuture(outcome);
                  }
                },
            workers);
  }

  /** Removes all states of a container that have expired; blocks. */
  void removeExpired(Space container, Deadline deadline) {
    long now = engine.now();
    List<Due> page;
    boolean removed;
    do {
      removed = false;
      page = page(container, now, deadline);
      for (Due due : page) {
        Partition blob = new Partition(container, due.blob());
        boolean complete = removeExpired(blob, now, deadline);
        eraseExpired(blob, now, deadline);
        if (complete) {
          remove(new Partition(container, due.index()), due.blob(), deadline);
          removed = true;
        }
      }
    } while (page.size() == ROWS_PER_PAGE && removed);
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

  /** Removes the states of a blob that have expired. Returns false if some are protected. */
  private boolean removeExpired(Partition blob, long now, Deadline deadline) {
    ExpireDeletedBody.Expired expired;
    do {
      expired =
          Futures.await(
              engine.transact(
                  blob,
                  List.of(BlobRows.HISTORY),
                  deadline,
                  new ExpireDeletedBody(now, engine.clock())));
      if (expired.removed() > 0) {
        garbage.changed(blob);
      }
    } while (expired.removed() == ExpireDeletedBody.STATES_MAX);
    return expired.kept() == 0;
  }

  /**
   * Removes the blob itself if it has expired. If it must stay for now, it gets another row,
   * because the one that led here is removed.
   */
  private void eraseExpired(Partition blob, long now, Deadline deadline) {
    EraseExpiredBody.Outcome outcome =
        Futures.await(erase(blob, Search.NONE, deadline, Runnable::run));
    if (outcome.againTicks() != 0) {
      long again = Math.min(outcome.againTicks(), now + LOOK_AGAIN_TICKS);
      boolean unused = Futures.await(announce(blob, again, deadline));
    }
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
