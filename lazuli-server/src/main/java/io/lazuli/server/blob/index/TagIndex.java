package io.lazuli.server.blob.index;

import io.lazuli.server.blob.encoding.BlobRows;
import io.lazuli.server.blob.encoding.TaggedState;
import io.lazuli.server.blob.model.BlobTags;
import io.lazuli.server.blob.partition.BlobRecords;
import io.lazuli.server.catalog.StorageFailures;
import io.lazuli.server.error.CommonErrors;
import io.lazuli.server.error.Futures;
import io.lazuli.storage.Bytes;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.Partition;
import io.lazuli.storage.StorageEngine;
import io.lazuli.storage.Ticks;
import io.lazuli.storage.TransactionBody;
import io.lazuli.storage.Visit;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the indexes of the tags of blobs and of their previous versions. Every transaction on a
 * blob that can change its tags runs through {@link #transact}.
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
 * <p>The same holds for each previous version, with a stamp and rows of its own. A state that
 * becomes a version gets another stamp, because its rows are in another index. Only the transaction
 * knows which state that is. {@link IndexedBody} therefore ends it with {@link UnindexedTags} if
 * there are no rows, and it runs again after they were written. It may find another state then, and
 * end once more. Each time that happens, another write to the same blob has succeeded.
 *
 * <h2>Why no row is removed that is needed</h2>
 *
 * A row belongs to one write: it is inserted only if it does not exist. The write itself removes
 * its rows if the transaction was refused, and a later transaction removes them once it has given
 * the state another stamp. A stamp never returns to a state: {@link IndexedBody} accepts only the
 * stamp that the state had before, and those of prepared rows. A crash, or a commit of which nobody
 * knows whether it took place, leaves rows that nothing needs. Searches remove those that they
 * meet, if the stamp is so old that its write cannot be under way any more ({@link #isRemovable}).
 *
 * <p>Tags without a stamp are not in an index, nor are tags of a previous version whose stamp is
 * not that of a version. Servers without an index, or without an index of versions, wrote them. The
 * first round of the collector finds them.
 */
public final class TagIndex {
  private static final List<Bytes> TOUCH = List.of(BlobRows.PROPERTIES);

  /** A write of tags fails if it has not begun to change the blob after this time. */
  private static final Duration WRITE_TIME_MAX = Duration.ofMinutes(30);

  /**
   * Rows whose stamp is older may be removed. Leaves time for a commit, and for clocks to differ.
   */
  private static final Duration ROW_TIME_MIN = Duration.ofHours(1);

  /** How often a transaction runs at most while others change the blob between its runs. */
  private static final int ATTEMPTS_MAX = 100;

  /** The number of versions that one transaction stamps. */
  private static final int VERSIONS_PER_STEP = 100;

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
      return attempt(partition, deadline, body, List.of(), 1);
    }
    TaggedState given = new TaggedState(0, gives.givenTags()).indexed(newStamp());
    TransactionBody<R> stamped = gives.withTagStamp(given.tags().stamp());
    return add(partition, given, deadline)
        .thenComposeAsync(
            added -> attempt(partition, deadline, stamped, List.of(given), 1), workers);
  }

  /** Runs a transaction some of whose index rows are written. Removes them if it fails. */
  private <R> CompletableFuture<R> attempt(
      Partition partition,
      Deadline deadline,
      TransactionBody<R> body,
      List<TaggedState> prepared,
      int number) {
    boolean late = prepared.stream().anyMatch(rows -> isOlder(rows.rowStamp(), WRITE_TIME_MAX));
    CompletableFuture<R> done =
        late
            ? CompletableFuture.failedFuture(CommonErrors.OPERATION_TIMED_OUT.exception())
            : settled(partition, deadline, body, prepared);
    return done.exceptionallyCompose(
        failure -> {
          Throwable cause = Futures.cause(failure);
          if (cause instanceof UnindexedTags unindexed && number < ATTEMPTS_MAX) {
            List<TaggedState> all = new ArrayList<>(prepared);
            return prepare(partition, unindexed.states(), all, deadline)
                .thenComposeAsync(
                    added -> attempt(partition, deadline, body, all, number + 1), workers);
          }
          boolean unknown = StorageFailures.isUnknownOutcome(failure);
          CompletableFuture<R> failed =
              CompletableFuture.failedFuture(
                  cause instanceof UnindexedTags ? CommonErrors.SERVER_BUSY.exception() : cause);
          return unknown || prepared.isEmpty()
              ? failed
              : drop(partition, prepared, deadline).thenCompose(removed -> failed);
        });
  }

  /**
   * Writes the rows of states, one state after the other, and adds the states to {@code prepared}.
   * If that fails, removes the rows of all of them.
   */
  private CompletableFuture<@Nullable Void> prepare(
      Partition partition,
      List<TaggedState> states,
      List<TaggedState> prepared,
      Deadline deadline) {
    Iterator<TaggedState> left = states.iterator();
    return onWorkers(
            () ->
                Futures.repeat(
                    () -> {
                      if (!left.hasNext()) {
                        return CompletableFuture.completedFuture(false);
                      }
                      TaggedState rows = left.next().indexed(newStamp());
                      return add(partition, rows, deadline)
                          .thenApplyAsync(added -> prepared.add(rows), workers);
                    }))
        .exceptionallyCompose(
            failure ->
                drop(partition, prepared, deadline)
                    .thenCompose(
                        removed -> CompletableFuture.failedFuture(Futures.cause(failure))));
  }

  /** Gives the tags of a blob index rows and a stamp, unless they have changed in the meantime. */
  public CompletableFuture<Boolean> restamp(Partition partition, BlobTags tags, Deadline deadline) {
    return transact(partition, deadline, new StampBody(tags.stamped(0)));
  }

  /**
   * Gives the tags of previous versions index rows and a stamp, if a server without an index of
   * versions has left them. Reads all versions of the blob, some at a time.
   */
  public CompletableFuture<@Nullable Void> stampVersions(Partition partition, Deadline deadline) {
    BlobRecords records = new BlobRecords(engine, partition, deadline);
    Bytes[] from = {BlobRows.VERSIONS};
    return Futures.repeat(
        () -> {
          List<Bytes> unindexed = new ArrayList<>();
          return records
              .scan(
                  from[0],
                  BlobRows.VERSIONS_END,
                  record -> {
                    Bytes row = Bytes.of(record.row().copy());
                    from[0] = row.successor();
                    if (StampVersionsBody.isUnindexed(row, record.value().copy())) {
                      unindexed.add(row);
                    }
                    return unindexed.size() < VERSIONS_PER_STEP ? Visit.CONTINUE : Visit.STOP;
                  })
              .thenComposeAsync(
                  scanned ->
                      unindexed.isEmpty()
                          ? CompletableFuture.completedFuture(0)
                          : transact(partition, deadline, new StampVersionsBody(unindexed)),
                  workers)
              .thenApplyAsync(written -> unindexed.size() == VERSIONS_PER_STEP, workers);
        });
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
      Partition partition, Deadline deadline, TransactionBody<R> body, List<TaggedState> prepared) {
    return engine
        .transact(partition, TOUCH, deadline, new IndexedBody<>(body, prepared))
        .thenCompose(
            done ->
                done.dropped().isEmpty()
                    ? CompletableFuture.completedFuture(done.value())
                    : drop(partition, done.dropped(), deadline).thenApply(removed -> done.value()));
  }

  /** Begins work on another thread, because a thread of the engine must not call the engine. */
  private <T extends @Nullable Object> CompletableFuture<T> onWorkers(
      Supplier<CompletableFuture<T>> work) {
    return CompletableFuture.completedFuture(true).thenComposeAsync(begun -> work.get(), workers);
  }

  /** Writes the rows of a state: all of them, or none that stays. */
  private CompletableFuture<@Nullable Void> add(
      Partition partition, TaggedState state, Deadline deadline) {
    Bytes row = state.row(partition.name());
    Map<String, String> own = new ConcurrentHashMap<>();
    List<CompletableFuture<Boolean>> steps = new ArrayList<>();
    for (Map.Entry<String, String> tag : state.tags().values().entrySet()) {
      steps.add(
          engine
              .transact(of(partition, state, tag), List.of(row), deadline, new AddRowBody(row))
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
            failure -> {
              BlobTags added = new BlobTags(own, state.tags().stamp());
              return drop(partition, List.of(new TaggedState(state.version(), added)), deadline)
                  .thenCompose(removed -> CompletableFuture.failedFuture(Futures.cause(failure)));
            });
  }

  /**
   * Removes the rows of states, one state after the other, on another thread. Failures are ignored:
   * rows that are left do no harm.
   */
  private CompletableFuture<@Nullable Void> drop(
      Partition partition, List<TaggedState> states, Deadline deadline) {
    Iterator<TaggedState> left = states.iterator();
    return onWorkers(
        () ->
            Futures.repeat(
                () ->
                    left.hasNext()
                        ? drop(partition, left.next(), deadline).thenApply(removed -> true)
                        : CompletableFuture.completedFuture(false)));
  }

  private CompletableFuture<List<@Nullable Void>> drop(
      Partition partition, TaggedState state, Deadline deadline) {
    List<Bytes> row = List.of(state.row(partition.name()));
    List<CompletableFuture<@Nullable Void>> removed = new ArrayList<>();
    for (Map.Entry<String, String> tag : state.tags().values().entrySet()) {
      removed.add(remove(of(partition, state, tag), row, deadline));
    }
    return Futures.all(removed);
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

  private static Partition of(Partition blob, TaggedState state, Map.Entry<String, String> tag) {
    return new Partition(blob.space(), state.index().partition(tag.getKey(), tag.getValue()));
  }
}
