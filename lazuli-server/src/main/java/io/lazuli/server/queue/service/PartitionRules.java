package io.lazuli.server.queue.service;

import io.lazuli.server.queue.encoding.QueueRows;
import io.lazuli.storage.Bytes;
import java.util.List;
import java.util.UUID;
import java.util.function.LongSupplier;

/**
 * How transactions of this server work on the partition of a queue.
 *
 * @param clock the engine's time, read when a transaction runs, so that waiting does not shorten a
 *     visibility timeout
 * @param shared true if other servers write to the same queue; its transactions then obey the fence
 * @param number the count that this server changes in a shared queue
 */
record PartitionRules(LongSupplier clock, boolean shared, int number) {
  /**
   * Returns the row of the count that a message changes. Only the sum of the counts matters. In a
   * shared queue each server has its own, so that the transactions of two servers rarely conflict
   * and those that run together change one row. Otherwise the id of the message selects the row.
   */
  Bytes counter(UUID id) {
    return shared ? QueueRows.counter(number) : QueueRows.counter(id);
  }

  /** Returns the rows that a transaction reads to put a message. */
  List<Bytes> touchToPut(UUID id) {
    return shared ? List.of(counter(id), QueueRows.FENCE) : List.of(counter(id));
  }

  /**
   * Returns the rows that a transaction reads to change the time when a message becomes visible.
   */
  List<Bytes> touchToMove(UUID id) {
    Bytes message = QueueRows.message(id);
    return shared ? List.of(message, QueueRows.FENCE) : List.of(message);
  }

  /** Returns the rows that a transaction reads to remove a message. */
  List<Bytes> touchToRemove(UUID id) {
    Bytes message = QueueRows.message(id);
    return shared ? List.of(message, counter(id)) : List.of(message);
  }
}
