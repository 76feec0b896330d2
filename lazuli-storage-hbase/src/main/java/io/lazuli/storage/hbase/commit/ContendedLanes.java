package io.lazuli.storage.hbase.commit;

import io.lazuli.storage.Partition;
import java.util.ArrayDeque;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Queues the transactions of contended partitions behind each other, so that rivals are servers and
 * not threads of one server: waiting at random alone is slow and unfair. A partition gets a lane
 * when one of its transactions was refused, and loses it when nobody waits any more. Safe for any
 * number of threads.
 *
 * @param <T> an operation
 */
final class ContendedLanes<T> {
  private final Map<Partition, Queue<T>> lanes = new ConcurrentHashMap<>();

  /**
   * Puts an operation behind the others of its partition.
   *
   * @return false if the partition has no lane: the operation may begin
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
   * @return true if the caller owns it: it has to run what {@link #next} gives
   */
  boolean open(Partition partition) {
    return lanes.putIfAbsent(partition, new ArrayDeque<>()) == null;
  }

  /** What waits in the lane; null, and no lane any more, if nothing does. */
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
