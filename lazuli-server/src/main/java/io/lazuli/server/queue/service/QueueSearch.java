package io.lazuli.server.queue.service;

import io.lazuli.server.queue.encoding.Fence;
import io.lazuli.server.queue.encoding.QueueRows;
import io.lazuli.storage.Bytes;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.Space;
import io.lazuli.storage.StorageEngine;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Finds the first messages of a queue that are visible or have expired. Searches begin at the
 * low-water marks and raise them ({@link QueueHints}).
 */
final class QueueSearch {
  private final StorageEngine engine;
  private final QueueScan scan;
  private final QueueHints hints;

  QueueSearch(StorageEngine engine, QueueScan scan, QueueHints hints) {
    this.engine = engine;
    this.scan = scan;
    this.hints = hints;
  }

  CompletableFuture<List<QueueScan.Found>> visible(Space queue, int max, Deadline deadline) {
    QueueHints.Hint hint = hints.of(queue);
    return fence(queue, hint, deadline)
        .thenCompose(
            fence -> {
              Bytes end = QueueRows.visibleEnd(now(fence));
              Bytes known = QueueRows.visibleFrom(knownUntil(fence));
              return scan.search(queue, hint.visible(), end, known, max, deadline);
            });
  }

  CompletableFuture<List<QueueScan.Found>> expired(Space queue, int max, Deadline deadline) {
    QueueHints.Hint hint = hints.of(queue);
    return fence(queue, hint, deadline)
        .thenCompose(
            fence -> {
              Bytes end = QueueRows.expiringEnd(now(fence));
              Bytes known = QueueRows.expiringFrom(knownUntil(fence));
              return scan.search(queue, hint.expiring(), end, known, max, deadline);
            });
  }

  /** Returns the time of the fence, which may be too low; 0 if the queue is not shared. */
  private CompletableFuture<Long> fence(Space queue, QueueHints.Hint hint, Deadline deadline) {
    long now = engine.now();
    if (!hints.areShared() || !hint.isFenceOld(now)) {
      return CompletableFuture.completedFuture(hint.fence());
    }
    return engine
        .read(QueueRows.partition(queue).row(QueueRows.FENCE), deadline)
        .thenApply(
            value -> {
              hint.learn(value == null ? Fence.NONE : Fence.decode(value), now);
              return hint.fence();
            });
  }

  /** Returns the time of the queue. */
  private long now(long fence) {
    return Math.max(engine.now(), fence);
  }

  /** Returns the time below which no row will be written after this moment. */
  private long knownUntil(long fence) {
    return hints.areShared() ? fence : engine.now() + 1;
  }
}
