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
 * partition is opened when a commit is refused, and removed when no transaction is waiting.
 * Thread-safe.
 *
 * @param <T> an operation
 */
final class ContendedQueues<T> {
  /** The answer to an operation that wants to start. */
  enum Place {
    /** The partition has no queue: the operation starts now. */
    NONE,
    /** The operation waits in the queue of its partition. */
    QUEUED,
    /** Too many operations wait for the partition. */
    FULL
  }

  /**
   * The length of a queue. Much less than all transactions that may wait, so that one partition
   * cannot stop the others.
   */
  static final int QUEUED_MAX = 1_024;

  private final Map<Partition, Queue<T>> queues = new ConcurrentHashMap<>();

  /** Appends an operation to the queue of its partition, if there is one. */
  Place add(Partition partition, T operation) {
    Place[] place = {Place.NONE};
    queues.computeIfPresent(
        partition,
        (key, queue) -> {
          place[0] = queue.size() < QUEUED_MAX ? Place.QUEUED : Place.FULL;
          if (place[0] == Place.QUEUED) {
            queue.add(operation);
          }
          return queue;
        });
    return place[0];
  }

  /**
   * Opens the queue of a partition.
   *
   * @return true if the caller now owns the queue and has to run the operations of {@link #next}
   */
  boolean open(Partition partition) {
    return queues.putIfAbsent(partition, new ArrayDeque<>()) == null;
  }

  /**
   * Returns the next operation of the queue. If there is none, removes the queue and returns null.
   */
  @Nullable T next(Partition partition) {
    Queue<T> taken = new ArrayDeque<>(1);
    queues.computeIfPresent(
        partition,
        (key, queue) -> {
          T first = queue.poll();
          if (first == null) {
            return null;
          }
          taken.add(first);
          return queue;
        });
    return taken.poll();
  }
}
