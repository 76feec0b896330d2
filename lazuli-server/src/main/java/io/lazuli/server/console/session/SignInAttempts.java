package io.lazuli.server.console.session;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;

/** Bounds how often anybody may try to sign in. Safe for use by many threads. */
public final class SignInAttempts {
  /** The maximum number of failed attempts in {@link #PERIOD}. */
  public static final int FAILURES_MAX = 10;

  /** The period in which failed attempts count. */
  public static final Duration PERIOD = Duration.ofMinutes(1);

  private final Clock clock;

  /** The times of the last failures. Guarded by this. */
  private final Deque<Instant> failures = new ArrayDeque<>();

  public SignInAttempts(Clock clock) {
    this.clock = clock;
  }

  /** Returns whether somebody may try. */
  public synchronized boolean mayTry() {
    Instant from = clock.instant().minus(PERIOD);
    while (!failures.isEmpty() && failures.peekFirst().isBefore(from)) {
      failures.removeFirst();
    }
    return failures.size() < FAILURES_MAX;
  }

  /** Notes a failed attempt. */
  public synchronized void failed() {
    if (failures.size() < FAILURES_MAX) {
      failures.addLast(clock.instant());
    }
  }
}
