package io.lazuli.server.blob.index;

import io.lazuli.server.blob.encoding.BlobRows;
import io.lazuli.server.blob.encoding.TagIndexRows;
import io.lazuli.server.blob.model.BlobTags;
import io.lazuli.server.catalog.StorageFailures;
import io.lazuli.server.error.CommonErrors;
import io.lazuli.server.error.Futures;
import io.lazuli.storage.Bytes;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.Partition;
import io.lazuli.storage.StorageEngine;
import io.lazuli.storage.Ticks;
import io.lazuli.storage.TransactionBody;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the index of the tags of blobs. Every transaction on a blob that can change its tags runs
 * through {@link #transact}.
 *
 * <h2>Why a search misses nothing</h2>
 *
 * A transaction changes one partition, so a blob and its index rows cannot change together. Each
 * write that gives tags has a stamp, which is part of the key of its rows and of the blob's
 * properties. The order is: the rows of the new stamp are written; the blob changes; the rows of
 * the old stamp are removed. So whenever a blob has a tag, the row with the blob's own stamp
 * exists, and a search that takes rows as candidates finds the blob. It reads the blob's properties
 * by key and compares them, so rows that are left over do no harm.
 *
 * <h2>Why no row is removed that is needed</h2>
 *
 * A row belongs to one write: it is inserted only if it does not exist. The write itself removes
 * its rows if the transaction was refused, and a later transaction removes them once it has given
 * the blob another stamp. A stamp never returns to a blob: {@link IndexedBody} replaces any stamp
 * that is neither the blob's old one nor the prepared one. A crash, or a commit of which nobody
 * knows whether it took place, leaves rows that nothing needs. Searches remove those that they
 * meet, if the stamp is so old that its write cannot be under way any more ({@link #isRemovable}).
 *
 * <p>Blobs whose tags have no stamp are not in the index. Servers without an index wrote them, or a
 * crash came between a restore and {@link #restamp}. The first round of the collector finds them.
 * Previous versions are not in the index either (decision 0038).
 */
public final class TagIndex {
  private static final List<Bytes> TOUCH = List.of(BlobRows.PROPERTIES);

  /** A write of tags fails if it has not begun to change the blob after this time. */
  private static final Duration WRITE_TIME_MAX = Duration.ofMinutes(30);

  /**
   * Rows whose stamp is older may be removed. Leaves time for a commit, and for clocks to differ.
   */
  private static final Duration ROW_TIME_MIN = Duration.ofHours(1);

  private final StorageEngine engine;
  private final Executor workers;
  private final AtomicLong lastStamp = new AtomicLong();

  /**
   * @param workers the threads on which an operation continues after a transaction; never refuses
   */
  public TagIndex(StorageEngine engine, Executor workers) {
    this.engine = engine;
    this.workers = workers;
  }

  /** Runs a transaction on a blob, and keeps the index true. A blob without tags costs nothing. */
  public <R> CompletableFuture<R> transact(
      Partition partition, Deadline deadline, TransactionBody<R> body) {
    if (!(body instanceof GivesTags<R> gives) || gives.givenTags().values().isEmpty()) {
      return settled(partition, deadline, body, BlobTags.NONE);
    }
    BlobTags prepared = gives.givenTags().stamped(newStamp());
    return add(partition, prepared, deadline)
        .thenComposeAsync(added -> prepared(partition, deadline, gives, prepared), workers);
  }

  /** Runs a transaction whose index rows are written. Removes them if it fails. */
  private <R> CompletableFuture<R> prepared(
      Partition partition, Deadline deadline, GivesTags<R> gives, BlobTags prepared) {
    CompletableFuture<R> done =
        isOlder(prepared.stamp(), WRITE_TIME_MAX)
            ? CompletableFuture.failedFuture(CommonErrors.OPERATION_TIMED_OUT.exception())
            : settled(partition, deadline, gives.withTagStamp(prepared.stamp()), prepared);
    return done.exceptionallyCompose(
        failure -> {
          CompletableFuture<R> failed = CompletableFuture.failedFuture(Futures.cause(failure));
          return StorageFailures.isUnknownOutcome(failure)
              ? failed
              : onWorkers(() -> remove(partition, prepared, deadline))
                  .thenCompose(removed -> failed);
        });
  }

  /** Gives the tags of a blob index rows and a stamp, unless they have changed in the meantime. */
  public CompletableFuture<Boolean> restamp(Partition partition, BlobTags tags, Deadline deadline) {
    return transact(partition, deadline, new StampBody(tags.stamped(0)));
  }

  /** Returns true if no write with this stamp can be under way any more. */
  boolean isRemovable(long stamp) {
    return isOlder(stamp, ROW_TIME_MIN);
  }

  private boolean isOlder(long stamp, Duration age) {
    return engine.now() - stamp > age.toSeconds() * Ticks.PER_SECOND;
  }

  /** Returns the time, or the next free number if this process has used the time already. */
  private long newStamp() {
    long now = engine.now();
    return lastStamp.updateAndGet(last -> Math.max(now, last + 1));
  }

  /** Runs a transaction, then removes the rows that nothing needs after it. */
  private <R> CompletableFuture<R> settled(
      Partition partition, Deadline deadline, TransactionBody<R> body, BlobTags prepared) {
    return engine
        .transact(partition, TOUCH, deadline, new IndexedBody<>(body, prepared.stamp()))
        .thenCompose(
            done -> {
              long stamp = done.after().stamp();
              boolean settled =
                  isKept(done.before(), stamp)
                      && isKept(prepared, stamp)
                      && !done.after().isUnindexed();
              if (settled) {
                return CompletableFuture.completedFuture(done.value());
              }
              return onWorkers(() -> settle(partition, deadline, done, prepared))
                  .thenApply(removed -> done.value());
            });
  }

  /** Returns false if tags have index rows that a blob with the given stamp does not need. */
  private static boolean isKept(BlobTags tags, long stamp) {
    return tags.stamp() == 0 || tags.stamp() == stamp;
  }

  /** Begins work on another thread, because a thread of the engine must not call the engine. */
  private <T extends @Nullable Object> CompletableFuture<T> onWorkers(
      Supplier<CompletableFuture<T>> work) {
    return CompletableFuture.completedFuture(true).thenComposeAsync(begun -> work.get(), workers);
  }

  private CompletableFuture<List<@Nullable Void>> settle(
      Partition partition, Deadline deadline, IndexedBody.Done<?> done, BlobTags prepared) {
    long stamp = done.after().stamp();
    List<CompletableFuture<@Nullable Void>> steps = new ArrayList<>();
    if (!isKept(done.before(), stamp)) {
      steps.add(remove(partition, done.before(), deadline));
    }
    if (!isKept(prepared, stamp)) {
      steps.add(remove(partition, prepared, deadline));
    }
    if (done.after().isUnindexed()) {
      steps.add(restamp(partition, done.after(), deadline).handle(TagIndex::ignoringFailure));
    }
    return Futures.all(steps);
  }

  /** Writes the rows of a stamp: all of them, or none that stays. */
  private CompletableFuture<@Nullable Void> add(
      Partition partition, BlobTags tags, Deadline deadline) {
    Bytes row = TagIndexRows.row(partition.name(), tags.stamp());
    Map<String, String> own = new ConcurrentHashMap<>();
    List<CompletableFuture<Boolean>> steps = new ArrayList<>();
    for (Map.Entry<String, String> tag : tags.values().entrySet()) {
      steps.add(
          engine
              .transact(of(partition, tag), List.of(row), deadline, new AddRowBody(row))
              .thenApply(
                  inserted -> {
                    // Otherwise another server took the same stamp for the same blob.
                    if (!inserted) {
                      throw CommonErrors.SERVER_BUSY.exception();
                    }
                    own.put(tag.getKey(), tag.getValue());
                    return inserted;
                  }));
    }
    return Futures.all(steps)
        .<@Nullable Void>thenApply(done -> null)
        .exceptionallyCompose(
            failure ->
                onWorkers(() -> remove(partition, new BlobTags(own, tags.stamp()), deadline))
                    .thenCompose(
                        removed -> CompletableFuture.failedFuture(Futures.cause(failure))));
  }

  /** Removes the rows of a stamp. Failures are ignored: rows that are left do no harm. */
  private CompletableFuture<@Nullable Void> remove(
      Partition partition, BlobTags tags, Deadline deadline) {
    List<Bytes> row = List.of(TagIndexRows.row(partition.name(), tags.stamp()));
    List<CompletableFuture<@Nullable Void>> removed = new ArrayList<>();
    for (Map.Entry<String, String> tag : tags.values().entrySet()) {
      removed.add(remove(of(partition, tag), row, deadline));
    }
    return Futures.all(removed).thenApply(done -> null);
  }

  /** Removes rows of one index partition. Failures are ignored. Completes on a worker. */
  CompletableFuture<@Nullable Void> remove(Partition index, List<Bytes> rows, Deadline deadline) {
    return engine
        .<Integer>transact(
            index,
            List.of(),
            deadline,
            view -> {
              rows.forEach(view::delete);
              return rows.size();
            })
        .handleAsync(TagIndex::ignoringFailure, workers);
  }

  private static @Nullable Void ignoringFailure(
      @Nullable Object done, @Nullable Throwable failure) {
    return null;
  }

  private static Partition of(Partition blob, Map.Entry<String, String> tag) {
    return new Partition(blob.space(), TagIndexRows.partition(tag.getKey(), tag.getValue()));
  }
}
