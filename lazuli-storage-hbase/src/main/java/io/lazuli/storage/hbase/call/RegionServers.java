package io.lazuli.storage.hbase.call;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.lazuli.storage.StorageException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.apache.hadoop.hbase.ServerName;
import org.jspecify.annotations.Nullable;

/**
 * The health of the region servers, as far as this server knows it. A region server that was silent
 * for a while may have been paused and may have lost its regions without noticing: its next answer
 * must be checked. A server that does not answer at all may hold at most a quarter of the threads
 * of each kind, from their first attempt to their last; all other threads are refused immediately.
 * Thread-safe.
 */
public final class RegionServers {
  /** A server that has calls and answers none of them for this long counts as dead. */
  private static final Duration DEAD_AFTER = Duration.ofSeconds(2);

  /**
   * The maximum number of servers to remember. A restarted server has a new name, so their number
   * grows; above the maximum all entries are discarded.
   */
  private static final int SERVERS_MAX = 1_000;

  /** The state of a server, as the end of a call shows it. */
  enum Liveness {
    /** The server answered, or reported why it did nothing. */
    ALIVE,
    /** No answer came back. */
    SILENT,
    /** Nobody listens at the address. */
    UNREACHABLE
  }

  private final Map<ServerName, Server> servers = new ConcurrentHashMap<>();
  private final Server meta = new Server("of hbase:meta");
  private final long silenceNanos;
  private final int transactionsMax;
  private final int callersMax;
  private final LongSupplier nanoTime;

  /**
   * @param silence how long a server's answers are trusted without a check after one was confirmed
   * @param transactions the number of transaction threads of the engine
   * @param callers the number of threads in the smallest pool of callers
   */
  public RegionServers(Duration silence, int transactions, int callers, LongSupplier nanoTime) {
    this.silenceNanos = silence.toNanos();
    this.transactionsMax = Math.max(1, transactions / 4);
    this.callersMax = Math.max(1, callers / 4);
    this.nanoTime = nanoTime;
  }

  /**
   * Begins a call that a thread will wait for. {@link ServerCall#end} ends it.
   *
   * @throws StorageException of kind {@code UNAVAILABLE} if the server is dead and enough threads
   *     of the same kind wait for it
   */
  ServerCall begin(CallingThread thread, ServerName name) {
    return begin(thread, server(name));
  }

  /** Begins a lookup of a region's location at the server of {@code hbase:meta}. */
  ServerCall beginMeta(CallingThread thread) {
    return begin(thread, meta);
  }

  /** Begins a call that no thread waits for yet. */
  ServerCall beginUnawaited(WorkerKind kind, ServerName name) {
    Server server = server(name);
    long now = nanoTime.getAsLong();
    if (server.hasNoFreeSlot(kind, now)) {
      throw server.refusal();
    }
    return new ServerCall(server, null, now, server.needsCheck(now));
  }

  private ServerCall begin(CallingThread thread, Server server) {
    long now = nanoTime.getAsLong();
    if (!thread.acquireSlot(server, now)) {
      throw server.refusal();
    }
    return new ServerCall(server, thread, now, server.needsCheck(now));
  }

  private Server server(ServerName name) {
    if (servers.size() > SERVERS_MAX) {
      servers.clear();
    }
    return servers.computeIfAbsent(name, key -> new Server(String.valueOf(key)));
  }

  /**
   * The state of one server: when it was last confirmed, how many threads wait for it, and since
   * when it has not answered them.
   */
  final class Server {
    private final String name;

    @GuardedBy("this")
    private boolean confirmed;

    @GuardedBy("this")
    private long confirmedNanos;

    @GuardedBy("this")
    private int transactions;

    @GuardedBy("this")
    private int callers;

    /**
     * The time when the first waiting thread began to wait, or when the server last answered, if
     * that was later.
     */
    @GuardedBy("this")
    private long unansweredSinceNanos;

    @GuardedBy("this")
    private boolean unreachable;

    private Server(String name) {
      this.name = name;
    }

    /**
     * Acquires a slot.
     *
     * @param holdsSlot true if the thread already holds a slot of this server; it loses the slot if
     *     the result is false
     */
    synchronized boolean acquireSlot(WorkerKind kind, boolean holdsSlot, long now) {
      if (holdsSlot) {
        releaseSlot(kind);
      } else if (transactions + callers == 0) {
        unansweredSinceNanos = now;
      }
      if (hasNoFreeSlot(kind, now)) {
        return false;
      }
      count(kind, 1);
      return true;
    }

    synchronized void releaseSlot(WorkerKind kind) {
      count(kind, -1);
    }

    synchronized boolean hasNoFreeSlot(WorkerKind kind, long now) {
      boolean dead = unreachable || now - unansweredSinceNanos > DEAD_AFTER.toNanos();
      return dead
          && switch (kind) {
            case TRANSACTIONS -> transactions >= transactionsMax;
            case CALLERS -> callers >= callersMax;
          };
    }

    @GuardedBy("this")
    private void count(WorkerKind kind, int step) {
      switch (kind) {
        case TRANSACTIONS -> transactions += step;
        case CALLERS -> callers += step;
      }
    }

    synchronized boolean needsCheck(long now) {
      return !confirmed || now - confirmedNanos > silenceNanos;
    }

    synchronized void note(Liveness liveness) {
      switch (liveness) {
        case ALIVE -> {
          unreachable = false;
          unansweredSinceNanos = nanoTime.getAsLong();
        }
        case UNREACHABLE -> unreachable = true;
        case SILENT -> {}
      }
    }

    synchronized void confirm(long sentNanos) {
      confirmedNanos = confirmed ? Math.max(confirmedNanos, sentNanos) : sentNanos;
      confirmed = true;
    }

    StorageException refusal() {
      return new StorageException(
          StorageException.Kind.UNAVAILABLE, "region server " + name + " does not answer");
    }
  }

  /**
   * One call that is under way.
   *
   * @param thread the thread that waits for the call; null if none does
   * @param needsCheck true if the answer counts only after a check that the server has the region
   */
  record ServerCall(
      Server server, @Nullable CallingThread thread, long sentNanos, boolean needsCheck) {
    /** Ends the call. Without an answer, the thread keeps its slot until it gives up. */
    void end(Liveness liveness) {
      server.note(liveness);
      if (liveness == Liveness.ALIVE && thread != null) {
        thread.releaseSlot(server);
      }
    }

    /**
     * Records that the server had the region after the call was sent. Its next answers are trusted.
     */
    void confirm() {
      server.confirm(sentNanos);
    }
  }
}
