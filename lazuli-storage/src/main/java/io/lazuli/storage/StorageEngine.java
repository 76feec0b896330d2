package io.lazuli.storage;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A store of ordered records. Its unit of atomicity is the {@link Partition}. All methods may be
 * called from any thread; those that block say so.
 *
 * <p>Every transaction, read and scan on a space whose drop was acknowledged before the call began
 * fails with {@link StorageException.Kind#SPACE_GONE}. In catalogue partitions, rows that begin
 * with a zero byte belong to the engine: no view and no scan shows them, and a body may not write
 * them.
 */
public interface StorageEngine extends AutoCloseable {
  /**
   * Runs the body on its partition, atomically. The future completes when the changes are durable,
   * on a thread of the engine, so code that runs on completion must do little work there. The
   * future ends with the body's result, with a failure that means nothing was written, or with
   * {@link StorageException.Kind#UNKNOWN_OUTCOME}. Failures reach the caller only through the
   * future, and are not wrapped.
   *
   * @param touch the rows that the body will read, as far as they are known. The calling thread
   *     reads them first, so that the body does not wait for the disk. Only this part blocks.
   */
  <R> CompletableFuture<R> transact(
      Partition partition, List<Bytes> touch, Deadline deadline, TransactionBody<R> body);

  /**
   * Reads one record; blocks.
   *
   * @return the value, which the caller owns; null if there is no such record
   */
  byte @Nullable [] read(RecordKey key, Deadline deadline);

  /**
   * Shows the records of the ranges in order; blocks. If all ranges lie in one partition, the first
   * 1,000 records or 4 MiB are a snapshot of one moment after the scan began. Beyond that, and
   * across partitions, the scan shows only committed records, skips none that existed throughout,
   * and shows none twice.
   *
   * @param ranges sorted and disjoint; a backward scan visits them from the last to the first
   */
  void scan(
      Space space,
      List<KeyRange> ranges,
      Direction direction,
      Deadline deadline,
      RecordVisitor visitor);

  /** Returns a number for a new space that was never used before; blocks occasionally. */
  long newSpace(SpaceKind kind);

  /** Returns the engine's time in ticks (100 ns since 1601-01-01 UTC), which never goes back. */
  long now();

  /** Returns the store for bytes that are too large for records. It is closed with the engine. */
  ChunkStore chunks();

  /** Returns true if other servers may read and change the same data at the same time. */
  default boolean isShared() {
    return false;
  }

  /**
   * Returns the state of the engine: whether it accepts writes, and whether it has other faults.
   */
  EngineState state();

  /**
   * Returns how the partitions are distributed over machines; empty if one machine has all of them.
   * Blocks.
   */
  default Optional<PartitionMap> partitionMap() {
    return Optional.empty();
  }

  /** Finishes the queued transactions, then closes. Later calls fail with {@code CLOSED}. */
  @Override
  void close();
}
