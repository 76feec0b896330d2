package io.lazuli.server.queue.service;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.lazuli.server.queue.encoding.Fence;
import io.lazuli.server.queue.encoding.QueueRows;
import io.lazuli.server.queue.model.QueueMessage;
import io.lazuli.storage.Space;
import io.lazuli.storage.StorageEngine;
import io.lazuli.storage.Ticks;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Remembers where searches begin in the queues that were used last. A queue that is not remembered
 * is searched from its beginning once.
 *
 * <h2>Servers that share a queue</h2>
 *
 * Servers do not learn of each other's writes. A server that has found nothing below some time may
 * begin its next search there only if nothing will be written below that time. The clocks of the
 * servers cannot promise that: they differ, and a server may be paused between the moment when it
 * reads its clock and the moment when its transaction is committed. So each shared queue has a row
 * with a {@link Fence}, and two rules.
 *
 * <p><b>Whoever writes</b> a row at which a message becomes visible or expires reads the fence by
 * its key in the same transaction, and writes no row below the fence's time: the time of the queue
 * is the server's clock or the fence, whichever is later ({@link QueuePartition}). Transactions
 * commit only if what they read by key is unchanged. So once a fence is committed, no row below it
 * is written, however late, from a clock however slow, or by a request that is sent again because
 * its answer was lost.
 *
 * <p><b>Whoever searches</b> raises its low-water mark at most to the fence that it knew
 * <em>before</em> the search began. All rows below that fence were committed before the search. So
 * the search has shown those that were left, and there will be no others: the mark passes over
 * nothing.
 *
 * <p>A get that hands out a message raises the fence, to a little before the time of its clock and
 * not often ({@link ClaimBody}), because each raise makes other servers repeat what they have under
 * way. It needs no call of its own. The row also has the low-water marks that the server knew, so
 * that a server that has just started does not pass over everything that was ever removed. A mark
 * stays true for ever, because it is never above the fence.
 *
 * <p>A server learns the fence from its own transactions. One that only searches reads the row
 * again when what it knows is half a second old. If it knows a lower fence, or none, its searches
 * begin earlier than necessary, which costs time and nothing else. <i>Clear</i> gives a queue a new
 * space without a fence. A backup has fence and messages of one moment. A server whose clock is
 * ahead raises the fence too far; the others then use that time, so messages do not wait for their
 * clocks, but timeouts that began before end early, by as much as the clock is ahead.
 */
final class QueueHints {
  private static final int QUEUES_MAX = 10_000;

  /** A shared queue that is not used for this time is forgotten. */
  private static final Duration IDLE_MAX = Duration.ofMinutes(5);

  /** What a server knows of the fence is read again after this time. */
  private static final long LEARNED_TICKS = Ticks.PER_SECOND / 2;

  /** The hints for one queue. Mutable, thread-safe. */
  static final class Hint {
    private final LowestLive visible = new LowestLive(QueueRows.FIRST_VISIBLE);
    private final LowestLive expiring = new LowestLive(QueueRows.FIRST_EXPIRING);
    private final AtomicLong sweptAt = new AtomicLong();
    private final QueueWindow window = new QueueWindow(new SplittableRandom());
    private final AtomicLong fence = new AtomicLong();
    private volatile long learnedAt = Long.MIN_VALUE / 2;
    private volatile int counter = ThreadLocalRandom.current().nextInt(QueueRows.COUNTERS);

    LowestLive visible() {
      return visible;
    }

    LowestLive expiring() {
      return expiring;
    }

    QueueWindow window() {
      return window;
    }

    /** Returns the highest time of the fence that this server knows. */
    long fence() {
      return fence.get();
    }

    /** Takes over a fence that was read or written in a transaction, or read outside of one. */
    void learn(Fence known, long now) {
      visible.raise(QueueRows.visibleFrom(known.visibleFrom()));
      expiring.raise(QueueRows.expiringFrom(known.expiringFrom()));
      fence.accumulateAndGet(known.time(), Math::max);
      learnedAt = now;
    }

    boolean isFenceOld(long now) {
      return Math.abs(now - learnedAt) >= LEARNED_TICKS;
    }

    /** Returns the low-water marks of this server, for the fence. */
    Fence marks() {
      return new Fence(0, QueueRows.time(visible.position()), QueueRows.time(expiring.position()));
    }

    /** Chooses another count for this server, because another server may use the same. */
    void chooseCounter() {
      counter = ThreadLocalRandom.current().nextInt(QueueRows.COUNTERS);
    }

    /** Returns true for the first caller in each interval. */
    boolean isSweepDue(long now, long intervalTicks) {
      long last = sweptAt.get();
      return now - last >= intervalTicks && sweptAt.compareAndSet(last, now);
    }
  }

  private final StorageEngine engine;
  private final boolean shared;
  private final PartitionRules local;
  private final Cache<Long, Hint> hints;

  QueueHints(StorageEngine engine) {
    this.engine = engine;
    this.shared = engine.isShared();
    this.local = new PartitionRules(engine::now, false, 0);
    Caffeine<Object, Object> cache = Caffeine.newBuilder().maximumSize(QUEUES_MAX);
    // The windows of many idle queues would take much memory. The fence has what is worth keeping.
    this.hints = (shared ? cache.expireAfterAccess(IDLE_MAX) : cache).build();
  }

  boolean areShared() {
    return shared;
  }

  /** Returns how transactions of this server work on a queue. */
  PartitionRules rules(Space queue) {
    return shared ? rules(of(queue)) : local;
  }

  PartitionRules rules(Hint hint) {
    return shared ? new PartitionRules(engine::now, true, hint.counter) : local;
  }

  Hint of(Space queue) {
    return hints.get(queue.number(), missing -> new Hint());
  }

  /** Reports a message that was put or moved. Must be called before the write is acknowledged. */
  void written(Space queue, QueueMessage message) {
    Hint hint = hints.getIfPresent(queue.number());
    if (hint != null) {
      hint.visible.written(QueueRows.visible(message));
      hint.expiring.written(QueueRows.expiring(message));
    }
  }

  /** Forgets the hints of a queue, after a write with an unknown outcome. */
  void forget(Space queue) {
    hints.invalidate(queue.number());
  }
}
