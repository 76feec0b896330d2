package io.lazuli.storage.hbase.call;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Passes tasks to a worker. Tasks that arrive shortly one after another are run by the same worker,
 * one by one, so that they cost one change of thread together. For short tasks only. Thread-safe.
 */
final class Handover implements Executor {
  private final Executor workers;
  private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();

  /** The number of tasks that have not been run. */
  private final AtomicInteger waiting = new AtomicInteger();

  Handover(Executor workers) {
    this.workers = workers;
  }

  @Override
  public void execute(Runnable task) {
    tasks.add(task);
    if (waiting.getAndIncrement() == 0) {
      workers.execute(this::runAll);
    }
  }

  private void runAll() {
    do {
      Runnable task = tasks.remove();
      try {
        task.run();
      } catch (RuntimeException | Error e) {
        // The others do not wait for this one. A worker reports the failure.
        workers.execute(
            () -> {
              throw e;
            });
      }
    } while (waiting.decrementAndGet() > 0);
  }
}
