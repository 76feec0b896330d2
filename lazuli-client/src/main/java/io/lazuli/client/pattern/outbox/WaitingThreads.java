package io.lazuli.client.pattern.outbox;

import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * The threads of steps that wait. They are not those of {@link Schedulers#boundedElastic()}, which
 * the Azure SDK needs to finish its calls: were all of them taken by steps that wait for such
 * calls, none of these would ever end.
 */
final class WaitingThreads {
  private static final int QUEUED_MAX = 1_000;
  private static final int IDLE_SECONDS = 60;

  /** Daemons; a step for which there is no room fails, and its message comes again. */
  static final Scheduler ALL =
      Schedulers.newBoundedElastic(
          Schedulers.DEFAULT_BOUNDED_ELASTIC_SIZE,
          QUEUED_MAX,
          "lazuli-waiting-step",
          IDLE_SECONDS,
          true);

  private WaitingThreads() {}
}
