package io.lazuli.storage.hbase.call;

import io.lazuli.storage.StorageException;
import io.lazuli.storage.thread.OutOfMemory;
import io.lazuli.storage.thread.Threads;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The threads of the engine: a few workers that run bodies, visitors and everything that follows an
 * answer, and one timer. No worker ever waits. HBase's own threads only hand their answers over to
 * the workers. Thread-safe.
 */
public final class EngineThreads implements Executor, AutoCloseable {
  /** The beginning of the name of every worker; a number follows. */
  public static final String WORKER = "lazuli-hbase-worker-";

  private static final Logger log = LoggerFactory.getLogger(EngineThreads.class);

  /** Two, so that one body that uses the processor for long does not delay all answers. */
  private static final int WORKERS_MIN = 2;

  private static final long END_SECONDS = 5;

  private final ThreadPoolExecutor workers;
  private final ScheduledThreadPoolExecutor timer;

  /** Tasks whose time has not come. */
  private final Set<Runnable> delayed = ConcurrentHashMap.newKeySet();

  /** Starts one worker per processor. */
  public EngineThreads() {
    int count = Math.max(WORKERS_MIN, Runtime.getRuntime().availableProcessors());
    AtomicInteger number = new AtomicInteger();
    workers =
        new ThreadPoolExecutor(
            count,
            count,
            0,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            task -> Threads.daemon(task, WORKER + number.getAndIncrement()),
            // After close every call has failed, and a late task only finds that out.
            (task, pool) -> task.run());
    timer = new ScheduledThreadPoolExecutor(1, task -> Threads.daemon(task, "lazuli-hbase-timer"));
  }

  /** Runs a task on a worker. */
  @Override
  public void execute(Runnable task) {
    workers.execute(() -> run(task));
  }

  /** Runs a task on a worker after a delay, or when the engine is closed if that is earlier. */
  public void executeAfter(Duration delay, Runnable task) {
    // A new object, because the set must hold equal tasks separately.
    Runnable once = () -> run(task);
    delayed.add(once);
    try {
      ScheduledFuture<?> unused =
          timer.schedule(() -> release(once), delay.toNanos(), TimeUnit.NANOSECONDS);
    } catch (RejectedExecutionException e) {
      release(once);
    }
  }

  /** Runs a short task periodically on the timer. */
  public void every(Duration period, Runnable task) {
    ScheduledFuture<?> unused =
        timer.scheduleWithFixedDelay(
            () -> run(task), period.toMillis(), period.toMillis(), TimeUnit.MILLISECONDS);
  }

  /** Throws if the current thread is a worker, which must not wait. */
  public void requireOther() {
    if (Thread.currentThread().getName().startsWith(WORKER)) {
      throw new IllegalStateException("an engine cannot be closed on one of its own threads");
    }
  }

  /** Runs the delayed tasks now, and ends the threads. */
  @Override
  public void close() {
    timer.shutdownNow();
    delayed.forEach(this::release);
    workers.shutdown();
    awaitEnd(timer);
    awaitEnd(workers);
  }

  private void release(Runnable once) {
    if (delayed.remove(once)) {
      workers.execute(once);
    }
  }

  private static void run(Runnable task) {
    try {
      task.run();
    } catch (StorageException e) {
      // The futures of the task have failed with it.
      log.debug("a task failed", e);
    } catch (Throwable e) {
      OutOfMemory.check(e);
      log.error("a task failed", e);
    }
  }

  private static void awaitEnd(ExecutorService threads) {
    try {
      if (!threads.awaitTermination(END_SECONDS, TimeUnit.SECONDS)) {
        log.warn("a thread of the engine did not end in time");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
