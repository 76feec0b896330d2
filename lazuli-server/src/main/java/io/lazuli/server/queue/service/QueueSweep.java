package io.lazuli.server.queue.service;

import io.lazuli.server.queue.encoding.QueueRows;
import io.lazuli.server.queue.model.QueueMessage;
import io.lazuli.storage.Bytes;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.PartitionView;
import io.lazuli.storage.Space;
import io.lazuli.storage.StorageEngine;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

/**
 * Removes expired messages, a bounded number at a time. No operation has to wait for the removal,
 * because all operations ignore expired messages.
 */
final class QueueSweep {
  /** The number of messages that one transaction removes. */
  static final int BATCH = 64;

  private final StorageEngine engine;
  private final QueueScan scan;
  private final QueueHints hints;

  QueueSweep(StorageEngine engine, QueueScan scan, QueueHints hints) {
    this.engine = engine;
    this.scan = scan;
    this.hints = hints;
  }

  /**
   * Removes the first {@link #BATCH} expired messages.
   *
   * @return the number of messages found, once they are removed; fewer than a batch if there are no
   *     more
   */
  CompletableFuture<Integer> step(Space queue, Deadline deadline) {
    long now = engine.now();
    Bytes end = QueueRows.expiringEnd(now);
    Bytes known = QueueRows.expiringEnd(hints.knownUntil(now));
    LowestLive expiring = hints.of(queue).expiring();
    return scan.search(queue, expiring, end, known, BATCH, deadline)
        .thenCompose(found -> remove(queue, found, deadline));
  }

  private CompletableFuture<Integer> remove(
      Space queue, List<QueueScan.Found> found, Deadline deadline) {
    if (found.isEmpty()) {
      return CompletableFuture.completedFuture(0);
    }
    List<UUID> expired = found.stream().map(QueueScan.Found::id).toList();
    return engine.transact(
        QueueRows.partition(queue),
        expired.stream().map(QueueRows::message).toList(),
        deadline,
        view -> remove(view, expired));
  }

  /**
   * Begins to remove a batch, and does not wait for the result. After a failure, a later call
   * removes the same messages.
   */
  void begin(Space queue, Deadline deadline) {
    CompletableFuture<Integer> unused = step(queue, deadline);
  }

  /**
   * Removes batches one after another, until there are no more expired messages or the maximum is
   * reached.
   */
  CompletableFuture<Integer> steps(Space queue, int stepsMax, Deadline deadline) {
    return step(queue, deadline)
        .thenCompose(
            found ->
                found < BATCH || stepsMax == 1
                    ? CompletableFuture.completedFuture(found)
                    // Not on the engine's thread, because a step reads.
                    : CompletableFuture.completedFuture(stepsMax - 1)
                        .thenComposeAsync(left -> steps(queue, left, deadline)));
  }

  private int remove(PartitionView view, List<UUID> expired) {
    long now = engine.now();
    for (UUID id : expired) {
      QueueMessage message = QueuePartition.find(view, id);
      if (message != null && message.isExpired(now)) {
        QueuePartition.remove(view, message);
      }
    }
    return expired.size();
  }
}
