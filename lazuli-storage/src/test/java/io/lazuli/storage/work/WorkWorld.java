package io.lazuli.storage.work;

import io.lazuli.storage.Bytes;
import io.lazuli.storage.StorageException;
import io.lazuli.storage.TransactionBody;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * Servers that share work, in simulated time. Calls take time, fail, and lose their answers.
 * Servers are paused, die and start; their clocks run at different speeds. While one server waits,
 * the others go on: they run within its call.
 */
final class WorkWorld {
  private static final int SERVERS = 3;
  private static final int SHARDS = 5;
  private static final long SECOND = Duration.ofSeconds(1).toNanos();

  /** The length of a piece, unless its server is paused in it. */
  private static final long PIECE_MAX = SECOND * 3 / 2;

  private static final int DEPTH_MAX = 3;

  private final Random random;
  private final @Nullable Rule broken;
  private final MapRows store = new MapRows();
  private final List<Server> servers = new ArrayList<>();
  private final List<String> violations = new ArrayList<>();
  private final Map<Integer, Long> stored = new HashMap<>();

  /** When the piece of each shard began that is under way. */
  private final Map<Integer, Long> working = new HashMap<>();

  private long nanos;
  private long sessions;
  private int depth;
  private boolean calm;
  private int pieces;
  private long takenOver;

  WorkWorld(long seed, @Nullable Rule broken) {
    this.random = new Random(seed);
    this.broken = broken;
    for (int i = 0; i < SERVERS; i++) {
      servers.add(new Server(i));
    }
  }

  /** Runs for some simulated minutes, then without faults. Returns what went wrong. */
  List<String> run() {
    advance(180 * SECOND);
    calm = true;
    advance(90 * SECOND);
    if (broken == null) {
      requireFair();
    }
    return violations;
  }

  int pieces() {
    return pieces;
  }

  long takenOver() {
    return takenOver + servers.stream().mapToLong(server -> server.leases.takenOver()).sum();
  }

  private void requireFair() {
    for (int shard = 0; shard < SHARDS; shard++) {
      int owner = shard;
      if (servers.stream().filter(server -> server.leases.holds("walk", owner)).count() != 1) {
        violations.add("nobody does shard " + shard);
      }
    }
    for (Server server : servers) {
      int count = server.leases.held("walk").size();
      if (count < SHARDS / SERVERS || count > SHARDS / SERVERS + 1) {
        violations.add("a server does " + count + " shards");
      }
    }
  }

  /** Lets time pass, in which the servers that do not wait go on. */
  private void advance(long length) {
    long end = nanos + length;
    depth++;
    while (nanos < end) {
      Turn next = null;
      if (depth <= DEPTH_MAX) {
        for (Server server : servers) {
          for (Turn turn : List.of(server.beats, server.work)) {
            if (!turn.waits && (next == null || turn.nextNanos < next.nextNanos)) {
              next = turn;
            }
          }
        }
      }
      if (next == null || next.nextNanos >= end) {
        nanos = end;
      } else {
        nanos = Math.max(nanos, next.nextNanos);
        next.run();
      }
    }
    depth--;
  }

  private long upTo(long max) {
    return (long) (random.nextDouble() * max);
  }

  /** A thread of a server. */
  private final class Turn {
    private final Runnable step;
    private boolean waits;
    private long nextNanos;

    Turn(Runnable step) {
      this.step = step;
    }

    void run() {
      waits = true;
      try {
        step.run();
      } catch (StorageException e) {
        // The next turn tries again.
      } finally {
        waits = false;
        nextNanos = nanos + upTo(2 * SECOND);
      }
    }
  }

  /** One server: one thread beats, another one does pieces. */
  private final class Server implements WorkRows {
    private final double speed = 0.92 + random.nextDouble() * 0.16;
    private final long offset = random.nextInt();
    private final int number;
    private final Turn beats = new Turn(this::beat);
    private final Turn work = new Turn(this::work);
    private WorkLeases leases;
    private long nextBeat;

    Server(int number) {
      this.number = number;
      leases = start();
    }

    private WorkLeases start() {
      WorkLeases fresh =
          broken == null
              ? new WorkLeases(this, true, "", this::clock, () -> ++sessions)
              : broken.without(this, this::clock, () -> ++sessions);
      fresh.add("walk", SHARDS);
      return fresh;
    }

    private long clock() {
      return offset + (long) (nanos * speed);
    }

    private void beat() {
      if (!calm && !work.waits && random.nextInt(100) == 0) {
        // The process dies, and another one starts.
        takenOver += leases.takenOver();
        leases = start();
      }
      if (nanos >= nextBeat) {
        nextBeat = nanos + WorkLeases.BEAT.toNanos();
        leases.beat();
      }
    }

    /** A call's way, on which the server may be paused for long. */
    private void travel() {
      boolean paused = !calm && random.nextInt(40) == 0;
      advance(paused ? upTo(40 * SECOND) : upTo(SECOND / 5));
    }

    private void work() {
      List<Held> held = leases.held("walk");
      if (held.isEmpty()) {
        return;
      }
      Held shard = held.get(random.nextInt(held.size()));
      if (!leases.begin(shard)) {
        return;
      }
      pieces++;
      int key = shard.key().shard();
      long began = nanos;
      Long other = working.put(key, began);
      if (other != null && began - other <= PIECE_MAX) {
        violations.add("two servers do shard " + key + " at " + nanos / SECOND + " s");
      }
      advance(upTo(PIECE_MAX));
      working.remove(key, began);
      Bytes cursor = shard.state().cursor();
      long reached = 1 + (cursor == null ? 0 : ByteBuffer.wrap(cursor.array()).getLong());
      ShardState after =
          new ShardState(
              0,
              0,
              0,
              0,
              0,
              false,
              Bytes.of(ByteBuffer.allocate(Long.BYTES).putLong(reached).array()));
      try {
        // The server may be paused before it stores.
        boolean unused = leases.store(shard, after);
      } finally {
        leases.end(shard, after);
      }
    }

    @Override
    public NavigableMap<Bytes, byte[]> all() {
      travel();
      fail();
      NavigableMap<Bytes, byte[]> rows = store.all();
      travel();
      return rows;
    }

    @Override
    public <R> R change(List<Bytes> touch, TransactionBody<R> body) {
      travel();
      fail();
      R result = store.change(touch, body);
      check();
      travel();
      fail();
      return result;
    }

    private void fail() {
      if (!calm && random.nextInt(60) == 0) {
        throw new StorageException(StorageException.Kind.UNKNOWN_OUTCOME, "lost by " + number);
      }
    }

    /** A stored cursor never goes back. */
    private void check() {
      for (int shard = 0; shard < SHARDS; shard++) {
        Bytes cursor =
            ShardState.decode(store.rows.get(new ShardKey("walk", shard).row())).cursor();
        long now = cursor == null ? 0 : ByteBuffer.wrap(cursor.array()).getLong();
        Long before = stored.put(shard, now);
        if (before != null && now < before) {
          violations.add("the cursor of shard " + shard + " went from " + before + " to " + now);
        }
      }
    }
  }
}
