package io.lazuli.storage.hbase.call;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.hbase.call.CallLane.Bounds;
import io.lazuli.storage.hbase.call.ServerCall.Patience;
import io.lazuli.storage.metrics.Histogram;
import io.lazuli.storage.metrics.MetricVisitor;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.AdvancedScanResultConsumer;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.Get;

/**
 * The region servers, as far as this server knows them. Each has lanes of its own, so a region
 * server that does not answer delays only the calls to itself. A region server that was silent for
 * a while may have been paused and may have lost its regions without noticing: its next answer must
 * be checked. Thread-safe.
 */
public final class RegionServers {
  /**
   * The bound of pages. A page may have several MiB, so that there are fewer of them than of other
   * calls.
   */
  private static final Bounds PAGES = new Bounds(8, 1_024, 1);

  /**
   * The bound of searches. Each may keep a thread of a region server for about a second, so they
   * have a lane of their own, in which no other page waits, and there are few: several servers
   * together must leave threads for reads and commits.
   */
  private static final Bounds SEARCHES = new Bounds(3, 1_024, 1);

  /** Lookups in {@code hbase:meta} wait inside the library, which sends a few at a time. */
  private static final Bounds LOOKUPS = new Bounds(4_096, 0, 1);

  /** The number of rows that are read with one remote call. */
  private static final int ROWS_TOGETHER = 64;

  private static final Duration SWEEP_EVERY = Duration.ofMillis(50);

  /** The number of sweeps after which queued calls are compared with the known locations. */
  private static final int REROUTE_SWEEPS = 10;

  /** A server without calls for this long is forgotten. A restarted server has a new name. */
  private static final Duration FORGET_AFTER = Duration.ofHours(1);

  /** The time after which an overloaded region server is reported. */
  private static final Duration OVERLOADED_FOR = Duration.ofSeconds(10);

  private final Map<ServerName, Server> servers = new ConcurrentHashMap<>();
  private final Server meta;
  private final Bounds bounds;
  private final long silenceNanos;
  private final EngineThreads threads;
  private final LongSupplier nanoTime;
  private volatile boolean closed;
  private int sweeps;

  /**
   * @param calls the number of reads by key that are under way at each region server, in as many
   *     batches, and the number of other calls, apart from pages
   * @param queued the number of calls that wait for each region server
   * @param silence how long a server's answers are trusted without a check after one was confirmed
   */
  public RegionServers(
      int calls, int queued, Duration silence, EngineThreads threads, LongSupplier nanoTime) {
    this.bounds = new Bounds(calls, queued, 1);
    this.silenceNanos = silence.toNanos();
    this.threads = threads;
    this.nanoTime = nanoTime;
    this.meta = new Server("of hbase:meta", LOOKUPS);
    threads.every(SWEEP_EVERY, this::sweep);
  }

  Server of(ServerName name) {
    Server server = servers.computeIfAbsent(name, key -> new Server(String.valueOf(key), bounds));
    if (closed) {
      server.close();
    }
    return server;
  }

  /** Makes a lookup in {@code hbase:meta} or of its location. */
  <T> CompletableFuture<T> lookUp(Deadline limit, Supplier<CompletableFuture<T>> lookup) {
    return meta.call(limit, Patience.UNTIL_DEADLINE, lookup, () -> false).result();
  }

  /** Shows the calls to each region server. */
  void metrics(MetricVisitor visitor) {
    meta.metrics(visitor);
    servers.values().forEach(server -> server.metrics(visitor));
  }

  /** Returns true if a region server was overloaded in the last seconds. */
  boolean isOverloaded() {
    return servers.values().stream().anyMatch(Server::isOverloaded);
  }

  /** Returns which region servers have been overloaded for a while; empty if none has. */
  String fault() {
    return servers.values().stream()
        .filter(Server::staysOverloaded)
        .map(server -> "region server " + server.name + " is overloaded")
        .sorted()
        .collect(Collectors.joining("; "));
  }

  /** Fails all calls, and every later one. */
  void close() {
    closed = true;
    meta.close();
    servers.values().forEach(Server::close);
  }

  /** Fails the calls whose time is up. Runs on the timer. */
  void sweep() {
    boolean reroute = ++sweeps % REROUTE_SWEEPS == 0;
    meta.sweep(false);
    servers.values().forEach(server -> server.sweep(reroute));
    servers.values().removeIf(Server::isForgotten);
  }

  /** One region server: its lanes, and when it was last confirmed. */
  final class Server {
    private final String name;
    private final CallLane calls;
    private final CallLane gets;
    private final CallLane pages;
    private final CallLane searches;

    @GuardedBy("this")
    private boolean confirmed;

