package io.lazuli.storage.hbase;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.lazuli.storage.StorageException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.apache.hadoop.hbase.ServerName;

/**
 * What we know of the region servers' health. A server that was silent for a while may have been
 * paused, and may have lost its regions without knowing: its next answer is to be checked. A server
 * that does not answer at all may hold a part of our threads only. Safe for any number of threads.
 */
final class RegionServers {
  /** A server that has answered nothing for this long is taken for dead by those who queue. */
  private static final Duration DEAD_AFTER = Duration.ofSeconds(2);

  private static final int WAITING_MIN = 4;

  /** Servers come with a start code: old ones are forgotten when there are this many. */
  private static final int SERVERS_MAX = 1_000;

  private final Map<ServerName, Server> servers = new ConcurrentHashMap<>();
  private final long silenceNanos;
  private final int waitingMax;
  private final LongSupplier nanoTime;

  /**
   * @param silence how long an answer vouches for the server
   * @param threads how many of ours may wait for all servers together
   */
  RegionServers(Duration silence, int threads, LongSupplier nanoTime) {
    this.silenceNanos = silence.toNanos();
    this.waitingMax = Math.max(WAITING_MIN, threads / 4);
    this.nanoTime = nanoTime;
  }

  /** Begins a call; to be ended by {@link Visit#end}. */
  Visit visit(ServerName name) {
    if (servers.size() > SERVERS_MAX) {
      servers.clear();
    }
    Server server = servers.computeIfAbsent(name, key -> new Server());
    long now = nanoTime.getAsLong();
    if (!server.enter(now, waitingMax)) {
      throw new StorageException(
          StorageException.Kind.UNAVAILABLE, "region server " + name + " does not answer");
    }
    return new Visit(server, now, server.isSilent(now, silenceNanos));
  }

  /** One server: the last call that it answered, how many wait for it, and since when in vain. */
  private final class Server {
    @GuardedBy("this")
    private boolean known;

    @GuardedBy("this")
    private long answeredSentNanos;

    @GuardedBy("this")
    private int waiting;

    /** When the first of those who wait began to, or the last answer came. */
    @GuardedBy("this")
    private long vainSinceNanos;

    synchronized boolean enter(long now, int max) {
      if (waiting == 0) {
        vainSinceNanos = now;
      }
      if (waiting >= max && now - vainSinceNanos > DEAD_AFTER.toNanos()) {
        return false;
      }
      waiting++;
      return true;
    }

    synchronized boolean isSilent(long now, long nanos) {
      return !known || now - answeredSentNanos > nanos;
    }

    synchronized void leave(long sentNanos, boolean answered) {
      waiting--;
      if (answered) {
        vainSinceNanos = nanoTime.getAsLong();
        answeredSentNanos = known ? Math.max(answeredSentNanos, sentNanos) : sentNanos;
        known = true;
      }
    }
  }

  /**
   * One call that is under way.
   *
   * @param isDoubtful true if its answer must not be trusted unless the server still has the region
   */
  record Visit(Server server, long sentNanos, boolean isDoubtful) {
    /**
     * Ends the call.
     *
     * @param answered true if the server was alive after the call was sent
     */
    void end(boolean answered) {
      server.leave(sentNanos, answered);
    }
  }
}
