package io.lazuli.conformance.support;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.IntFunction;

/** Runs the same work on several threads that start together, and waits for all of them. */
public final class Crowd {

  private static final int SECONDS_MAX = 120;

  private Crowd() {}

  public static <T> List<T> run(int threads, IntFunction<Callable<T>> work) {
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    CountDownLatch start = new CountDownLatch(1);
    try {
      List<Future<T>> running = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        Callable<T> task = work.apply(i);
        running.add(
            pool.submit(
                () -> {
                  start.await();
                  return task.call();
                }));
      }
      start.countDown();
      List<T> results = new ArrayList<>();
      for (Future<T> future : running) {
        results.add(future.get(SECONDS_MAX, TimeUnit.SECONDS));
      }
      return results;
    } catch (InterruptedException | TimeoutException e) {
      throw new AssertionError("the threads did not finish in time", e);
    } catch (ExecutionException e) {
      throw new AssertionError("one of the threads failed: " + e.getCause(), e.getCause());
    } finally {
      pool.shutdownNow();
    }
  }
}
