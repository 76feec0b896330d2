package io.lazuli.storage.hbase.cluster;

import io.lazuli.storage.StorageException;
import io.lazuli.storage.engine.Threads;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A thread that does some things again and again, one at a time. What fails is tried again when its
 * turn comes; it is never given up.
 */
final class RecurringTasks {
  private static final Logger log = LoggerFactory.getLogger(RecurringTasks.class);
  private static final long END_SECONDS = 5;

  private final String name;
  private final ScheduledExecutorService thread;

  RecurringTasks(String name) {
    this.name = name;
    this.thread =
        Executors.newSingleThreadScheduledExecutor(
            task -> Threads.daemon(task, "lazuli-hbase-" + name));
  }

  /** Does something for the first time after a delay, then each time a period after its end. */
  void every(Duration period, Duration delay, Runnable task) {
    ScheduledFuture<?> unused =
        thread.scheduleWithFixedDelay(
            guarded(task), delay.toMillis(), period.toMillis(), TimeUnit.MILLISECONDS);
  }

  /** Does something once, behind what is due. */
  void soon(Runnable task) {
    try {
      thread.execute(guarded(task));
    } catch (RejectedExecutionException e) {
      // Ending: what is to be done is recorded, whoever leads next finds it.
      return;
    }
  }

  /** Interrupts what is under way, and waits a little for its end. */
  void end() {
    thread.shutdownNow();
    awaitEnd();
  }

  /** Lets what is under way come to its end, then does one more thing; does not wait for long. */
  void endAfter(Runnable last) {
    thread.execute(guarded(last));
    thread.shutdown();
    awaitEnd();
    thread.shutdownNow();
  }

  private void awaitEnd() {
    try {
      if (!thread.awaitTermination(END_SECONDS, TimeUnit.SECONDS)) {
        log.warn("the {} did not end in time", name);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** An executor would never run again what failed once. */
  private Runnable guarded(Runnable task) {
    return () -> {
      try {
        task.run();
      } catch (StorageException e) {
        if (e.kind() != StorageException.Kind.CLOSED) {
          log.warn("{}: {}", name, e.getMessage());
        }
      } catch (RuntimeException e) {
        log.error("the {} failed", name, e);
      }
    };
  }
}
