package io.lazuli.storage.hbase.lease;

import io.lazuli.storage.hbase.lease.HomeRecord.Announcement;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A home and its servers in simulated time. Messages take a random time, servers are paused at
 * random points, their clocks run at different speeds, and drops stop halfway. The same seed gives
 * the same run. Used by one thread.
 */
final class LeaseWorld {
  static final int SHORT_LEASE = 60;
  static final int LONG_LEASE = 240;

  private static final int SERVERS = 3;
  private static final int END = 2_000;
  private static final int PAUSE_MAX = 400;

  /** The number of spaces that are requested and dropped at the same time. */
  private static final int SPACES = 4;

  /** The number of the cluster among the servers. It is never paused. */
  private static final int CLUSTER = -1;

  private final SplittableRandom random;
  private final @Nullable Rule broken;
  private final PriorityQueue<Event> events =
      new PriorityQueue<>(Comparator.comparingLong(Event::time).thenComparingLong(Event::number));
  private final long[] pausedUntil = new long[SERVERS];
  private final double[] speeds = new double[SERVERS];
  private final List<Past> past = new ArrayList<>();
  private final Map<Long, Long> droppedAt = new HashMap<>();
  private final List<String> violations = new ArrayList<>();
  private long now;
  private long eventNumber;
  private long spaces = SPACES;
  private int longest = SHORT_LEASE;
  private int answers;
  private int covered;

  private record Event(long time, long number, int server, Runnable action) {}

  /** The content of the home since a point in time. */
  private record Past(long since, HomeRecord record, Set<Long> dropped) {}

  /** Decides on one server whether a request may be answered. */
  interface Checks {
    /** Begins a request. The result is called after the answer for the data has arrived. */
    Supplier<CompletableFuture<Boolean>> begin(long space);
  }

  /** Makes the checks of a server, for a length of its leases. */
  interface ChecksOfServer {
    Checks make(LeaseWorld world, int server, int length);
  }

  /**
   * @param broken the rule that is not kept; null if all are
   */
  LeaseWorld(long seed, @Nullable Rule broken) {
    this.random = new SplittableRandom(seed);
    this.broken = broken;
    past.add(new Past(0, HomeRecord.EMPTY, Set.of()));
    for (int server = 0; server < SERVERS; server++) {
      speeds[server] = random.nextBoolean() ? 0.9 : 1.1;
    }
  }

  /** Runs to the end and returns the answers that contradict a drop. */
  List<String> run(ChecksOfServer checks) {
    for (int server = 0; server < SERVERS; server++) {
      new LeaseServer(this, server, checks).start();
      pauseLater(server);
    }
    for (Event event = events.poll();
        event != null && event.time < END && violations.isEmpty();
        event = events.poll()) {
      now = event.time;
      long wake = event.server == CLUSTER ? 0 : pausedUntil[event.server];
      if (wake > now) {
        events.add(new Event(wake, eventNumber++, event.server, event.action));
      } else {
        event.action.run();
      }
    }
    return violations;
  }

  boolean keeps(Rule rule) {
    return rule != broken;
  }

  int answers() {
    return answers;
  }

  /** Returns how many checks needed no call. */
  int covered() {
    return covered;
  }

  void countCovered() {
    covered++;
  }

  int drops() {
    return droppedAt.size();
  }

  /** Returns the time of a server's clock, which goes on while the server is paused. */
  long clock(int server) {
    return (long) (now * speeds[server]) + 1_000L * server;
  }

  int below(int bound) {
    return random.nextInt(bound);
  }

  /** Returns a space, which may have been dropped already. */
  long anySpace() {
    return spaces - random.nextInt(SPACES);
  }

  /** Returns the time until a server's clock shows a value. */
  long until(int server, long clock) {
    return (long) Math.ceil(Math.max(0, clock - clock(server)) / speeds[server]);
  }

  /** Runs an action on a server after a time. A paused server runs it later. */
  void later(int server, long delay, Runnable action) {
    events.add(new Event(now + delay, eventNumber++, server, action));
  }

  /** Runs an action with the result of a call. */
  static <T> void then(CompletableFuture<T> call, Consumer<T> action) {
    CompletableFuture<Void> unused = call.thenAccept(action);
  }

