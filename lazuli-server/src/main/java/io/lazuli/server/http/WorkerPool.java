package io.lazuli.server.http;

import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A fixed number of named threads with a bounded queue. Throws {@code RejectedExecutionException}
 * when the queue is full or the pool is closed; {@link #tryExecute} answers false instead.
 */
public final class WorkerPool implements Executor, AutoCloseable {
  private final ThreadPoolExecutor executor;

  /**
   * @param name of the threads, followed by a number
   * @param queueMax how many tasks may wait
   */
  public WorkerPool(String name, int threads, int queueMax) {
    AtomicInteger number = new AtomicInteger();
    executor =
        new ThreadPoolExecutor(
            threads,
            threads,
            0,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(queueMax),
            task -> {
              Thread thread = new Thread(task, name + "-" + number.getAndIncrement());
              thread.setDaemon(true);
              return thread;
            });
  }

  @Override
  public void execute(Runnable task) {
    executor.execute(task);
  }

  /** False if the task was not taken. */
  public boolean tryExecute(Runnable task) {
    try {
      executor.execute(task);
      return true;
    } catch (RejectedExecutionException e) {
      return false;
    }
  }

  /** Tasks that wait now. */
  int waiting() {
    return executor.getQueue().size();
  }

  /** Lets what was taken finish, for a bounded time. */
  @Override
  public void close() {
    executor.shutdown();
    try {
      if (!executor.awaitTermination(10, TimeUnit.SECONDS)) {
        executor.shutdownNow();
      }
    } catch (InterruptedException e) {
      executor.shutdownNow();
      Thread.currentThread().interrupt();
    }
  }
}
