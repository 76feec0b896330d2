package io.lazuli.server.blob.index;

import io.lazuli.server.blob.encoding.IndexPartitions;
import io.lazuli.server.blob.encoding.ProtectionRow;
import io.lazuli.server.blob.partition.ProtectedStates;
import io.lazuli.server.error.Futures;
import io.lazuli.storage.Bytes;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.Direction;
import io.lazuli.storage.KeyRange;
import io.lazuli.storage.Partition;
import io.lazuli.storage.PartitionView;
import io.lazuli.storage.Position;
import io.lazuli.storage.Space;
import io.lazuli.storage.StorageEngine;
import io.lazuli.storage.Ticks;
import io.lazuli.storage.TransactionBody;
import io.lazuli.storage.Visit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * The index of the blobs of a container with protected states: blobs, snapshots and versions under
 * an immutability policy or a legal hold. A search for protected states reads these blobs only.
 *
 * <p>A row is written before the transaction that protects a state. It names the blob and not the
 * state, so it stays true when the state becomes a previous version. The collector removes it once
 * no state of the blob has a policy or a hold.
 *
 * <h2>Why no row is removed that is needed</h2>
 *
 * Every protecting request writes the row anew, with a new stamp. The collector looks at a blob a
 * day after the stamp at the earliest, and removes the row only if it has not changed since. So the
 * request has ended by then, or the row has changed. A request that finds after its transaction
 * that half an hour has passed, because the clock was moved, writes the row once more.
 */
public final class ProtectionIndex {
  /** A blob that stays protected is looked at less and less often, but at least after this time. */
  private static final long REVIEW_TICKS_MAX = 64 * ProtectionRow.FIRST_REVIEW_TICKS;

  /** A request that took longer than this writes its row again. */
  private static final long WRITE_TICKS_MAX = 30 * 60 * Ticks.PER_SECOND;

  /** The number of blobs that one scan searches. */
  private static final int BLOBS_PER_SEARCH = 100;

  private static final int ROWS_PER_PAGE = 1_000;
  private static final byte[] COMPLETE = {1};

  private final StorageEngine engine;
  private final Executor workers;

  /**
   * @param workers the threads on which an operation continues after a transaction; never refuses
   */
  public ProtectionIndex(StorageEngine engine, Executor workers) {
    this.engine = engine;
    this.workers = workers;
  }

  /** Begins the index of a container in which nothing was ever protected. */
  public CompletableFuture<Boolean> begin(Space container, Deadline deadline) {
    Partition index = new Partition(container, IndexPartitions.PROTECTED);
    return engine.transact(
        index,
        List.of(ProtectionRow.KEY),
        deadline,
        view -> {
          view.put(ProtectionRow.KEY, COMPLETE.clone());
          return true;
        });
  }

  /** Writes the row of a blob that is about to be protected. Returns the row's stamp. */
  public CompletableFuture<Long> announce(Partition blob, Deadline deadline) {
    ProtectionRow row = ProtectionRow.at(engine.now());
    return engine.transact(
        index(blob),
        List.of(ProtectionRow.KEY),
        deadline,
        view -> {
          view.put(ProtectionRow.KEY, row.encode());
          return row.stampTicks();
        });
  }

  /** Returns true if the row with a stamp may have been removed before the blob was protected. */
  public boolean isLate(long stampTicks) {
    return engine.now() - stampTicks > WRITE_TICKS_MAX;
  }

  /** Returns true if a state in the container must not be removed now. */
  public CompletableFuture<Boolean> hasProtected(Space container, Deadline deadline) {
    Partition complete = new Partition(container, IndexPartitions.PROTECTED);
    return engine
        .read(complete.row(ProtectionRow.KEY), deadline)
        .thenCompose(
            mark ->
                mark == null
                    ? ProtectedStates.existIn(
                        engine,
                        container,
                        List.of(new KeyRange(Position.START, IndexPartitions.END_OF_BLOBS)),
                        deadline)
                    : search(container, deadline));
  }

