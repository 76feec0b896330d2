package io.lazuli.server.http;

import io.lazuli.server.error.CommonErrors;
import io.lazuli.storage.thread.OutOfMemory;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A fixed number of named threads with a bounded queue. Throws {@code RejectedExecutionException}
 * when the queue is full or the pool is closed; {@link #tryExecute} returns false instead.
 */
public final class WorkerPool implements Executor, AutoCloseable {
  private static final int CLOSE_SECONDS_MAX = 3;

  private final ThreadPoolExecutor executor;
  private final int begunMax;

  /** The number of calls of {@link #callBounded} that are not complete. */
  private final AtomicInteger begun = new AtomicInteger();

  private final LongAdder refused = new LongAdder();

  /**
   * @param name the name of the threads, followed by a number
   * @param queueMax the maximum number of waiting tasks
   */
  public WorkerPool(String name, int threads, int queueMax) {
    begunMax = threads + queueMax;
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
            }) {
          @Override
          protected void afterExecute(Runnable task, @Nullable Throwable failure) {
            OutOfMemory.check(failure);
          }
        };
  }

  @Override
  public void execute(Runnable task) {
    executor.execute(task);
  }

  /** Queues a task. Returns false if the task was rejected. */
  public boolean tryExecute(Runnable task) {
    boolean taken = offer(task);
    if (!taken) {
      refused.increment();
    }
    return taken;
  }

  private boolean offer(Runnable task) {
    try {
      executor.execute(task);
      return true;
    } catch (RejectedExecutionException e) {
      return false;
    }
  }

  /** Returns an executor that uses this pool, and the other executor when the pool is full. */
  public Executor orElse(Executor other) {
    return task -> {
      if (!offer(task)) {
        other.execute(task);
      }
    };
  }

  /** Returns the number of waiting tasks. */
  public int waiting() {
    return executor.getQueue().size();
  }

  /** Returns the number of tasks that were rejected since the start. */
  public long refused() {
    return refused.sum();
  }

  /**
   * Runs work on this pool and completes the returned stage on another executor. The stage fails
   * with 503 if the pool rejects the work.
   *
   * @param back the executor that completes the returned stage
   */
  public <T extends @Nullable Object> CompletionStage<T> call(
      Supplier<CompletionStage<T>> work, Executor back) {
    CompletableFuture<T> result = new CompletableFuture<>();
    if (!tryExecute(() -> run(work, back, result))) {
      result.completeExceptionally(CommonErrors.SERVER_BUSY.exception());
    }
    return result;
  }

  /**
   * Like {@link #call}, for work that holds much memory until it is complete. A call counts against
   * the bound of the queue while a remote engine works on it and no thread of the pool does.
   */
  public <T extends @Nullable Object> CompletionStage<T> callBounded(
      Supplier<CompletionStage<T>> work, Executor back) {
    if (begun.incrementAndGet() > begunMax) {
      begun.decrementAndGet();
      refused.increment();
      return CompletableFuture.failedFuture(CommonErrors.SERVER_BUSY.exception());
    }
    return call(work, back).whenComplete((value, failure) -> begun.decrementAndGet());
  }

  /** Returns a stage with the same result that completes on an executor. */
  public static <T extends @Nullable Object> CompletionStage<T> returning(
      CompletionStage<T> stage, Executor back) {
    if (stage.toCompletableFuture().isDone()) {
      return stage;
    }
    CompletableFuture<T> result = new CompletableFuture<>();
    stage.whenComplete((value, failure) -> complete(result, back, value, failure));
    return result;
  }

  private static <T extends @Nullable Object> void run(
      Supplier<CompletionStage<T>> work, Executor back, CompletableFuture<T> result) {
    try {
      work.get().whenComplete((value, failure) -> complete(result, back, value, failure));
    } catch (Throwable failure) {
      OutOfMemory.check(failure);
      back.execute(() -> result.completeExceptionally(failure));
    }
  }

  private static <T extends @Nullable Object> void complete(
      CompletableFuture<T> result, Executor back, T value, @Nullable Throwable failure) {
    back.execute(
        () -> {
          if (failure != null) {
            result.completeExceptionally(failure);
          } else {
            result.complete(value);
          }
        });
  }

  /** Waits a bounded time for accepted tasks to finish. */
  @Override
  public void close() {
    executor.shutdown();
    try {
      if (!executor.awaitTermination(CLOSE_SECONDS_MAX, TimeUnit.SECONDS)) {
        executor.shutdownNow();
      }
    } catch (InterruptedException e) {
      executor.shutdownNow();
      Thread.currentThread().interrupt();
    }
  }
}
