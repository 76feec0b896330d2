package io.lazuli.storage.hbase.commit;

import io.lazuli.storage.Partition;
import java.util.ArrayDeque;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Queues the transactions of contended partitions. Only servers then compete for such a partition,
 * not the threads of one server; random waits alone would be slow and unfair. The queue of a
 * partition is its lane. It is opened when a commit is refused, and removed when no transaction is
 * waiting. Safe for any number of threads.
 *
 * @param <T> an operation
 */
final class ContendedLanes<T> {
  private final Map<Partition, Queue<T>> lanes = new ConcurrentHashMap<>();

  /**
   * Appends an operation to the lane of its partition.
   *
   * @return false if the partition has no lane; the operation may then start immediately
   */
  boolean queue(Partition partition, T operation) {
    return lanes.computeIfPresent(
            partition,
            (key, lane) -> {
              lane.add(operation);
              return lane;
            })
        != null;
  }

  /**
   * Opens a lane for a partition.
   *
   * @return true if the caller now owns the lane and has to run the operations of {@link #next}
   */
  boolean open(Partition partition) {
    return lanes.putIfAbsent(partition, new ArrayDeque<>()) == null;
  }

  /**
   * Returns the next operation of the lane. If there is none, removes the lane and returns null.
   */
  @Nullable T next(Partition partition) {
    Queue<T> taken = new ArrayDeque<>(1);
    lanes.computeIfPresent(
        partition,
        (key, lane) -> {
          T first = lane.poll();
          if (first == null) {
            return null;
          }
          taken.add(first);
          return lane;
        });
    return taken.poll();
  }
}
