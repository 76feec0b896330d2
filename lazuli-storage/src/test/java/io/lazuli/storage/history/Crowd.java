package io.lazuli.storage.history;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Clients that use a few targets at the same time. A target that is full is checked and replaced.
 *
 * @param <C> the client
 */
public final class Crowd<C extends AutoCloseable> {
  private static final int VIOLATIONS_KEPT = 20;
  private static final int CLIENTS_PER_TARGET = 3;

  /**
   * The outcome of a run.
   *
   * @param operations the operations that were recorded; each write of a batch is one
   * @param calls the requests that were recorded
   * @param lost those without an answer
   * @param undecided the targets with too many possible orders
   */
  public record Result(
      long operations,
      long calls,
      long lost,
      int targets,
      int undecided,
      List<Violation> violations) {
    /** Returns both outcomes together. */
    public Result plus(Result other) {
      List<Violation> all = new ArrayList<>(violations);
      all.addAll(other.violations);
      return new Result(
          operations + other.operations,
          calls + other.calls,
          lost + other.lost,
          targets + other.targets,
          undecided + other.undecided,
          List.copyOf(all));
    }

    @Override
    public String toString() {
      return ("%,d operations in %,d calls on %,d objects, %,d answers lost,"
              + " %d objects undecided, %d violations")
          .formatted(operations, calls, targets, lost, undecided, violations.size());
    }
  }

  private final IntFunction<C> connect;
  private final IntFunction<Target<C>> make;
  private final AtomicReferenceArray<Target<C>> active;
  private final List<Thread> threads = new ArrayList<>();
  private final Random seeds;
  private final long operationsMax;
  private final Queue<Target<C>> checked = new ConcurrentLinkedQueue<>();
  private final Queue<Violation> violations = new ConcurrentLinkedQueue<>();
  private final AtomicLong operations = new AtomicLong();
  private final AtomicLong made = new AtomicLong();
  private volatile boolean stopped;
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

  /**
   * Creates a crowd.
   *
   * @param connect makes a client
   * @param make makes a target
   * @param operationsMax the run ends after this many operations, and at the first violation
   */
  public Crowd(
      long seed,
      int clients,
      IntFunction<C> connect,
      IntFunction<Target<C>> make,
      long operationsMax) {
    this.seeds = new Random(seed);
    this.connect = connect;
    this.make = make;
    this.operationsMax = operationsMax;
    this.active = new AtomicReferenceArray<>(Math.max(1, clients / CLIENTS_PER_TARGET));
    for (int i = 0; i < clients; i++) {
      int number = i;
      Random random = new Random(seeds.nextLong());
      Thread thread = new Thread(() -> run(number, random), "history-client-" + i);
      thread.setDaemon(true);
      threads.add(thread);
    }
  }

  /** Returns the number of operations on targets that are full. */
  public long operations() {
    return operations.get();
  }

  /** Ends the run before all its operations. */
  public void stop() {
    stopped = true;
  }

  /** Starts all clients. */
  public Crowd<C> start() throws IOException {
    try (C client = connect.apply(threads.size())) {
      for (int i = 0; i < active.length(); i++) {
        active.set(i, next(client));
      }
    } catch (Exception e) {
      throw new IOException("the first targets", e);
    }
    threads.forEach(Thread::start);
    return this;
  }

  private Target<C> next(C client) throws IOException {
    Target<C> target = make.apply((int) made.getAndIncrement());
    target.open(client);
    return target;
  }

  private void run(int number, Random random) {
    try (C client = connect.apply(number)) {
      while (!isDone()) {
        int at = random.nextInt(active.length());
        Target<C> target = active.get(at);
        if (target.enter()) {
          target.work(client, number, random);
          if (target.isFull() && target.close()) {
            active.set(at, next(client));
          }
          if (target.leave()) {
            check(target, client, number);
          }
        }
      }
    } catch (Exception | Error e) {
      failure.compareAndSet(null, e);
    }
  }

  private boolean isDone() {
    return stopped || operations.get() >= operationsMax || isBroken();
  }

  /** Returns true if the run has ended early, because of a violation or a failure. */
  public boolean isBroken() {
    return !violations.isEmpty() || failure.get() != null;
  }

  private void check(Target<C> target, C client, int number) {
    keep(target.check(client, number));
    operations.addAndGet(target.operations());
    checked.add(target);
  }

  private void keep(List<Violation> found) {
    if (violations.size() < VIOLATIONS_KEPT) {
      violations.addAll(found);
    }
  }

  /**
   * Waits for the clients, checks the targets that are not full, and looks at all of them again.
   */
  public Result end() throws InterruptedException {
    for (Thread thread : threads) {
      thread.join();
    }
    Throwable thrown = failure.get();
    if (thrown != null) {
      throw new AssertionError("a client could not go on", thrown);
    }
    int number = threads.size();
    try (C client = connect.apply(number)) {
      for (int i = 0; i < active.length(); i++) {
        if (active.get(i).close()) {
          check(active.get(i), client, number);
        }
      }
      if (violations.isEmpty()) {
        checked.forEach(target -> keep(target.sweep(client, number)));
      }
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new UncheckedIOException(new IOException(e));
    }
    return new Result(
        checked.stream().mapToLong(Target::operations).sum(),
        checked.stream().mapToLong(Target::calls).sum(),
        checked.stream().mapToLong(Target::lost).sum(),
        checked.size(),
        (int) checked.stream().filter(Target::isUndecided).count(),
        List.copyOf(violations));
  }
}
