package io.lazuli.server.blob.sparse;

import io.lazuli.server.blob.model.BlobLimits;
import io.lazuli.server.blob.model.BlobProperties;
import io.lazuli.server.blob.page.PageExtent;
import io.lazuli.server.blob.page.PageRange;
import io.lazuli.server.blob.partition.BlobRecords;
import io.lazuli.server.blob.request.ByteRange;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Finds written pages, or those that differ from an older state (blob-features 7.6). Reads the map
 * of the pages and never their bytes. Mutable, used once.
 */
public final class PageRanges {
  /** A page of ranges ends after this many extents, to bound its time if few ranges are found. */
  private static final int EXTENTS_MAX = 100_000;

  /**
   * Ranges in order.
   *
   * @param next the offset at which the next page begins; null on the last page
   */
  public record Found(List<PageRange> ranges, @Nullable Long next) {}

  private final ByteRange within;
  private final int max;
  private final long olderState;
  private final List<PageRange> ranges = new ArrayList<>();
  private int extents;
  private @Nullable Long next;

  private PageRanges(ByteRange within, int max, long olderState) {
    this.within = within;
    this.max = max;
    this.olderState = olderState;
  }

  /**
   * Finds the ranges of a blob.
   *
   * @param older a snapshot of the same version to compare with; null for all written pages
   * @param within whole pages of the blob
   * @param max the number of ranges
   */
  public static CompletableFuture<Found> find(
      BlobRecords records,
      BlobProperties blob,
      @Nullable BlobProperties older,
      ByteRange within,
      int max) {
    long olderState = older == null ? -1 : older.changedTicks();
    PageRanges found = new PageRanges(within, max, olderState);
    return new PageMap(records, blob)
        .visit(
            within.from() / PageExtent.BYTES,
            within.to() / PageExtent.BYTES + 1,
            olderState,
            found::add)
        .thenApply(visited -> new Found(found.ranges, found.next));
  }

  private boolean add(long extent, PageExtent older, PageExtent pages) {
    if (++extents > EXTENTS_MAX) {
      next = extent * PageExtent.BYTES;
      return false;
    }
    long[] writes = pages.writes();
    long[] before = older.writes();
    for (int page = 0; page < PageExtent.PAGES; page++) {
      boolean written = writes[page] > olderState;
      boolean cleared = writes[page] < 0 && before[page] >= 0;
      long from = extent * PageExtent.BYTES + (long) page * BlobLimits.PAGE_BYTES;
      boolean isWithin = from >= within.from() && from <= within.to();
      if (isWithin && (written || cleared) && !addPage(from, cleared)) {
        next = from;
        return false;
      }
    }
    return true;
  }

  /** Adds a page to the range before it or as a new range; returns false if there are enough. */
  private boolean addPage(long from, boolean cleared) {
    PageRange last = ranges.isEmpty() ? null : ranges.get(ranges.size() - 1);
    long to = from + BlobLimits.PAGE_BYTES - 1;
    if (last != null && last.to() + 1 == from && last.cleared() == cleared) {
      ranges.set(ranges.size() - 1, new PageRange(last.from(), to, cleared));
      return true;
    } else if (ranges.size() == max) {
      return false;
    }
    ranges.add(new PageRange(from, to, cleared));
    return true;
  }
}
