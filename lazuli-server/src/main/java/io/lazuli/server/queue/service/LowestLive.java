package io.lazuli.server.queue.service;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.lazuli.storage.Bytes;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Remembers a row below which a queue has no live rows of one kind. Searches begin there, so that
 * they need not pass over removed rows: in an ordered store a scan pays for removed rows as for
 * live ones until they are compacted away. Thread-safe.
 *
 * <p><b>Invariant.</b> Every row whose write was acknowledged lies at or above the position.
 *
 * <p><b>Why it holds.</b> A writer reports its row before the write is acknowledged, and the report
 * lowers the position to the row if necessary. A search begins at the position, reads the store,
 * finds that there is nothing below some row, and raises the position to that row when it ends. A
 * row in between may be written after the search has read past it. If the row is reported while the
 * search runs, the search remembers the lowest such row and does not raise the position beyond it.
 * If the row is reported later, the report lowers the position again.
 */
final class LowestLive {
  @GuardedBy("this")
  private Bytes position;

  @GuardedBy("this")
  private final Set<Search> running = Collections.newSetFromMap(new IdentityHashMap<>());

  /**
   * @param first a row before all rows of the kind
   */
  LowestLive(Bytes first) {
    this.position = first;
  }

  /**
   * A search that has begun and must be ended. Mutable, guarded by the {@link LowestLive} that made
   * it.
   */
  static final class Search {
    private final Bytes from;
    private @Nullable Bytes lowestWritten;

    private Search(Bytes from) {
      this.from = from;
    }

    /** Returns the row at which the search begins. */
    Bytes from() {
      return from;
    }
  }

  synchronized Bytes position() {
    return position;
  }

  /** Raises the position because no row below the given one is left, or will be written. */
  synchronized void raise(Bytes row) {
    if (row.compareTo(position) > 0) {
      position = row;
    }
  }

  synchronized Search begin() {
    Search search = new Search(position);
    running.add(search);
    return search;
  }

  /** Ends a search that failed. The position does not change. */
  synchronized void end(Search search) {
    running.remove(search);
  }

  /** Ends a search that found no live row below the given row. Raises the position if possible. */
  synchronized void end(Search search, Bytes found) {
    running.remove(search);
    Bytes lowest = search.lowestWritten;
    Bytes empty = lowest == null || found.compareTo(lowest) < 0 ? found : lowest;
    if (empty.compareTo(position) > 0) {
      position = empty;
    }
  }

  /** Reports a row that was written, before the write is acknowledged. */
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
