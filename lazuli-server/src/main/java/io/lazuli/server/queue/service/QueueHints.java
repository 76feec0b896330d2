package io.lazuli.server.queue.service;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.lazuli.server.queue.encoding.QueueRows;
import io.lazuli.server.queue.model.QueueMessage;
import io.lazuli.storage.Bytes;
import io.lazuli.storage.Space;
import io.lazuli.storage.Ticks;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Remembers where searches begin in the queues that were used last. A queue that is not remembered
 * is searched from its beginning once.
 *
 * <p>Servers that share their data do not learn of each other's writes. In that case the remembered
 * position stays at least two minutes in the past, and a search that finds nothing is repeated from
 * the beginning, at most once a second.
 */
final class QueueHints {
  private static final int QUEUES_MAX = 10_000;

  /**
   * The time by which hints stay behind the clock: more than the clocks of servers that share data
   * can differ.
   */
  private static final long CLOCK_SKEW_TICKS = 120 * Ticks.PER_SECOND;

  private static final long FULL_SEARCH_TICKS = Ticks.PER_SECOND;

  /** The hints for one queue. Mutable, thread-safe. */
  static final class Hint {
    private final LowestLive visible = new LowestLive(QueueRows.FIRST_VISIBLE);
    private final LowestLive expiring = new LowestLive(QueueRows.FIRST_EXPIRING);
    private final AtomicLong sweptAt = new AtomicLong();
    private final AtomicLong searchedAt = new AtomicLong();

    LowestLive visible() {
      return visible;
    }

    LowestLive expiring() {
      return expiring;
    }

    /** Returns true for the first caller in each interval. */
    boolean isSweepDue(long now, long intervalTicks) {
      return isDue(sweptAt, now, intervalTicks);
    }

    private static boolean isDue(AtomicLong lastTime, long now, long intervalTicks) {
      long last = lastTime.get();
      return now - last >= intervalTicks && lastTime.compareAndSet(last, now);
    }
  }

  private final boolean shared;
  private final Cache<Long, Hint> hints = Caffeine.newBuilder().maximumSize(QUEUES_MAX).build();

  /**
   * @param shared true if other servers write to the same queues
   */
  QueueHints(boolean shared) {
    this.shared = shared;
  }

  /** Returns true if a search that found nothing must be repeated from the beginning. */
  boolean isFullSearchDue(Hint hint, long now) {
    return shared && Hint.isDue(hint.searchedAt, now, FULL_SEARCH_TICKS);
  }

  /**
   * Returns the time up to which a search that finds no row proves that there is none. Another
   * server with a slow clock may still write later rows.
   */
  long knownUntil(long now) {
    return shared ? now - CLOCK_SKEW_TICKS : now;
  }

  Hint of(Space queue) {
    return hints.get(queue.number(), missing -> new Hint());
  }

  /** Reports a message that was put or moved. Must be called before the write is acknowledged. */
  void written(Space queue, QueueMessage message) {
    Hint hint = hints.getIfPresent(queue.number());
    if (hint != null) {
      Bytes expiring = QueueRows.expiring(message);
      hint.visible.written(QueueRows.visible(message));
      hint.expiring.written(expiring);
    }
  }

  /** Forgets the hints of a queue, after a write with an unknown outcome. */
  void forget(Space queue) {
    hints.invalidate(queue.number());
  }
}
