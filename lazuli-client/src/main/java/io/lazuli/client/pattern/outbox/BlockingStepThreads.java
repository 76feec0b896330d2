package io.lazuli.client.pattern.outbox;

import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * The threads for steps that block. They are separate from {@link Schedulers#boundedElastic()},
 * which the Azure SDK needs to finish its calls: if blocked steps used all of those threads, the
 * calls that they wait for would never end.
 */
final class BlockingStepThreads {
  private static final int QUEUED_MAX = 1_000;
  private static final int IDLE_SECONDS = 60;

  /** Daemon threads. If the queue is full, a step fails and its message is delivered again. */
  static final Scheduler ALL =
      Schedulers.newBoundedElastic(
          Schedulers.DEFAULT_BOUNDED_ELASTIC_SIZE,
          QUEUED_MAX,
          "lazuli-blocking-step",
          IDLE_SECONDS,
          true);

  private BlockingStepThreads() {}
}
