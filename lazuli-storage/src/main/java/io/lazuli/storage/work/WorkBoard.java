package io.lazuli.storage.work;

import io.lazuli.storage.Partition;
import io.lazuli.storage.StorageEngine;
import io.lazuli.storage.Ticks;
import io.lazuli.storage.keys.OwnerCodec;
import io.lazuli.storage.metrics.MetricVisitor;
import io.lazuli.storage.thread.BackgroundThread;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;

/**
 * Shares the background work of a store among its servers, and remembers how far it is. {@link
 * WorkLeases} explains the protocol. Thread-safe; starts one thread, which blocks.
 */
public final class WorkBoard implements AutoCloseable {
  /** The partition of the catalogue that has the rows. It is not the home of anything. */
  public static final Partition PARTITION = EngineWorkRows.PARTITION;

  private static final Duration AFTER_FAILURE = Duration.ofSeconds(2);
  private static final int LABEL_MAX = 64;

  /** The bytes of the partitions that a server keeps for another one. */
  private static final int KEPT_BYTES_MAX = 256 << 10;

  private final boolean shared;
  private final WorkLeases leases;
  private final LongSupplier ticks;
  private final LongSupplier nanoTime;
  private volatile Consumer<Partition> onKept = partition -> {};
  private volatile List<Partition> left = List.of();
  private final List<SharedWalk> walks = new CopyOnWriteArrayList<>();
  private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
  private final BiConsumer<String, Throwable> log;
  private final BackgroundThread thread;
  private final BackgroundThread.Job beats;

  /**
   * @param label a name of this server, for operators
   * @param log takes a line for the log and a failure
   */
  public WorkBoard(StorageEngine engine, String label, BiConsumer<String, Throwable> log) {
    this(engine, label, log, System::nanoTime);
  }

  /** Makes a board with another clock than that of the machine. */
  public WorkBoard(
      StorageEngine engine,
      String label,
      BiConsumer<String, Throwable> log,
      LongSupplier nanoTime) {
    this.log = log;
    this.nanoTime = nanoTime;
    this.thread = new BackgroundThread("work", log);
    this.shared = engine.isShared();
    this.ticks = engine::now;
    this.leases =
        new WorkLeases(
            new EngineWorkRows(engine),
            shared,
            label.substring(0, Math.min(LABEL_MAX, label.length())).replaceAll("\\p{Cntrl}", " "),
            nanoTime,
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
    SharedWalk walk = new SharedWalk(leases, name, shards, pace, ticks, nanoTime);
    walks.add(walk);
    return walk;
  }

  /** Adds a callback that runs when this server gets or loses shards. It must not block. */
  public void onShards(Runnable listener) {
    listeners.add(listener);
  }

  /**
   * Adds a callback that continues with the partitions that a server kept when it ended. It must
   * not block.
   */
  public void onKept(Consumer<Partition> callback) {
    onKept = callback;
    leases.takeNotes();
  }

  /**
   * Keeps partitions for another server, or for the next process: they are stored when this board
   * is closed.
   *
   * @return false if they are too many
   */
  public boolean keep(Collection<Partition> partitions) {
    long bytes = partitions.stream().mapToLong(OwnerCodec::length).sum();
    boolean fits = bytes <= KEPT_BYTES_MAX;
    left = fits ? List.copyOf(partitions) : List.of();
    return fits;
  }

  private static byte[] encode(List<Partition> partitions) {
    ByteBuffer bytes = ByteBuffer.allocate(partitions.stream().mapToInt(OwnerCodec::length).sum());
    partitions.forEach(one -> OwnerCodec.put(one, bytes));
    return bytes.array();
  }

  private void takeOver(byte[] notes) {
    try {
      ByteBuffer bytes = ByteBuffer.wrap(notes);
      while (bytes.hasRemaining()) {
        onKept.accept(OwnerCodec.get(bytes));
      }
    } catch (BufferUnderflowException | IllegalArgumentException e) {
      leases.lose();
    }
  }

  /** Starts the thread. From then on this server does its share of the walks that were added. */
  public void start() {
    thread.start();
  }

  /** Does what the thread does, once; for a board without a thread. */
  public Duration beat() {
    Set<ShardKey> before = leases.held().keySet();
    List<byte[]> notes = leases.beat();
    notes.forEach(this::takeOver);
    if (!leases.held().keySet().equals(before)) {
      listeners.forEach(Runnable::run);
    }
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

  /** Returns one line about who does what, for operators; empty if there is one server only. */
  public String line() {
    WorkTable table = leases.table();
    Map<ShardKey, ShardState> shards = shards(table);
    if (!shared) {
      return "";
    }
    String others =
        table.members().values().stream()
            .map(member -> member.label() + " " + owned(shards, member.session()))
            .collect(Collectors.joining(", "));
    String none =
        leases.isBeyondLimit()
            ? "; this server takes no part, because "
                + WorkLeases.MEMBERS_MAX
                + " others do, which is the most"
            : "";
    return "shards of background work: " + others + none;
  }

  private static long owned(Map<ShardKey, ShardState> shards, long session) {
    return shards.values().stream().filter(shard -> shard.owner() == session).count();
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
    visitor.gauge(
        "lazuli_work_beyond_limit",
        "1 if this server takes no part, because as many others as may do so take part.",
        leases.isBeyondLimit() ? 1 : 0);
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
    for (SharedWalk walk : walks) {
      visitor.gauge(
          "lazuli_work_shards",
          "Shards of a walk that this server does.",
          held.keySet().stream().filter(key -> key.walk().equals(walk.name())).count(),
          "walk",
          walk.name());
    }
    for (SharedWalk walk : walks) {
      visitor.counter(
          "lazuli_work_rounds",
          "Rounds of shards of a walk that this server has begun.",
          walk.rounds(),
          "walk",
          walk.name());
    }
    for (SharedWalk walk : walks) {
      visitor.gauge(
          "lazuli_work_round_age_seconds",
          "The age of the oldest round of a walk that is under way on any server; 0 if none is.",
          shards.entrySet().stream()
              .filter(shard -> shard.getKey().walk().equals(walk.name()))
              .filter(shard -> shard.getValue().isUnderWay())
              .mapToLong(shard -> seconds(shard.getValue().began()))
              .max()
              .orElse(0),
          "walk",
          walk.name());
    }
  }

  /** Gives up all shards, so that other servers continue immediately. Closes the thread first. */
  @Override
  public void close() {
    if (thread.close(BackgroundThread.CLOSE_TIME_MAX)) {
      try {
        leases.leave(left.isEmpty() ? null : encode(left));
        left = List.of();
      } catch (RuntimeException e) {
        // Other servers take the shards over after a while.
        log.accept("the background work was not handed over", e);
      }
    }
  }
}
