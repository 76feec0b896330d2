package io.lazuli.server.throttle;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.lazuli.server.error.ServiceError;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * One rate, the same for each of many keys: accounts, partitions, queues. Operations beyond it are
 * refused with a 503 that says after how many seconds to try again. Safe for use by many threads;
 * switched off it costs one comparison.
 *
 * <p>Each key has a bucket that holds one second's operations. It is kept as a single number, the
 * moment up to which the key's operations are paid for: each one moves it on by its share of a
 * second, and it may not lie more than a second ahead. A transaction larger than the bucket is
 * admitted by a full one and leaves a debt, and so does what is known only after it was done. A
 * debt is cut at half a minute, so a key that was idle for longer can be forgotten without a loss.
 *
 * @param <K> what has the rate; compared by equals
 */
public final class RateTargets<K> {
  /** The detail of a refusal that tells how many seconds to wait. */
  public static final String RETRY_AFTER_SECONDS = "retryAfterSeconds";

  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
  private static final long DEBT_MAX = 30 * SECOND;
  private static final Duration FORGOTTEN_AFTER = Duration.ofMinutes(1);

  private final int perSecond;
  private final ServiceError refusal;
  private final LongSupplier nanoTime;
  private final Cache<K, AtomicLong> paidUntil;

  /**
   * The same target for every key.
   *
   * @param perSecond operations; 0 for no target
   * @param keysMax so many keys are remembered; one that is forgotten begins anew
   * @param nanoTime as {@link System#nanoTime}
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

  /** False if there is no target, so that nobody need make a key. */
  public boolean isOn() {
    return perSecond > 0;
  }

  /**
   * Passes if the key may do that much more now; throws the refusal, and counts nothing, if not.
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
      long seconds = (wait + SECOND - 1) / SECOND;
      throw refusal.exception().with(RETRY_AFTER_SECONDS, Long.toString(seconds));
    }
  }

  /** Counts what was done already. */
  public void spend(K key, int operations) {
    if (isOn() && operations > 0) {
      long now = nanoTime.getAsLong();
      bucket(key, now).updateAndGet(held -> after(held, operations, now));
    }
  }

  /** Keys that are remembered now. */
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

  /** How far the key has paid ahead; what it did not use is not kept. */
  private static long ahead(long held, long now) {
    return Math.max(0, held - now);
  }

  private long cost(int operations) {
    return operations * SECOND / perSecond;
  }
}
