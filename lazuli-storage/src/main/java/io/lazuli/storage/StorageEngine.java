package io.lazuli.storage;

import io.lazuli.storage.metrics.MetricVisitor;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A store of ordered records. Its unit of atomicity is the {@link Partition}. All methods may be
 * called from any thread.
 *
 * <p>Calls that need stored data return futures:
 *
 * <ul>
 *   <li>An engine whose data is local does the work on the calling thread, which may wait for the
 *       disk, and returns a completed future. The caller then continues on the same thread.
 *   <li>A remote engine never blocks the caller. It completes the future on a thread of its own
 *       that is not a network thread. Code that runs on completion may use the CPU there, but must
 *       not wait.
 *   <li>Every failure reaches the caller through the future, without a wrapper, and no call throws.
 *       This includes arguments that the call refuses, and whatever a visitor or a body throws.
 * </ul>
 *
 * <p>Every transaction, read and scan on a space whose drop, or the drop of whose gate, was
 * acknowledged before the call began fails with {@link StorageException.Kind#SPACE_GONE}. In
 * catalogue partitions, rows that begin with a zero byte belong to the engine: no view and no scan
 * shows them, and a body may not write them.
 */
public interface StorageEngine extends AutoCloseable {
  /**
   * Runs the body on its partition, atomically. The future completes when the changes are durable,
   * on a thread of the engine. On a local engine all transactions wait for this thread: code that
   * runs on completion must do little work there, and must not call the engine. The future ends
   * with the body's result, with a failure that means nothing was written, or with {@link
   * StorageException.Kind#UNKNOWN_OUTCOME}.
   *
   * @param touch the rows that the body will read, as far as they are known. The engine reads them
   *     first, so that the body does not wait for them. A local engine reads them on the calling
   *     thread.
   */
  <R> CompletableFuture<R> transact(
      Partition partition, List<Bytes> touch, Deadline deadline, TransactionBody<R> body);

  /**
   * Reads one record.
   *
   * @return the value, which the caller owns; null if there is no such record
   */
  CompletableFuture<byte @Nullable []> read(RecordKey key, Deadline deadline);

  /**
   * Shows the records of the ranges in order, and damage to a {@link DamageVisitor}. If all ranges
   * lie in one partition, the first 1,000 records or 4 MiB are a snapshot of one moment after the
   * scan began. Beyond that, and across partitions, the scan shows only committed records, skips
   * none that existed throughout, and shows none twice.
   *
   * @param ranges sorted and disjoint; a backward scan visits them from the last to the first
   * @param visitor is called by one thread at a time, which may not be the calling thread. Each
   *     call sees the effects of the one before, and code that runs on completion sees the effects
   *     of all of them. If a call throws, the scan ends and the future fails with the exception.
   * @return a future that completes after the last call of the visitor
   */
  CompletableFuture<@Nullable Void> scan(
      Space space,
      List<KeyRange> ranges,
      Direction direction,
      Deadline deadline,
      RecordVisitor visitor);

  /**
   * Returns whether a space exists: false if its drop, or that of its gate, was acknowledged before
   * the call began. Reads nothing of the space, and a shared engine makes no call for most answers.
   * So a server may keep what it has read if every change of that drops a space which stands for
   * it.
   */
  CompletableFuture<Boolean> exists(Space space, Deadline deadline);

  /**
   * Returns the number of the first space above a number that has records, whether it was dropped
   * or not; -1 if there is none, or if the engine cannot list spaces. The chunks of an engine can
   * be a space.
   */
  default CompletableFuture<Long> spaceAfter(long number, Deadline deadline) {
    return CompletableFuture.completedFuture(-1L);
  }

  /** Returns a number for a new space that was never used before. */
  CompletableFuture<Long> newSpace(SpaceKind kind, Deadline deadline);

  /** Returns the engine's time in ticks (100 ns since 1601-01-01 UTC), which never goes back. */
  long now();

  /**
   * Returns the time in ticks as the machine's clock shows it: never after {@link #now}, but it
   * goes back when the clock is set back. For decisions that must not outlive a wrong clock, such
   * as whether something may be removed. An engine that checks its clock against others has only
   * one time.
   */
  default long clock() {
    return now();
  }

  /** Returns the store for bytes that are too large for records. It is closed with the engine. */
  ChunkStore chunks();

  /** Returns the files of the engine, for checks. */
  default StoredFiles files() {
    return StoredFiles.NONE;
  }

  /** Returns true if other servers may read and change the same data at the same time. */
  default boolean isShared() {
    return false;
  }

  /**
   * Returns the format of the store. Nothing may be written that a version which reads only formats
   * up to this one cannot read. It never falls, and rises while the engine is open if the store is
   * shared: once every server that uses the store can read a newer one. A record of an older format
   * may still be written by another server then.
   */
  default int format() {
    return DataFormat.newest();
  }

  /**
   * Returns the state of the engine: whether it accepts writes, and whether it has other faults.
   */
  EngineState state();

  /**
   * Gives the engine the names of spaces, for its log and its partition map. An engine that shows
   * neither ignores them.
   */
  default void nameSpaces(SpaceNames names) {}

  /**
   * Returns how the partitions are distributed over machines; empty if one machine has all of them.
   */
  default CompletableFuture<Optional<PartitionMap>> partitionMap() {
    return CompletableFuture.completedFuture(Optional.empty());
  }

  /**
   * Makes the next step towards ranges that begin with each of the partitions, and that are spread
   * over the machines. A caller repeats the call until nothing waits. A call takes seconds, at most
   * about a minute; it is made for operators only.
   *
   * @param at partitions of one space, not empty
   * @return empty if one machine has all partitions
   */
  default CompletableFuture<Optional<RangeSplit>> splitRanges(List<Partition> at) {
    return CompletableFuture.completedFuture(Optional.empty());
  }

  /**
   * Shows what the engine counts and holds. Reads no stored data, but may block for a short time,
   * so it is called when somebody asks for metrics and never during a request. Shows nothing once
   * the engine is closed.
   */
  default void metrics(MetricVisitor visitor) {}

  /**
   * Makes a cut, for a backup. There is one at a time. Writers continue, but the call may take
   * seconds, so it is never made during a request.
   *
   * @return null if the engine cannot make cuts
   * @throws StorageException if a cut is open, or the engine is closed
   */
  default @Nullable StoreCut cut() throws IOException {
    return null;
  }

  /**
   * Returns the changes for an archive; null if the engine cannot keep them, or is not configured
   * to.
   */
  default @Nullable ChangeLog changes() {
    return null;
  }

  /** Finishes the queued transactions, then closes. Later calls fail with {@code CLOSED}. */
  @Override
  void close();
}
