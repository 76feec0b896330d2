package io.lazuli.storage.hbase.cluster;

import io.lazuli.storage.StorageException;
import io.lazuli.storage.thread.OutOfMemory;
import io.lazuli.storage.thread.Threads;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A thread that runs tasks periodically, one at a time. A task that fails runs again at its next
 * turn.
 */
final class RecurringTasks {
  private static final Logger log = LoggerFactory.getLogger(RecurringTasks.class);
  private static final long END_SECONDS = 5;

  private final String name;
  private final ScheduledExecutorService thread;
  private final List<ScheduledFuture<?>> periodic = new CopyOnWriteArrayList<>();

  /** The results that somebody waits for. */
  private final Map<Object, CompletableFuture<?>> asked = new ConcurrentHashMap<>();

  private volatile String trouble = "";

  RecurringTasks(String name) {
    this.name = name;
    this.thread =
        Executors.newSingleThreadScheduledExecutor(
            task -> Threads.daemon(task, "lazuli-hbase-" + name));
  }

  /** Runs a task after a delay, and then repeatedly, a period after the end of the last run. */
  void every(Duration period, Duration delay, Runnable task) {
    periodic.add(
        thread.scheduleWithFixedDelay(
            guarded(task), delay.toMillis(), period.toMillis(), TimeUnit.MILLISECONDS));
  }

  /** Runs a task once, after the tasks that are already due. */
  void soon(Runnable task) {
    try {
      thread.execute(guarded(task));
    } catch (RejectedExecutionException e) {
      // The thread is ending. The work is recorded, and the next leader finds it.
      return;
    }
  }

  /**
   * Runs a task once, after the tasks that are already due, and returns its result. It fails if the
   * task fails, or if the thread ends first.
   *
   * @param failure what is reported if the task fails in an unexpected way
   */
  <T> CompletableFuture<T> ask(Supplier<T> task, String failure) {
    CompletableFuture<T> result = new CompletableFuture<>();
    Object asker = new Object();
    asked.put(asker, result);
    CompletableFuture<T> unused = result.whenComplete((value, failed) -> asked.remove(asker));
    soon(
        () -> {
          try {
            result.complete(task.get());
          } catch (StorageException e) {
            result.completeExceptionally(e);
          } finally {
            result.completeExceptionally(
                new StorageException(StorageException.Kind.UNAVAILABLE, failure));
          }
        });
    if (thread.isShutdown()) {
      failAsked();
    }
    return result;
  }

  private void failAsked() {
    StorageException closed =
        new StorageException(StorageException.Kind.CLOSED, "the engine is closed");
    asked.values().forEach(result -> result.completeExceptionally(closed));
  }

  /**
   * Returns one line about a task that failed; empty once a task of the thread has succeeded. The
   * absence of the cluster is reported elsewhere.
   */
  String trouble() {
    return trouble;
  }

  /** Logs the first of several equal failures. */
  private void failed(String found, Throwable e) {
    if (!found.equals(trouble)) {
      trouble = found;
      log.error("the {} failed", name, e);
    }
  }

  /** Interrupts the running task and waits a short time for its end. */
  void end() {
    thread.shutdownNow();
    awaitEnd();
    failAsked();
  }

  /** Waits a short time for the running task, then runs one last task. No task runs after it. */
  void endAfter(Runnable last) {
    periodic.forEach(task -> task.cancel(false));
    thread.execute(guarded(last));
    thread.shutdown();
    awaitEnd();
    thread.shutdownNow();
    failAsked();
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

  /**
   * Returns the task with its failures caught, because an executor stops repeating a task that
   * throws.
   */
  private Runnable guarded(Runnable task) {
    return () -> {
      try {
        task.run();
        trouble = "";
      } catch (StorageException e) {
        if (e.kind() != StorageException.Kind.CLOSED) {
          log.warn("{}: {}", name, e.getMessage());
        }
      } catch (Throwable e) {
        OutOfMemory.check(e);
        failed("the thread lazuli-hbase-" + name + " fails: " + e, e);
      }
    };
  }
}
