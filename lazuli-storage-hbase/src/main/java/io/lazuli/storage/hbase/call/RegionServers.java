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
 * What we know of the region servers' health. A server that was silent for a while may have been
 * paused, and may have lost its regions without knowing: its next answer is to be checked. A server
 * that does not answer at all holds at most a quarter of each crew's threads, from the first
 * attempt to the last; all others are refused at once. Safe for any number of threads.
 */
public final class RegionServers {
  /** A server that has answered nothing for this long, though it was asked, is taken for dead. */
  private static final Duration DEAD_AFTER = Duration.ofSeconds(2);

  /** Servers come with a start code: old ones are forgotten when there are this many. */
  private static final int SERVERS_MAX = 1_000;

  /** How a call ended, as far as it tells about the server. */
  enum Liveness {
    /** It answered, or said why not: it is alive. */
    ALIVE,
    /** Nothing came back. */
    SILENT,
    /** Nobody listens there. */
    UNREACHABLE
  }

  private final Map<ServerName, Server> servers = new ConcurrentHashMap<>();
  private final Server meta = new Server("that has hbase:meta");
  private final long silenceNanos;
  private final int transactionsMax;
  private final int callersMax;
  private final LongSupplier nanoTime;

  /**
   * @param silence how long an answer vouches for the server
   * @param transactions how many threads the engine has
   * @param callers how many threads the smallest pool of callers has
   */
  public RegionServers(Duration silence, int transactions, int callers, LongSupplier nanoTime) {
    this.silenceNanos = silence.toNanos();
    this.transactionsMax = Math.max(1, transactions / 4);
    this.callersMax = Math.max(1, callers / 4);
    this.nanoTime = nanoTime;
  }

  /**
   * Begins a call that a thread will wait for; to be ended by {@link ServerCall#end}.
   *
   * @throws StorageException of kind {@code UNAVAILABLE} if the server is dead and enough of the
   *     thread's crew wait for it
   */
  ServerCall begin(CallingThread thread, ServerName name) {
    return begin(thread, server(name));
  }

  /** Begins a question where a region is, which is asked of the server that has the answers. */
  ServerCall beginMeta(CallingThread thread) {
    return begin(thread, meta);
  }

  /** Begins a call that nobody waits for yet. */
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

  /** One server: when it last vouched for itself, who waits for it, and since when in vain. */
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

    /** When the first of those who wait began to, or the last sign of life came. */
    @GuardedBy("this")
    private long unansweredSinceNanos;

    @GuardedBy("this")
    private boolean unreachable;

    private Server(String name) {
      this.name = name;
    }

    /**
     * Takes a place.
     *
     * @param holdsSlot true if the thread has one already; it loses it if there are too many
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
   * @param thread who waits for it, if anybody does
   * @param needsCheck true if its answer must not be trusted unless the server still has the region
   */
  record ServerCall(
      Server server, @Nullable CallingThread thread, long sentNanos, boolean needsCheck) {
    /** Ends the call. Who got no sign of life keeps its place until it gives up. */
    void end(Liveness liveness) {
      server.note(liveness);
      if (liveness == Liveness.ALIVE && thread != null) {
        thread.releaseSlot(server);
      }
    }

    /** The server had the region after the call was sent: its other answers may be believed. */
    void confirm() {
      server.confirm(sentNanos);
    }
  }
}
