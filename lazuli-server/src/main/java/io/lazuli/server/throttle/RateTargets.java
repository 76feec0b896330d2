package io.lazuli.server.throttle;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.lazuli.server.error.ServiceError;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

/**
 * A rate limit that applies separately to each of many keys: accounts, partitions or queues.
 * Operations beyond it are refused with 503 and the number of seconds to wait. Thread-safe; without
 * a target it costs one comparison.
 *
 * <p>Each key has a bucket that holds one second's operations. It is stored as one number: the time
 * up to which the key's operations are paid for. Each operation advances this time by its share of
 * a second, and the time may be at most one second ahead of now. A full bucket admits even a
 * transaction that is larger than the bucket, which leaves a debt. Operations that are counted only
 * after they took place leave a debt too. A debt is limited to half a minute, so a key that was
 * idle for longer can be forgotten without loss.
 *
 * @param <K> the type of the keys; compared by equals
 */
public final class RateTargets<K> {
  /** The detail of a refusal that holds the number of seconds to wait. */
  public static final String RETRY_AFTER_SECONDS = "retryAfterSeconds";

  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
  private static final long DEBT_MAX = 30 * SECOND;
  private static final Duration FORGOTTEN_AFTER = Duration.ofMinutes(1);

  private final int perSecond;
  private final ServiceError refusal;
  private final LongSupplier nanoTime;
  private final Cache<K, AtomicLong> paidUntil;
  private final LongAdder refused = new LongAdder();

  /**
   * Creates the same target for every key.
   *
   * @param perSecond the operations per second; 0 for no target
   * @param keysMax the maximum number of keys in memory; a key that was evicted starts with a full
   *     bucket
   * @param nanoTime a clock like {@link System#nanoTime}
   */
  public RateTargets(int perSecond, int keysMax, ServiceError refusal, LongSupplier nanoTime) {
    this.perSecond = perSecond;
    this.refusal = refusal;
    this.nanoTime = nanoTime;
    this.paidUntil =
        Caffeine.newBuilder()
            .maximumSize(keysMax)
            .expireAfterAccess(FORGOTTEN_AFTER)
            .ticker(nanoTime::getAsLong)
            .executor(Runnable::run)
            .build();
  }

  /** Returns false if there is no target, so that callers need not create a key. */
  public boolean isOn() {
    return perSecond > 0;
  }

  /**
   * Counts operations of a key. If they exceed the target, counts nothing and throws the refusal.
   */
  public void charge(K key, int operations) {
    if (!isOn()) {
      return;
    }
    long now = nanoTime.getAsLong();
    AtomicLong paid = bucket(key, now);
    long held = paid.get();
    while (waitNanos(held, operations, now) <= 0
        && !paid.compareAndSet(held, after(held, operations, now))) {
      held = paid.get();
    }
    long wait = waitNanos(held, operations, now);
    if (wait > 0) {
      refused.increment();
      long seconds = (wait + SECOND - 1) / SECOND;
      throw refusal.exception().with(RETRY_AFTER_SECONDS, Long.toString(seconds));
    }
  }

  /** Counts operations that already took place. */
  public void spend(K key, int operations) {
    if (isOn() && operations > 0) {
      long now = nanoTime.getAsLong();
      bucket(key, now).updateAndGet(held -> after(held, operations, now));
    }
  }

  /** Returns how often the target refused operations since the start. */
  public long refused() {
    return refused.sum();
  }

  /** Returns the number of keys in memory. */
  long keys() {
    paidUntil.cleanUp();
    return paidUntil.estimatedSize();
  }

  private AtomicLong bucket(K key, long now) {
    return paidUntil.get(key, unseen -> new AtomicLong(now));
  }

  private long waitNanos(long held, int operations, long now) {
    return ahead(held, now) + cost(Math.min(operations, perSecond)) - SECOND;
  }

  private long after(long held, int operations, long now) {
    return now + Math.min(ahead(held, now) + cost(operations), DEBT_MAX);
  }

  /**
   * Returns how far ahead of now the key's operations have used up the rate. Unused time before now
   * is lost.
   */
  private static long ahead(long held, long now) {
    return Math.max(0, held - now);
  }

  private long cost(int operations) {
    return operations * SECOND / perSecond;
  }
}
