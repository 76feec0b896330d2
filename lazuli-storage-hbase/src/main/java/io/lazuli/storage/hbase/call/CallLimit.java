package io.lazuli.storage.hbase.call;

import java.time.Duration;

/**
 * The number of batches that one lane may have under way at its region server. Mutable, used by one
 * thread at a time.
 *
 * <p>A region server that has more calls than it can answer refuses some, or answers so late that
 * the library has given up: both cost it time for nothing. The limit therefore falls to half of
 * what is under way if a call was refused, was answered slowly, or got no answer although others
 * did. It rises again with each answer while calls wait: by an eighth, at least by one, for as many
 * answers as it allows. A fall counts for all calls that were sent before it, because they met the
 * same load. Late answers alone leave a few calls: they may have another cause than these calls,
 * and then one call at a time would help nobody.
 *
 * <p>A region server that answers nothing at all is paused or dead, not overloaded. It would get no
 * more calls anyway, and its limit stays.
 */
final class CallLimit {
  /** What became of a call. */
  enum Outcome {
    ANSWERED,
    /** Answered after {@link #SLOW}. */
    SLOW,
    /** The region server had too many calls. */
    REFUSED,
    /** The library has given up. */
    TIMED_OUT,
    /** Any other failure, which says nothing about the load. */
    FAILED
  }

  /** Half of the time after which the library gives up. */
  static final Duration SLOW = Duration.ofSeconds(1);

  /** The time without a fall after which the region server is no longer overloaded. */
  static final Duration CALM = Duration.ofSeconds(5);

  /** Slow and missing answers do not lower the limit below this. */
  static final int LATE_MIN = 8;

  private static final double STEP = 1.0 / 8;

  private final int max;
  private final boolean fixed;
  private double limit;
  private boolean fell;
  private long fellNanos;

  /** The first fall of those that followed one another. */
  private long sinceNanos;

  private boolean answered;
  private long answeredNanos;

  /**
   * @param fixed true if the limit is always the maximum
   */
  CallLimit(int max, boolean fixed) {
    this.max = max;
    this.fixed = fixed;
    this.limit = max;
  }

  int now() {
    return (int) limit;
  }

  /**
   * Takes the end of a call.
   *
   * @param sentNanos when the call was sent
   * @param batches the number of batches that were under way, with that of the call
   * @param waiting whether other calls wait
   */
  void ended(Outcome outcome, long sentNanos, long nowNanos, int batches, boolean waiting) {
    boolean overload =
        switch (outcome) {
          case SLOW, REFUSED -> true;
          case TIMED_OUT -> answered && answeredNanos - sentNanos > 0;
          case ANSWERED, FAILED -> false;
        };
    if (outcome == Outcome.ANSWERED || outcome == Outcome.SLOW) {
      answered = true;
      answeredNanos = nowNanos;
    }
    if (fixed) {
      return;
    }
    if (overload) {
      int min = outcome == Outcome.REFUSED ? 1 : LATE_MIN;
      fall(sentNanos, nowNanos, Math.max(min, Math.min(limit, batches) / 2));
    } else if (outcome == Outcome.ANSWERED && waiting) {
      limit = Math.min(max, limit + Math.max(1 / limit, STEP));
    }
  }

  private void fall(long sentNanos, long nowNanos, double to) {
    if (fell && sentNanos - fellNanos < 0) {
      return;
    }
    if (!isOverloaded(nowNanos)) {
      sinceNanos = nowNanos;
    }
    limit = Math.min(limit, to);
    fell = true;
    fellNanos = nowNanos;
  }

  /** Returns true if the limit has fallen lately. */
  boolean isOverloaded(long nowNanos) {
    return fell && nowNanos - fellNanos < CALM.toNanos();
  }

  /** Returns for how long the limit has fallen again and again; zero if it has not. */
  Duration overloadedFor(long nowNanos) {
    return isOverloaded(nowNanos) ? Duration.ofNanos(fellNanos - sinceNanos) : Duration.ZERO;
  }
}
