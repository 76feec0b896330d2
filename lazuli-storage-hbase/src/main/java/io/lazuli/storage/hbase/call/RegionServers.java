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
  enum Sign {
    /** It answered, or said why not: it is alive. */
    ALIVE,
    /** Nothing came back. */
    NONE,
    /** Nobody listens there. */
    GONE
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
   * Begins a call that a thread will wait for; to be ended by {@link Visit#end}.
   *
   * @throws StorageException of kind {@code UNAVAILABLE} if the server is dead and enough of the
   *     thread's crew wait for it
   */
  Visit visit(Waiter waiter, ServerName name) {
    return visit(waiter, server(name));
  }

  /** Begins a question where a region is, which is asked of the server that has the answers. */
  Visit visitMeta(Waiter waiter) {
    return visit(waiter, meta);
  }

  /** Begins a call that nobody waits for yet. */
  Visit glance(Crew crew, ServerName name) {
    Server server = server(name);
    long now = nanoTime.getAsLong();
    if (server.isFull(crew, now)) {
      throw server.refusal();
    }
    return new Visit(server, null, now, server.isSilent(now));
  }

  private Visit visit(Waiter waiter, Server server) {
    long now = nanoTime.getAsLong();
    if (!waiter.enter(server, now)) {
      throw server.refusal();
    }
    return new Visit(server, waiter, now, server.isSilent(now));
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
    private boolean known;

    @GuardedBy("this")
    private long answeredSentNanos;

    @GuardedBy("this")
    private int transactions;

    @GuardedBy("this")
    private int callers;

    /** When the first of those who wait began to, or the last sign of life came. */
    @GuardedBy("this")
    private long vainSinceNanos;

    @GuardedBy("this")
    private boolean gone;

    private Server(String name) {
      this.name = name;
    }

    /**
     * Takes a place.
     *
     * @param inside true if the thread has one already; it loses it if there are too many
     */
    synchronized boolean enter(Crew crew, boolean inside, long now) {
      if (inside) {
        leave(crew);
      } else if (transactions + callers == 0) {
        vainSinceNanos = now;
      }
      if (isFull(crew, now)) {
        return false;
      }
      count(crew, 1);
      return true;
    }

    synchronized void leave(Crew crew) {
      count(crew, -1);
    }

    synchronized boolean isFull(Crew crew, long now) {
      boolean dead = gone || now - vainSinceNanos > DEAD_AFTER.toNanos();
      return dead
          && switch (crew) {
            case TRANSACTIONS -> transactions >= transactionsMax;
            case CALLERS -> callers >= callersMax;
          };
    }

    @GuardedBy("this")
    private void count(Crew crew, int step) {
      switch (crew) {
        case TRANSACTIONS -> transactions += step;
        case CALLERS -> callers += step;
      }
    }

    synchronized boolean isSilent(long now) {
      return !known || now - answeredSentNanos > silenceNanos;
    }

    synchronized void note(Sign sign) {
      switch (sign) {
        case ALIVE -> {
          gone = false;
          vainSinceNanos = nanoTime.getAsLong();
        }
        case GONE -> gone = true;
        case NONE -> {}
      }
    }

    synchronized void vouch(long sentNanos) {
      answeredSentNanos = known ? Math.max(answeredSentNanos, sentNanos) : sentNanos;
      known = true;
    }

    StorageException refusal() {
      return new StorageException(
          StorageException.Kind.UNAVAILABLE, "region server " + name + " does not answer");
    }
  }

  /**
   * One call that is under way.
   *
   * @param waiter who waits for it, if anybody does
   * @param isDoubtful true if its answer must not be trusted unless the server still has the region
   */
  record Visit(Server server, @Nullable Waiter waiter, long sentNanos, boolean isDoubtful) {
    /** Ends the call. Who got no sign of life keeps its place until it gives up. */
    void end(Sign sign) {
      server.note(sign);
      if (sign == Sign.ALIVE && waiter != null) {
        waiter.leave(server);
      }
    }

    /** The server had the region after the call was sent: its other answers may be believed. */
    void vouch() {
      server.vouch(sentNanos);
    }
  }
}
