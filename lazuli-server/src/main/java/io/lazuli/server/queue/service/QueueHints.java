package io.lazuli.server.queue.service;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.lazuli.server.queue.encoding.QueueRows;
import io.lazuli.server.queue.model.QueueMessage;
import io.lazuli.storage.Bytes;
import io.lazuli.storage.Space;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Where to begin to look in each queue, for as many queues as were used last. A queue that is not
 * remembered is searched from its beginning, once. Right for one server on its data; several
 * servers do not hear of each other's writes.
 */
final class QueueHints {
  private static final int QUEUES_MAX = 10_000;

  /** What is remembered of one queue. Mutable, safe for any thread. */
  static final class Hint {
    private final LowestLive visible = new LowestLive(QueueRows.FIRST_VISIBLE);
    private final LowestLive expiring = new LowestLive(QueueRows.FIRST_EXPIRING);
    private final AtomicLong sweptAt = new AtomicLong();

    LowestLive visible() {
      return visible;
    }

    LowestLive expiring() {
      return expiring;
    }

    /** True for the first caller in each interval. */
    boolean isSweepDue(long now, long intervalTicks) {
      long last = sweptAt.get();
      return now - last >= intervalTicks && sweptAt.compareAndSet(last, now);
    }
  }

  private final Cache<Long, Hint> hints = Caffeine.newBuilder().maximumSize(QUEUES_MAX).build();

  Hint of(Space queue) {
    return hints.get(queue.number(), missing -> new Hint());
  }

  /** A message was put or has moved; comes before the write is acknowledged. */
  void written(Space queue, QueueMessage message) {
    Hint hint = hints.getIfPresent(queue.number());
    if (hint != null) {
      Bytes expiring = QueueRows.expiring(message);
      hint.visible.written(QueueRows.visible(message));
      hint.expiring.written(expiring);
    }
  }

  /** Something may have been written, and nobody knows what. */
  void forget(Space queue) {
    hints.invalidate(queue.number());
  }
}
