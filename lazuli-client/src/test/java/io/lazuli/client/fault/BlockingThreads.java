package io.lazuli.client.fault;

import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * Threads for tests that block. They are separate from Reactor's elastic threads, which the SDK
 * needs: there are few of them on a small machine, and if blocked tests used them all, the SDK
 * could not answer these tests.
 */
public final class BlockingThreads {
  private static final int THREADS_MAX = 256;
  private static final int IDLE_SECONDS_MAX = 10;
  private static final Scheduler THREADS =
      Schedulers.newBoundedElastic(
          THREADS_MAX, Integer.MAX_VALUE, "waiting", IDLE_SECONDS_MAX, true);

  private BlockingThreads() {}

  public static Scheduler get() {
    return THREADS;
  }
}
