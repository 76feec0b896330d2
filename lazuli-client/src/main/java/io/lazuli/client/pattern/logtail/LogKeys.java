package io.lazuli.client.pattern.logtail;

import java.time.Clock;
import java.time.Instant;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Makes row keys for log tails: the inverted ticks, then a number that counts down, then the name
 * of this maker, as in {@code 2516579519999999999_fffffffffe_9c01b7e4}. So no two are equal, and of
 * equal times the one that was made last sorts first. Threads may share it; a process needs only
 * one.
 *
 * <p>Make the key once and repeat the insert with it: the second insert then finds the first.
 */
public final class LogKeys {
  private static final long COUNT_MAX = (1L << 40) - 1;

  private final Clock clock;
  private final String maker;
  private final AtomicLong left = new AtomicLong(COUNT_MAX);

  /**
   * A maker of keys.
   *
   * @param clock tells the time of {@link #next()}
   * @param random names this maker; two makers must not draw the same number
   */
  public LogKeys(Clock clock, Random random) {
    this.clock = clock;
    this.maker = String.format("%08x", random.nextInt());
  }

  /** A key for now. */
  public String next() {
    return at(clock.instant());
  }

  /** A key for an entity of this time. */
  public String at(Instant time) {
    return String.format(
        "%s_%010x_%s", InvertedTicks.of(time), left.getAndDecrement() & COUNT_MAX, maker);
  }
}
