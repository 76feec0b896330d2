package io.lazuli.storage.work;

import io.lazuli.storage.Ticks;
import java.time.Duration;

/**
 * When the rounds of a walk are due.
 *
 * @param period the pause between two rounds, or the period of a clock
 * @param aligned true if rounds begin with each period of the clock, such as each hour
 * @param fullEvery the time after which a round reads everything again, although nothing was lost
 * @param fullAfter the time that passes at least between two such rounds, if something was lost
 * @param dueAfterLoss true if a round is due as soon as something was lost
 */
public record Pace(
    Duration period,
    boolean aligned,
    Duration fullEvery,
    Duration fullAfter,
    boolean dueAfterLoss) {
  /** Shorter pauses are over before a restart is. */
  private static final Duration STORED_FROM = Duration.ofMinutes(5);

  private static final Duration NEVER = Duration.ofDays(36_500);

  /** Rounds with a pause between them. */
  public static Pace every(Duration pause) {
    return new Pace(pause, false, NEVER, NEVER, false);
  }

  /** One round, and another one each time that something was lost. */
  public static Pace afterLoss() {
    return new Pace(NEVER, false, NEVER, Duration.ZERO, true);
  }

  /** One round in each hour of the clock. */
  public static Pace hourly() {
    return new Pace(Duration.ofHours(1), true, NEVER, NEVER, false);
  }

  /**
   * Rounds with a pause between them, some of which read everything: the first one, one after a
   * time, and one after something was lost.
   */
  public static Pace withFullRounds(Duration pause, Duration fullEvery, Duration fullAfter) {
    return new Pace(pause, false, fullEvery, fullAfter, false);
  }

  /** Returns when the next round of a shard begins, in ticks. */
  long dueTicks(ShardState state, long losses) {
    long length = ticks(period);
    boolean lost = dueAfterLoss && losses > state.losses();
    if (state.isUnderWay() || state.completed() == 0 || lost) {
      return 0;
    }
    return aligned ? state.began() / length * length + length : state.completed() + length;
  }

  /** Returns whether the next round of a shard reads everything. */
  boolean isFull(ShardState state, long nowTicks, long losses) {
    long age = nowTicks - state.fullBegan();
    return state.fullBegan() == 0
        || age >= ticks(fullEvery)
        || (losses > state.losses() && age >= ticks(fullAfter));
  }

  /** Returns whether the end of a round is worth a write: it keeps a restart from another round. */
  boolean isWorthStoring() {
    return period.compareTo(STORED_FROM) >= 0;
  }

  private static long ticks(Duration time) {
    return time.toMillis() * (Ticks.PER_SECOND / 1_000);
  }
}
