package io.lazuli.server.queue.service;

import io.lazuli.server.queue.model.QueueMessage;
import io.lazuli.storage.Bytes;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.PartitionView;
import io.lazuli.storage.Space;
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

  private final QueueSearch search;
  private final QueueHints hints;
  private final QueueBatches batches;

  QueueSweep(QueueSearch search, QueueHints hints, QueueBatches batches) {
    this.search = search;
    this.hints = hints;
    this.batches = batches;
  }

  /**
   * Removes the first {@link #BATCH} expired messages.
   *
   * @return the number of messages found, once they are removed; fewer than a batch if there are no
   *     more
   */
  CompletableFuture<Integer> step(Space queue, Deadline deadline) {
    return search
        .expired(queue, BATCH, deadline)
        .thenCompose(found -> remove(queue, found, deadline));
  }

  private CompletableFuture<Integer> remove(
      Space queue, List<QueueScan.Found> found, Deadline deadline) {
    if (found.isEmpty()) {
      return CompletableFuture.completedFuture(0);
    }
    List<UUID> expired = found.stream().map(QueueScan.Found::id).toList();
    PartitionRules rules = hints.rules(hints.of(queue));
    List<Bytes> touch =
        expired.stream().flatMap(id -> rules.touchToRemove(id).stream()).distinct().toList();
    return batches
        .transact(queue, touch, deadline, view -> remove(view, rules, expired))
        .thenApply(
            removed -> {
              expired.forEach(hints.of(queue).window()::changed);
              return removed;
            });
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

  private static int remove(PartitionView view, PartitionRules rules, List<UUID> expired) {
    long now = rules.clock().getAsLong();
    QueuePartition queue = new QueuePartition(view, rules);
    for (UUID id : expired) {
      QueueMessage message = queue.find(id);
      if (message != null && message.isExpired(now)) {
        queue.remove(message);
      }
    }
    return expired.size();
  }
}
