package io.lazuli.client.pattern.logtail;

import java.time.Clock;
import java.time.Instant;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Creates row keys for log tails: the inverted ticks, then a number that counts down, then a random
 * name of this object, as in {@code 2516579519999999999_fffffffffe_9c01b7e4}. So no two keys are
 * equal, and among equal times the newest key sorts first. Thread-safe; a process needs only one.
 *
 * <p>Create a key once and use it for every retry of the insert: a repeated insert then finds the
 * entity that the first one stored.
 */
public final class LogKeys {
  private static final long COUNT_MAX = (1L << 40) - 1;

  private final Clock clock;
  private final String maker;
  private final AtomicLong left = new AtomicLong(COUNT_MAX);

  /**
   * Creates a source of keys.
   *
   * @param clock the clock for {@link #next()}
   * @param random draws the name of this object; two objects must not draw the same number
   */
  public LogKeys(Clock clock, Random random) {
    this.clock = clock;
    this.maker = String.format("%08x", random.nextInt());
  }

  /** Returns a key for the current time. */
  public String next() {
    return at(clock.instant());
  }

  /** Returns a key for an entity of this time. */
  public String at(Instant time) {
    return String.format(
        "%s_%010x_%s", InvertedTicks.of(time), left.getAndDecrement() & COUNT_MAX, maker);
  }
}
