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
 * fails with {@link StorageException.Kind#SPACE_GONE}. In catalogue partitions rows that begin with
 * a zero byte are the engine's own; no view and no scan shows them, and a body may not write them.
 */
public interface StorageEngine extends AutoCloseable {
  /**
   * Runs the body on its partition, atomically. The future completes once what was written is
   * durable, on a thread of the engine: do little there. It ends with the body's result; or with a
   * failure and nothing written; or with {@link StorageException.Kind#UNKNOWN_OUTCOME}. Failures
   * reach the caller through the future only, as they are, not wrapped.
   *
   * @param touch rows that the body will read, if known: the calling thread reads them once, so
   *     that the body need not wait for the disk. This is the only part that blocks.
   */
  <R> CompletableFuture<R> transact(
      Partition partition, List<Bytes> touch, Deadline deadline, TransactionBody<R> body);

  /**
   * Reads one record; blocks.
   *
   * @return the value, which the caller owns; null if the record is not there
   */
  byte @Nullable [] read(RecordKey key, Deadline deadline);

  /**
   * Shows the records of the ranges, in order; blocks. If all ranges lie in one partition, the
   * first 1,000 records or 4 MiB are seen as of one moment, not before the scan began. Beyond that,
   * and across partitions: in order, each record committed, none skipped that was there throughout,
   * none twice.
   *
   * @param ranges sorted and disjoint; visited from the last to the first when going backward
   */
  void scan(
      Space space,
      List<KeyRange> ranges,
      Direction direction,
      Deadline deadline,
      RecordVisitor visitor);

  /** A number for a space, never given before; blocks now and then. */
  long newSpace(SpaceKind kind);

  /** The engine's time in ticks (100 ns since 1601-01-01 UTC); never goes back. */
  long now();

  /** Where bytes that are too large for records are kept; closed with the engine. */
  ChunkStore chunks();

  /** True if other servers may read and change the same data at the same time. */
  default boolean isShared() {
    return false;
  }

  EngineState state();

  /** How the partitions are spread over machines; empty if one machine has them all. Blocks. */
  default Optional<PartitionMap> partitionMap() {
    return Optional.empty();
  }

  /** Ends what is queued, then closes. Calls that come later fail with {@code CLOSED}. */
  @Override
  void close();
}