  /** Calls the cluster. The work is done there at one point in time; the answer comes later. */
  <T> CompletableFuture<T> call(int server, Supplier<T> work) {
    CompletableFuture<T> answer = new CompletableFuture<>();
    later(
        CLUSTER,
        delay(),
        () -> {
          T result = work.get();
          later(server, delay(), () -> answer.complete(result));
        });
    return answer;
  }

  CompletableFuture<Long> callForData(int server) {
    return call(server, () -> now);
  }

  CompletableFuture<HomeRecord> readHome(int server) {
    long sent = now;
    return call(server, () -> seenSince(sent).record);
  }

  CompletableFuture<Boolean> readDropped(int server, long space) {
    long sent = now;
    return call(server, () -> seenSince(sent).dropped.contains(space));
  }

  CompletableFuture<Integer> readLongest(int server) {
    return call(server, () -> longest);
  }

  CompletableFuture<Boolean> recordLongest(int server, int length) {
    return call(
        server,
        () -> {
          longest = Math.max(longest, length);
          return true;
        });
  }

  CompletableFuture<Announcement> announce(int server, long space) {
    return call(
        server,
        () -> {
          set(record().announce(List.of(space)), dropped());
          Announcement found = record().find(space);
          return found == null ? new Announcement(space, -1) : found;
        });
  }

  void withdrawSomething(int server) {
    List<Announcement> seen = record().announced();
    if (!seen.isEmpty()) {
      Announcement one = seen.get(below(seen.size()));
      CompletableFuture<Boolean> unused =
          call(
              server,
              () -> {
                set(record().withdraw(Set.of(one)), dropped());
                return true;
              });
    }
  }

  /** Commits a drop if its announcement is there. */
  CompletableFuture<Boolean> commit(int server, Announcement waited) {
    return call(
        server,
        () -> {
          Announcement found = record().find(waited.space());
          boolean ready =
              !keeps(Rule.ANNOUNCES)
                  || (keeps(Rule.COMMITS_ITS_ANNOUNCEMENT) ? waited.equals(found) : found != null);
          if (ready) {
            Set<Long> more = new HashSet<>(dropped());
            more.add(waited.space());
            if (droppedAt.putIfAbsent(waited.space(), now) == null) {
              // A new space takes its place.
              spaces++;
            }
            set(record().drop(found == null ? Set.of() : Set.of(found)), more);
          }
          return ready;
        });
  }

  /** Records an answer that says that the space exists. */
  void answered(int server, long space, long dataTime) {
    answers++;
    Long dropped = droppedAt.get(space);
    if (dropped != null && dropped <= dataTime) {
      violations.add(
          "at %d server %d answers for space %d with data of %d, but it was dropped at %d"
              .formatted(now, server, space, dataTime, dropped));
    }
  }

  private void pauseLater(int server) {
    later(
        CLUSTER,
        1 + random.nextInt(600),
        () -> {
          pausedUntil[server] = now + 1 + random.nextInt(PAUSE_MAX);
          pauseLater(server);
        });
  }

  /** Most messages are fast, and some are slower than a lease. */
  private int delay() {
    return random.nextInt(8) == 0 ? 1 + random.nextInt(200) : 1 + random.nextInt(5);
  }

  private HomeRecord record() {
    return past.get(past.size() - 1).record;
  }

  private Set<Long> dropped() {
    return past.get(past.size() - 1).dropped;
  }

  private void set(HomeRecord record, Set<Long> dropped) {
    past.add(new Past(now, record, Set.copyOf(dropped)));
  }

  /**
   * Returns the content as of some point in time since a read was sent: that is all that a read
   * promises. Without the rule for reads, it may be older.
   */
  private Past seenSince(long sent) {
    long oldest = keeps(Rule.READS_ARE_FRESH) ? sent : Math.max(0, sent - PAUSE_MAX);
    long at = oldest + random.nextLong(now - oldest + 1);
    for (int i = past.size() - 1; i > 0; i--) {
      if (past.get(i).since <= at) {
        return past.get(i);
      }
    }
    return past.get(0);
  }
}
