package io.lazuli.server.queue.service;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.lazuli.storage.Bytes;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Remembers below which row a queue has no rows of one kind any more, so that a search need not
 * pass what was worked off: in an ordered store removed rows cost a scan as much as live ones until
 * they are compacted away. Safe for any number of threads.
 *
 * <p><b>What holds.</b> Every row whose write was acknowledged lies at or above the position.
 *
 * <p><b>Why.</b> Whoever writes a row tells of it before the write is acknowledged, and that lowers
 * the position to the row if need be. A search begins at the position, finds out on the store that
 * there is nothing below some row, and raises the position to it when it ends. A row that was
 * written after the search looked may lie in between: if its write was told of while the search
 * ran, the search remembers the lowest such row and raises the position no further; if it is told
 * of later, it will lower the position then.
 */
final class LowestLive {
  @GuardedBy("this")
  private Bytes position;

  @GuardedBy("this")
  private final Set<Search> running = Collections.newSetFromMap(new IdentityHashMap<>());

  /**
   * @param first before every row of the kind
   */
  LowestLive(Bytes first) {
    this.position = first;
  }

  /** A search that has begun and must be ended. Mutable, guarded by what made it. */
  static final class Search {
    private final Bytes from;
    private @Nullable Bytes lowestWritten;

    private Search(Bytes from) {
      this.from = from;
    }

    /** Where to begin to look. */
    Bytes from() {
      return from;
    }
  }

  synchronized Search begin() {
    Search search = new Search(position);
    running.add(search);
    return search;
  }

  /** Ends a search that failed: nothing is known. */
  synchronized void end(Search search) {
    running.remove(search);
  }

  /** Ends a search that found nothing between where it began and a row. */
  synchronized void end(Search search, Bytes found) {
    running.remove(search);
    Bytes lowest = search.lowestWritten;
    Bytes empty = lowest == null || found.compareTo(lowest) < 0 ? found : lowest;
    if (empty.compareTo(position) > 0) {
      position = empty;
    }
  }

  /** A row was written; comes before the write is acknowledged. */
  synchronized void written(Bytes row) {
    if (row.compareTo(position) < 0) {
      position = row;
    }
    for (Search search : running) {
      if (search.lowestWritten == null || row.compareTo(search.lowestWritten) < 0) {
        search.lowestWritten = row;
      }
    }
  }
}
