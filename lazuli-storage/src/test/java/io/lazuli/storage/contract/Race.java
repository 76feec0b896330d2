package io.lazuli.storage.contract;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.IntFunction;

/** Runs tasks at the same time, each on its own thread, and rethrows their failures. */
public final class Race {
  private Race() {}

  /** A task that may throw. */
  @FunctionalInterface
  public interface Task {
    void run() throws Exception;
  }

  /** Starts the tasks at the same time and waits for all of them. */
  public static void run(int count, IntFunction<Task> tasks) {
    CyclicBarrier barrier = new CyclicBarrier(count);
    List<CompletableFuture<Void>> ends = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      Task task = tasks.apply(i);
      ends.add(
          start(
              "race-" + i,
              () -> {
                barrier.await();
                task.run();
              }));
    }
    ends.forEach(Race::await);
  }

  /** Repeats a task on its own thread until the result is closed. */
  public static Repeated repeat(Task task) {
    return new Repeated(task);
  }

  private static CompletableFuture<Void> start(String name, Task task) {
    CompletableFuture<Void> end = new CompletableFuture<>();
    Thread thread =
        new Thread(
            () -> {
              try {
                task.run();
                end.complete(null);
              } catch (Throwable failure) {
                end.completeExceptionally(failure);
              }
            },
            name);
    thread.setDaemon(true);
    thread.start();
    return end;
  }

  private static void await(CompletableFuture<Void> end) {
    try {
      end.get(50, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      throw new AssertionError("a task failed", e.getCause());
    } catch (InterruptedException | TimeoutException e) {
      throw new AssertionError("a task did not end", e);
    }
  }

  /** A task that repeats while the test runs. */
  public static final class Repeated implements AutoCloseable {
    private final CompletableFuture<Void> end;
    private volatile boolean stopped;

    private Repeated(Task task) {
      end =
          start(
              "repeated",
              () -> {
                while (!stopped) {
                  task.run();
                }
              });
    }

    /** Waits for the last run, and throws the failure of any run. */
    @Override
    public void close() {
      stopped = true;
      await(end);
    }
  }
}