    @GuardedBy("this")
    private long confirmedNanos;

    private final Histogram answerNanos = Histogram.ofNanos();
    private final LongAdder failures = new LongAdder();
    private final LongAdder refusals = new LongAdder();
    private volatile long lastCallNanos = nanoTime.getAsLong();

    private Server(String name, Bounds bounds) {
      this.name = name;
      this.calls = new CallLane(name, bounds, threads);
      this.gets =
          new CallLane(name, new Bounds(bounds.sent(), bounds.queued(), ROWS_TOGETHER), threads);
      this.pages = new CallLane(name, PAGES, threads);
      this.searches = new CallLane(name, SEARCHES, threads);
    }

    /**
     * Makes a call, now or when it is its turn.
     *
     * @param moved returns true if another server has the region now
     */
    <T> ServerCall<T> call(
        Deadline limit,
        Patience patience,
        Supplier<CompletableFuture<T>> send,
        BooleanSupplier moved) {
      lastCallNanos = nanoTime.getAsLong();
      CallLane lane = lane(patience);
      ServerCall<T> call = new ServerCall<>(this, lane, threads, limit, patience, send, moved);
      lane.submit(call);
      return call;
    }

    private CallLane lane(Patience patience) {
      return switch (patience) {
        case PAGE -> pages;
        case SEARCH -> searches;
        case UNTIL_DEADLINE, UNTIL_ANSWER -> calls;
      };
    }

    /**
     * Reads rows, now or when it is their turn, with other reads of the table.
     *
     * @param moved returns true if another server has the region now
     */
    GetCall get(
        Deadline limit,
        AsyncTable<AdvancedScanResultConsumer> table,
        List<Get> rows,
        BooleanSupplier moved) {
      lastCallNanos = nanoTime.getAsLong();
      GetCall call = new GetCall(this, gets, threads, limit, table, rows, moved);
      gets.submit(call);
      return call;
    }

    String name() {
      return name;
    }

    long nanoTime() {
      return nanoTime.getAsLong();
    }

    synchronized boolean needsCheck(long now) {
      return !confirmed || now - confirmedNanos > silenceNanos;
    }

    synchronized void confirm(long sentNanos) {
      confirmedNanos = confirmed ? Math.max(confirmedNanos, sentNanos) : sentNanos;
      confirmed = true;
    }

    /** Notes that a call was answered, or that the library gave it up. */
    void ended(long nanos, boolean failed, CallLimit.Outcome outcome) {
      answerNanos.record(nanos);
      if (outcome == CallLimit.Outcome.REFUSED) {
        refusals.increment();
      }
      if (failed) {
        failures.increment();
      }
    }

    private void metrics(MetricVisitor visitor) {
      visitor.histogram(
          "lazuli_hbase_call_seconds",
          "Time from sending a call to a region server until its answer or failure.",
          answerNanos,
          "server",
          name);
      visitor.counter(
          "lazuli_hbase_call_failures",
          "Calls to a region server that failed.",
          failures.sum(),
          "server",
          name);
      visitor.gauge(
          "lazuli_hbase_calls_waiting",
          "Calls that wait for their turn at a region server.",
          queued(),
          "server",
          name);
      visitor.counter(
          "lazuli_hbase_calls_refused",
          "Calls that a region server refused because it had too many.",
          refusals.sum(),
          "server",
          name);
      visitor.gauge(
          "lazuli_hbase_calls_limit",
          "Calls that may be under way at a region server; fewer while it is overloaded.",
          Math.min(calls.limit(), gets.limit()),
          "server",
          name);
    }

    private boolean isOverloaded() {
      long now = nanoTime();
      return Stream.of(calls, gets, pages).anyMatch(lane -> lane.isOverloaded(now));
    }

    private boolean staysOverloaded() {
      long now = nanoTime();
      return Stream.of(calls, gets, pages)
          .anyMatch(lane -> lane.overloadedFor(now).compareTo(OVERLOADED_FOR) > 0);
    }

    /** Returns the number of calls that wait. */
    int queued() {
      return calls.queuedCount()
          + gets.queuedCount()
          + pages.queuedCount()
          + searches.queuedCount();
    }

    private void sweep(boolean reroute) {
      calls.sweep(reroute);
      gets.sweep(reroute);
      pages.sweep(reroute);
      searches.sweep(reroute);
    }

    private void close() {
      calls.close();
      gets.close();
      pages.close();
      searches.close();
    }

    private boolean isForgotten() {
      return nanoTime.getAsLong() - lastCallNanos > FORGET_AFTER.toNanos()
          && calls.sentCount() + gets.sentCount() + pages.sentCount() + searches.sentCount() == 0
          && queued() == 0;
    }
  }
}
