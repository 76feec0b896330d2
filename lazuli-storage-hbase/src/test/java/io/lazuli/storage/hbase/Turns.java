package io.lazuli.storage.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.IntFunction;

/** Runs two alternatives in turns, each on several threads, and compares them. */
final class Turns {
  static final int THREADS = 8;
  private static final int TURNS = 7;
  private static final int WARM_UP_TURNS = 10;
  private static final Duration TURN = Duration.ofMillis(1_500);

  private Turns() {}

  /** Repeats the work until the JIT compilers of all processes have compiled it. */
  static void warmUp(IntFunction<Runnable> work) {
    for (int turn = 0; turn < WARM_UP_TURNS; turn++) {
      rate(work);
    }
  }

  /** Runs both in turns, several times, and prints the median of the ratios of their rates. */
  static void print(int regionServers, String what, Runnable raw, Runnable ours) {
    print(regionServers, what, thread -> raw, thread -> ours);
  }

  static void print(
      int regionServers, String what, IntFunction<Runnable> raw, IntFunction<Runnable> ours) {
    rate(raw);
    rate(ours);
    List<Double> ratios = new ArrayList<>();
    double last = 0;
    for (int turn = 0; turn < TURNS; turn++) {
      double base = rate(raw);
      last = rate(ours);
      ratios.add(last / base);
    }
    Collections.sort(ratios);
    double median = ratios.get(TURNS / 2);
    System.out.printf(
        Locale.ROOT,
        "%d region servers, %s: %.2f x the rate (%.2f to %.2f), %.0f/s%n",
        regionServers,
        what,
        median,
        ratios.get(0),
        ratios.get(TURNS - 1),
        last);
    assertThat(median).isGreaterThan(0.05);
  }

  /** Returns how often per second all threads together do the work, over one turn. */
  static double rate(IntFunction<Runnable> work) {
    LongAdder count = new LongAdder();
    long begin = System.nanoTime();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      Runnable task = work.apply(i);
      Thread thread =
          new Thread(
              () -> {
                while (System.nanoTime() - begin < TURN.toNanos()) {
                  task.run();
                  count.increment();
                }
              });
      thread.start();
      threads.add(thread);
    }
    for (Thread thread : threads) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    }
    return count.sum() * 1e9 / (System.nanoTime() - begin);
  }
}