  private CompletableFuture<Boolean> search(Space container, Deadline deadline) {
    Position[] from = {Position.endOf(IndexPartitions.PROTECTED)};
    boolean[] found = new boolean[1];
    return Futures.repeat(
            () ->
                page(container, from[0], BLOBS_PER_SEARCH, Long.MAX_VALUE, deadline)
                    .thenCompose(
                        page ->
                            page.isEmpty()
                                ? CompletableFuture.completedFuture(false)
                                : ProtectedStates.existIn(
                                        engine,
                                        container,
                                        page.stream()
                                            .map(row -> KeyRange.ofPartition(row.blob()))
                                            .toList(),
                                        deadline)
                                    .thenApply(
                                        has -> {
                                          from[0] = page.get(page.size() - 1).end();
                                          found[0] = has;
                                          return !has && page.size() == BLOBS_PER_SEARCH;
                                        })))
        .thenApply(searched -> found[0]);
  }

  /** A row of the index. */
  private record Named(Bytes blob, byte[] value) {
    Position end() {
      return Position.endOf(IndexPartitions.protectedBlob(blob));
    }
  }

  /**
   * Reads some rows.
   *
   * @param due skips rows with a later review
   */
  private CompletableFuture<List<Named>> page(
      Space container, Position from, int max, long due, Deadline deadline) {
    List<Named> page = new ArrayList<>();
    return engine
        .scan(
            container,
            List.of(new KeyRange(from, IndexPartitions.PROTECTED_END)),
            Direction.FORWARD,
            deadline,
            record -> {
              byte[] value = record.value().copy();
              if (due == Long.MAX_VALUE || isDue(value, due)) {
                Bytes index = Bytes.of(record.partition().copy());
                page.add(new Named(IndexPartitions.protectedName(index), value));
              }
              return page.size() < max ? Visit.CONTINUE : Visit.STOP;
            })
        .thenApply(scanned -> page);
  }

  /** Returns false for a row that cannot be read: {@code lazuli verify} reports it. */
  private static boolean isDue(byte[] value, long now) {
    try {
      return ProtectionRow.decode(value).reviewTicks() <= now;
    } catch (IllegalStateException e) {
      return false;
    }
  }

  /** Removes the rows of blobs that are not protected any more. */
  public CompletableFuture<@Nullable Void> review(Space container, Deadline deadline) {
    long now = engine.now();
    Position[] from = {Position.endOf(IndexPartitions.PROTECTED)};
    return Futures.repeat(
        () ->
            page(container, from[0], ROWS_PER_PAGE, now, deadline)
                .thenCompose(
                    page -> {
                      Iterator<Named> rows = page.iterator();
                      return Futures.repeat(() -> reviewNext(rows, container, now, deadline))
                          .thenApply(
                              reviewed -> {
                                boolean more = page.size() == ROWS_PER_PAGE;
                                from[0] = more ? page.get(page.size() - 1).end() : from[0];
                                return more;
                              });
                    }));
  }

  private CompletableFuture<Boolean> reviewNext(
      Iterator<Named> rows, Space container, long now, Deadline deadline) {
    if (!rows.hasNext()) {
      return CompletableFuture.completedFuture(false);
    }
    Named row = rows.next();
    Partition blob = new Partition(container, row.blob());
    return ProtectedStates.existOf(engine, blob, deadline)
        .thenCompose(
            stays ->
                engine.transact(
                    index(blob),
                    List.of(ProtectionRow.KEY),
                    deadline,
                    new ReviewBody(row.value(), stays, now)))
        .thenApplyAsync(reviewed -> true, workers);
  }

  /**
   * Removes a row, or puts the next look at its blob off.
   *
   * @param seen the value of the row before the look; another one is left alone
   * @param stays whether the blob has protected states
   */
  private record ReviewBody(byte[] seen, boolean stays, long now)
      implements TransactionBody<Boolean> {
    @Override
    public Boolean run(PartitionView view) {
      if (!Arrays.equals(view.read(ProtectionRow.KEY), seen)) {
        return false;
      } else if (!stays) {
        view.delete(ProtectionRow.KEY);
        return true;
      }
      long stamp = ProtectionRow.decode(seen).stampTicks();
      long age = Math.max(ProtectionRow.FIRST_REVIEW_TICKS, now - stamp);
      long next = now + Math.min(REVIEW_TICKS_MAX, age);
      view.put(ProtectionRow.KEY, new ProtectionRow(stamp, next).encode());
      return true;
    }
  }

  private static Partition index(Partition blob) {
    return new Partition(blob.space(), IndexPartitions.protectedBlob(blob.name()));
  }
}
