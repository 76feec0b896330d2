package io.lazuli.storage.work;

import io.lazuli.storage.StorageEngine;
import io.lazuli.storage.Ticks;
import io.lazuli.storage.metrics.MetricVisitor;
import io.lazuli.storage.thread.BackgroundThread;
import io.lazuli.storage.work.WorkLeases.Held;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.BiConsumer;
import java.util.function.LongSupplier;

/**
 * Shares the background work of a store among its servers, and remembers how far it is. {@link
 * WorkLeases} explains the protocol. Thread-safe; starts one thread, which blocks.
 */
public final class WorkBoard implements AutoCloseable {
  private static final Duration AFTER_FAILURE = Duration.ofSeconds(2);
  private static final int LABEL_MAX = 64;

  private final boolean shared;
  private final WorkLeases leases;
  private final LongSupplier ticks;
  private final BiConsumer<String, Throwable> log;
  private final BackgroundThread thread;
  private final BackgroundThread.Job beats;

  /**
   * @param label a name of this server, for operators
   * @param log takes a line for the log and a failure
   */
  public WorkBoard(StorageEngine engine, String label, BiConsumer<String, Throwable> log) {
    this.log = log;
    this.thread = new BackgroundThread("work", log);
    this.shared = engine.isShared();
    this.ticks = engine::now;
    this.leases =
        new WorkLeases(
            new EngineWorkRows(engine),
            shared,
            label.substring(0, Math.min(LABEL_MAX, label.length())).replaceAll("\\p{Cntrl}", " "),
            System::nanoTime,
            () -> ThreadLocalRandom.current().nextLong(1, Long.MAX_VALUE));
    this.beats = thread.repeat(Duration.ZERO, AFTER_FAILURE, this::beat);
  }

  /**
   * Adds a walk.
   *
   * @param name a constant, also for metrics
   */
  public SharedWalk walk(String name, int shards, Pace pace) {
    leases.add(name, shards);
    return new SharedWalk(leases, name, shards, pace, ticks, System::nanoTime);
  }

  /** Starts the thread. From then on this server does its share of the walks that were added. */
  public void start() {
    thread.start();
  }

  /** Does what the thread does, once; for a board without a thread. */
  public Duration beat() {
    leases.beat();
    return shared ? WorkLeases.BEAT : BackgroundThread.UNTIL_WOKEN;
  }

  /** Notes that this server has forgotten something that only a full round finds again. */
  public void lose() {
    leases.lose();
    beats.wake();
  }

  /** Returns one line about rows that cannot be written; empty if there is no trouble. */
  public String trouble() {
    return thread.trouble();
  }

  /** Returns lines about who does what, for operators: a text and its value. */
  public Map<String, String> status() {
    Map<String, String> lines = new LinkedHashMap<>();
    WorkTable table = leases.table();
    Map<ShardKey, ShardState> shards = shards(table);
    table
        .members()
        .forEach(
            (session, member) ->
                lines.put(
                    "server %x".formatted(session >>> 32),
                    "%s, %d shards"
                        .formatted(
                            member.label(),
                            shards.values().stream()
                                .filter(shard -> shard.owner() == session)
                                .count())));
    shards.forEach(
        (key, state) ->
            lines.put(
                "walk %s %d".formatted(key.walk(), key.shard()),
                state.isUnderWay()
                    ? "a round runs for %d s".formatted(seconds(state.began()))
                    : state.completed() == 0
                        ? "no round yet"
                        : "completed %d s ago".formatted(seconds(state.completed()))));
    return lines;
  }

  private long seconds(long since) {
    return Math.max(0, (ticks.getAsLong() - since) / Ticks.PER_SECOND);
  }

  /** Returns all shards, those of this server as far as it has come. */
  private Map<ShardKey, ShardState> shards(WorkTable table) {
    Map<ShardKey, ShardState> shards = new TreeMap<>(table.shards());
    leases.held().forEach((key, mine) -> shards.put(key, mine.state()));
    return shards;
  }

  /** Shows who does what. */
  public void metrics(MetricVisitor visitor) {
    WorkTable table = leases.table();
    visitor.gauge(
        "lazuli_work_servers",
        "Servers that share the background work, as this one sees them.",
        shared ? table.members().size() : 1);
    visitor.counter(
        "lazuli_work_taken_over",
        "Shards that this server took from servers that had ended without order.",
        leases.takenOver());
    visitor.counter(
        "lazuli_work_expelled",
        "How often other servers took this one for dead.",
        leases.expelled());
    Map<ShardKey, Held> held = leases.held();
    Map<ShardKey, ShardState> shards = shards(table);
    for (String walk : leases.walks()) {
      visitor.gauge(
          "lazuli_work_shards",
          "Shards of a walk that this server does.",
          held.keySet().stream().filter(key -> key.walk().equals(walk)).count(),
          "walk",
          walk);
    }
    for (String walk : leases.walks()) {
      visitor.gauge(
          "lazuli_work_round_age_seconds",
          "The age of the oldest round of a walk that is under way on any server; 0 if none is.",
          shards.entrySet().stream()
              .filter(shard -> shard.getKey().walk().equals(walk) && shard.getValue().isUnderWay())
              .mapToLong(shard -> seconds(shard.getValue().began()))
              .max()
              .orElse(0),
          "walk",
          walk);
    }
  }

  /** Gives up all shards, so that other servers continue immediately. Closes the thread first. */
  @Override
  public void close() {
    if (thread.close(BackgroundThread.CLOSE_TIME_MAX)) {
      try {
        leases.leave();
      } catch (RuntimeException e) {
        // Other servers take the shards over after a while.
        log.accept("the background work was not handed over", e);
      }
    }
  }
}
