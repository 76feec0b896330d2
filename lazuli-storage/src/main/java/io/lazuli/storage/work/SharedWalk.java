package io.lazuli.storage.work;

import io.lazuli.storage.Bytes;
import io.lazuli.storage.Ticks;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A walk over the store that its servers do together. It has shards; each shard is done by one
 * server at a time, in rounds of pieces. A round that a server has begun is continued by the next
 * owner of the shard, or by the next process, near the place where it stopped. Used by one thread,
 * except for {@link #isHeld} and {@link #request}.
 */
public final class SharedWalk {
  /**
   * The time after which a piece of a walk over names returns where it stands. A piece that fails
   * is repeated as a whole, so a piece without this bound might never end.
   */
  public static final Duration PIECE = Duration.ofSeconds(5);

  /**
   * How often the cursor of a round is stored, after a piece. A new owner repeats the work of this
   * time and one piece at most.
   */
  static final Duration STORED_EVERY = Duration.ofSeconds(5);

  /** How long a shard that failed comes after the others. */
  private static final Duration LAST = Duration.ofMinutes(5);

  /** How often a walk that owns nothing looks again. */
  private static final Duration LOOK = Duration.ofSeconds(5);

  /** A part of a round. It is bounded, and it can be done twice. */
  @FunctionalInterface
  public interface Piece {
    /**
     * Does some of the work. Blocks.
     *
     * @param shard the shard, from 0 on
     * @param from what the piece before returned; empty at the begin of a round
     * @param full true if the round is to read everything
     * @return where the next piece continues; null after the last one
     */
    @Nullable Bytes run(int shard, Bytes from, boolean full) throws Exception;
  }

  private final WorkLeases leases;
  private final String name;
  private final int shards;
  private final Pace pace;
  private final LongSupplier ticks;
  private final LongSupplier nanoTime;

  private final LongAdder rounds = new LongAdder();

  /** The shards whose next round is due at once. */
  private final Set<Integer> requested = ConcurrentHashMap.newKeySet();

  /** When the cursor of each shard was stored, or its first piece began. */
  private final Map<Held, Long> storedNanos = new HashMap<>();

  /** When a piece of a shard failed, and none has succeeded since. */
  private final Map<Held, Long> failedNanos = new HashMap<>();

  SharedWalk(
      WorkLeases leases,
      String name,
      int shards,
      Pace pace,
      LongSupplier ticks,
      LongSupplier nanoTime) {
    this.leases = leases;
    this.name = name;
    this.shards = shards;
    this.pace = pace;
    this.ticks = ticks;
    this.nanoTime = nanoTime;
  }

  String name() {
    return name;
  }

  public int shards() {
    return shards;
  }

  /** Returns the number of rounds of shards that this server has begun. */
  long rounds() {
    return rounds.sum();
  }

  /** Returns whether this server may do work of a shard now. */
  public boolean isHeld(int shard) {
    return leases.holds(name, shard);
  }

  /** Makes a round of the shards of this server due at once; any thread may call it. */
  public void request() {
    for (int shard = 0; shard < shards; shard++) {
      if (isHeld(shard)) {
        requested.add(shard);
      }
    }
  }

  /** Returns the shard of something that has a name. */
  public int shardOf(Object name) {
    return Math.floorMod(name.hashCode() * 0x9e3779b9, shards);
  }

  /**
   * Does one piece of the round that is due first, if one is due and this server may do it.
   *
   * @param between the pause between two pieces
   * @return the pause before the next call
   */
  public Duration step(Duration between, Piece piece) throws Exception {
    Held next = null;
    List<Held> held = leases.held(name);
    storedNanos.keySet().retainAll(held);
    failedNanos.keySet().retainAll(held);
    for (Held shard : held) {
      if (next == null || isBefore(shard, next)) {
        next = shard;
      }
    }
    if (next == null) {
      return LOOK;
    }
    long left = dueTicks(next) - ticks.getAsLong();
    if (left > 0) {
      Duration pause = Duration.ofMillis(left / (Ticks.PER_SECOND / 1_000) + 1);
      return pause.compareTo(LOOK) < 0 ? pause : LOOK;
    }
    return run(next, piece) ? between : Duration.ZERO;
  }

  private long dueTicks(Held shard) {
    return requested.contains(shard.key().shard())
        ? 0
        : pace.dueTicks(shard.state(), leases.losses());
  }

  /**
   * Returns whether a shard comes before another one. Of those that are due, failed ones are last.
   */
  private boolean isBefore(Held a, Held b) {
    long dueA = dueTicks(a);
    long dueB = dueTicks(b);
    long now = nanoTime.getAsLong();
    if (Math.max(dueA, dueB) <= ticks.getAsLong() && failedFor(a, now) != failedFor(b, now)) {
      return failedFor(a, now) > failedFor(b, now);
    }
    return dueA != dueB ? dueA < dueB : a.state().completed() < b.state().completed();
  }

  /** Returns how long ago a shard failed; the largest number if it did not lately. */
  private long failedFor(Held shard, long now) {
    Long failed = failedNanos.get(shard);
    long age = failed == null ? Long.MAX_VALUE : now - failed;
    return age < LAST.toNanos() ? age : Long.MAX_VALUE;
  }

  private boolean run(Held shard, Piece piece) throws Exception {
    if (!leases.begin(shard)) {
      return false;
    }
    ShardState before = shard.state();
    if (!before.isUnderWay()) {
      requested.remove(shard.key().shard());
      rounds.increment();
      long now = ticks.getAsLong();
      long losses = leases.losses();
      before = before.begun(now, pace.isFull(before, now, losses), losses);
    }
    ShardState reached = before;
    storedNanos.putIfAbsent(shard, nanoTime.getAsLong());
    failedNanos.put(shard, nanoTime.getAsLong());
    try {
      Bytes from = before.cursor() == null ? Bytes.EMPTY : before.cursor();
      Bytes next = piece.run(shard.key().shard(), from, before.full());
      // Reached even if the cursor cannot be stored: the piece is done.
      reached = before.after(next, ticks.getAsLong());
      failedNanos.remove(shard);
      store(shard, reached);
    } finally {
      leases.end(shard, reached);
    }
    return true;
  }

  private void store(Held shard, ShardState after) {
    long now = nanoTime.getAsLong();
    boolean due;
    if (after.isUnderWay()) {
      long last = storedNanos.getOrDefault(shard, now);
      due = now - last >= STORED_EVERY.toNanos();
    } else {
      due = shard.stored().isUnderWay() || pace.isWorthStoring();
    }
    if (due && leases.store(shard, after)) {
      storedNanos.put(shard, now);
    }
  }
}
