package io.lazuli.server.job.kind;

import io.lazuli.server.job.JobErrors;
import io.lazuli.server.job.JobRun;
import java.time.Duration;
import java.util.Map;
import java.util.function.IntSupplier;

/**
 * Gives requests of clients precedence over jobs: a bound on entities per second (ten times as many
 * are read as changed), a rest after each step, and a longer one while requests wait for a thread.
 */
public final class Pace {
  private static final long BUSY_NANOS = Duration.ofMillis(50).toNanos();

  /** The entities that a job changes in a second, unless its order says otherwise. */
  private static final long PER_SECOND = 10_000;

  private static final long PER_SECOND_MAX = 1_000_000;

  private final IntSupplier waiting;
  private final long perSecond;

  /**
   * @param waiting returns the number of requests that wait for a thread
   */
  public Pace(IntSupplier waiting) {
    this(waiting, PER_SECOND);
  }

  private Pace(IntSupplier waiting, long perSecond) {
    this.waiting = waiting;
    this.perSecond = perSecond;
  }

  /** Checks the parameter {@code rate} of an order. */
  static void check(Map<String, String> parameters) {
    String rate = parameters.getOrDefault("rate", "1");
    if (!rate.matches("[1-9]\\d{0,6}") || Long.parseLong(rate) > PER_SECOND_MAX) {
      throw JobErrors.badOrder("The rate is 1 to 1,000,000 entities a second.");
    }
  }

  /** Returns the pace that an order asks for. */
  Pace of(JobRun run) {
    String rate = run.parameter("rate", "");
    return rate.isEmpty() ? this : new Pace(waiting, Long.parseLong(rate));
  }

  /** Returns the most entities of a step, so that a slow job has short steps. */
  int rows(int most) {
    return (int) Math.min(most, perSecond);
  }

  Duration afterChanges(long entities, long beganNanos) {
    return rest(entities, perSecond, beganNanos);
  }

  Duration afterReads(long entities, long beganNanos) {
    return rest(entities, 10 * perSecond, beganNanos);
  }

  private Duration rest(long entities, long bound, long beganNanos) {
    long took = System.nanoTime() - beganNanos;
    long byRate = entities * 1_000_000_000L / bound - took;
    long rest = Math.max(byRate, took / 2);
    return Duration.ofNanos(Math.max(0, waiting.getAsInt() > 0 ? rest + BUSY_NANOS : rest));
  }
}
