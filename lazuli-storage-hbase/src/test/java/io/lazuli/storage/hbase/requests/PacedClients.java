package io.lazuli.storage.hbase.requests;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Clients that make requests at a steady pace, each with its own thread and connection. A client
 * whose request takes longer than its interval does not make up for the requests that it missed.
 * Thread-safe.
 */
final class PacedClients implements AutoCloseable {
  private final List<OneClient> clients = new ArrayList<>();
  private volatile boolean ended;

  /**
   * A request that has ended.
   *
   * @param start in nanoseconds of {@link System#nanoTime}
   */
  record Done(long start, long end, Outcome outcome) {}

  /**
   * Starts the clients.
   *
   * @param interval the time between two requests of a client; zero for no pause between them
   */
  PacedClients(String name, int count, Duration interval, IntFunction<Samples.Client> client) {
    long now = System.nanoTime();
    for (int i = 0; i < count; i++) {
      long first = now + interval.toNanos() * i / count;
      clients.add(new OneClient(client.apply(i), first, interval.toNanos()));
    }
    for (OneClient each : clients) {
      each.thread.setName(name);
      each.thread.start();
    }
  }

  /** Lets every client that waits for its next turn send a request now. */
  void hurry() {
    clients.forEach(OneClient::hurry);
  }

  /** Returns all requests that have ended, in no particular order. */
  List<Done> done() {
    List<Done> all = new ArrayList<>();
    clients.forEach(client -> client.addTo(all));
    return all;
  }

  /** Returns whether every client was served by a request that began after a moment. */
  boolean allServedSince(long moment) {
    return clients.stream().allMatch(client -> client.servedSince(moment));
  }

  /** Returns the requests per second that were served in a window. */
  static double rate(List<Done> done, long from, long to) {
    long served =
        done.stream()
            .filter(each -> each.outcome == Outcome.SERVED)
            .filter(each -> each.end - from >= 0 && each.end - to < 0)
            .count();
    return served * 1e9 / (to - from);
  }

  static double longestSeconds(List<Done> done) {
    return done.stream().mapToLong(each -> each.end - each.start).max().orElse(0) / 1e9;
  }

  static Map<Outcome, Long> outcomes(List<Done> done) {
    Map<Outcome, Long> counts = new EnumMap<>(Outcome.class);
    for (Outcome outcome : Outcome.values()) {
      counts.put(outcome, done.stream().filter(each -> each.outcome == outcome).count());
    }
    return counts;
  }

  /** Ends the clients after their current requests, and fails if an answer was wrong. */
  @Override
  public void close() {
    ended = true;
    for (OneClient client : clients) {
      client.end();
    }
  }

  /** Waits for some time. */
  static void pass(Duration duration) {
    long end = System.nanoTime() + duration.toNanos();
    for (long left = end - System.nanoTime(); left > 0; left = end - System.nanoTime()) {
      LockSupport.parkNanos(left);
    }
  }

  private final class OneClient {
    private final Samples.Client client;
    private final long intervalNanos;
    private final Thread thread = new Thread(this::run);
    private volatile long next;

    @GuardedBy("this")
    private final List<Done> done = new ArrayList<>();

    @GuardedBy("this")
    private @Nullable Throwable wrong;

    OneClient(Samples.Client client, long first, long intervalNanos) {
      this.client = client;
      this.next = first;
      this.intervalNanos = intervalNanos;
    }

    private void run() {
      try {
        while (!ended) {
          waitForTurn();
          long start = System.nanoTime();
          Outcome outcome = client.request();
          long end = System.nanoTime();
          add(new Done(start, end, outcome));
          next = Math.max(next + intervalNanos, end);
        }
      } catch (AssertionError | RuntimeException e) {
        fail(e);
      } finally {
        client.close();
      }
    }

    private void waitForTurn() {
      for (long left = next - System.nanoTime(); left > 0; left = next - System.nanoTime()) {
        LockSupport.parkNanos(left);
      }
    }

    void hurry() {
      next = System.nanoTime();
      LockSupport.unpark(thread);
    }

    private synchronized void add(Done request) {
      done.add(request);
    }

    private synchronized void fail(Throwable failure) {
      wrong = failure;
    }

    synchronized void addTo(List<Done> all) {
      all.addAll(done);
    }

    synchronized boolean servedSince(long moment) {
      return done.stream()
          .anyMatch(each -> each.outcome == Outcome.SERVED && each.start - moment > 0);
    }

    void end() {
      try {
        thread.join();
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
      synchronized (this) {
        if (wrong != null) {
          throw new AssertionError("a client received a wrong answer", wrong);
        }
      }
    }
  }
}
