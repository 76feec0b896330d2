package io.lazuli.client.fault;

import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * Threads for tests that wait. Not Reactor's elastic ones: the SDK needs some of them, there are
 * few on a small machine, and it would wait for us while we wait for it.
 */
public final class BlockingThreads {
  private static final int THREADS_MAX = 64;
  private static final int IDLE_SECONDS_MAX = 10;
  private static final Scheduler THREADS =
      Schedulers.newBoundedElastic(
          THREADS_MAX, Integer.MAX_VALUE, "waiting", IDLE_SECONDS_MAX, true);

  private BlockingThreads() {}

  public static Scheduler get() {
    return THREADS;
  }
}
