package io.lazuli.server.queue.service;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.lazuli.server.queue.service.QueueScan.Found;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The first visible messages of a shared queue, as this server's last search found them. Gets claim
 * messages here, each its own, so that one search serves many gets, and no two gets of this server
 * try to take the same message. A claim reserves nothing for other servers: a message is handed out
 * by a transaction that reads it. Thread-safe.
 *
 * <p><b>Several consumers' servers.</b> Each server would take the same first messages, and all but
 * one would fail. So a server that found claimed messages gone picks, for a while, an eighth of
 * what it finds, at random, and takes that in order. It then hands out messages in almost the order
 * of the queue, as Azure does.
 */
final class QueueWindow {
  /** The number of rows that a search asks for at most, apart from those that are claimed. */
  static final int ROWS_MAX = 256;

  private static final int SPARE_ROWS = 8;
  private static final int PARTS = 8;

  /**
   * The number of searches after which a server that met no rival takes the first messages again.
   */
  private static final int WARY_SEARCHES = 16;

  /** A search, which several gets may wait for. */
  static final class Search {
    private final long begun;
    private final int rowsMax;
    private final CompletableFuture<Boolean> end = new CompletableFuture<>();
    private volatile boolean succeeded;
    private volatile boolean full;

    private Search(long begun, int rowsMax) {
      this.begun = begun;
      this.rowsMax = rowsMax;
    }

    int rowsMax() {
      return rowsMax;
    }

    /** Completes when the search has ended, with false if it failed. */
    CompletableFuture<Boolean> end() {
      return end;
    }

    /** Returns true if the search began after a moment, and did not fail. */
    boolean hasShownSince(long moment) {
      return succeeded && begun > moment;
    }

    /** Returns true if there may be more messages than gets can claim now. */
    boolean isFull() {
      return full;
    }
  }

  private final RandomGenerator random;

  @GuardedBy("this")
  private final Set<UUID> free = new LinkedHashSet<>();

  @GuardedBy("this")
  private final Set<UUID> claimed = new HashSet<>();

  /** The claimed messages that this server has changed or removed, apart from handing them out. */
  @GuardedBy("this")
  private final Set<UUID> changed = new HashSet<>();

  /** The messages that were released or changed while the search was running. */
  @GuardedBy("this")
  private final Set<UUID> released = new HashSet<>();

  @GuardedBy("this")
  private @Nullable Search running;

  /** Orders gets and searches. */
  @GuardedBy("this")
  private long moments;

  /** The number of claims since the last search. */
  @GuardedBy("this")
  private int claims;

  @GuardedBy("this")
  private int wary;

  QueueWindow(RandomGenerator random) {
    this.random = random;
  }

  /** Returns the present moment. */
  synchronized long now() {
    return ++moments;
  }

  /** Takes messages that no other get has. */
  synchronized List<UUID> claim(int max) {
    List<UUID> ids = new ArrayList<>(Math.min(max, free.size()));
    Iterator<UUID> first = free.iterator();
    while (ids.size() < max && first.hasNext()) {
      UUID id = first.next();
      first.remove();
      claimed.add(id);
      ids.add(id);
    }
    claims += ids.size();
    return ids;
  }

  /**
   * Ends the claims of a get.
   *
   * @param gone the messages that somebody was faster to take or change
   */
  synchronized void release(List<UUID> ids, List<UUID> gone) {
    boolean hasRival = !changed.containsAll(gone);
    for (UUID id : ids) {
      claimed.remove(id);
      changed.remove(id);
      if (running != null) {
        released.add(id);
      }
    }
    if (hasRival) {
      wary = WARY_SEARCHES;
      free.clear();
    }
  }

  /** Reports that this server has changed or removed a message, which no get has to try then. */
  synchronized void changed(UUID id) {
    free.remove(id);
    if (claimed.contains(id)) {
      changed.add(id);
    }
    if (running != null) {
      released.add(id);
    }
  }

  /** Returns the search that is running; null if there is none. */
  synchronized @Nullable Search running() {
    return running;
  }

  /**
   * Begins a search, which must be ended. Returns null if another one is running.
   *
   * @param wanted the number of messages that the caller needs
   */
  synchronized @Nullable Search begin(int wanted) {
    if (running != null) {
      return null;
    }
    int rows = wary > 0 ? ROWS_MAX : Math.min(ROWS_MAX, Math.max(wanted + SPARE_ROWS, 2 * claims));
    claims = 0;
    released.clear();
    running = new Search(++moments, rows + claimed.size());
    return running;
  }

  /** Ends a search with the rows that it found, in order; null if it failed. */
  void end(Search search, @Nullable List<Found> found) {
    synchronized (this) {
      running = null;
      if (found != null) {
        boolean isAll = show(found);
        search.full = !isAll || found.size() >= search.rowsMax;
        search.succeeded = true;
      }
    }
    search.end.complete(found != null);
  }

  /** Offers messages to gets. Returns false if it leaves some of them to other servers. */
  @GuardedBy("this")
  private boolean show(List<Found> found) {
    List<UUID> others = new ArrayList<>(found.size());
    for (Found row : found) {
      if (!claimed.contains(row.id()) && !released.contains(row.id())) {
        others.add(row.id());
      }
    }
    free.clear();
    free.addAll(wary > 0 ? part(others) : others);
    wary = Math.max(0, wary - 1);
    return free.size() == others.size();
  }

  @GuardedBy("this")
  private List<UUID> part(List<UUID> ids) {
    if (ids.size() < PARTS) {
      return ids;
    }
    int length = ids.size() / PARTS;
    int begin = length * random.nextInt(PARTS);
    return ids.subList(begin, begin + length);
  }
}
