package io.lazuli.server.blob.page;

import io.lazuli.server.blob.model.BlobLimits;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * The written pages of one extent: 64 KiB of a page blob at a multiple of 64 KiB.
 *
 * @param runs disjoint, in order
 */
public record PageExtent(List<PageRun> runs) {
  /** The number of pages of an extent; our own choice. */
  public static final int PAGES = 128;

  public static final long BYTES = (long) PAGES * BlobLimits.PAGE_BYTES;

  /** An extent without written pages. */
  public static final PageExtent EMPTY = new PageExtent(List.of());

  public PageExtent {
    runs = List.copyOf(runs);
  }

  /** Returns the index of the extent in which a page lies. */
  public static long of(long page) {
    return page / PAGES;
  }

  /** Returns the index after the extent of the last page before the given one. */
  public static long endOf(long page) {
    return (page + PAGES - 1) / PAGES;
  }

  public boolean isEmpty() {
    return runs.isEmpty();
  }

  /** Returns this extent without the pages between two indexes. */
  public PageExtent without(int from, int to) {
    List<PageRun> left = new ArrayList<>();
    for (PageRun run : runs) {
      if (run.page() < from) {
        left.add(run.part(run.page(), Math.min(run.end(), from)));
      }
      if (run.end() > to) {
        left.add(run.part(Math.max(run.page(), to), run.end()));
      }
    }
    return new PageExtent(left);
  }

  /** Returns this extent with a run that replaces what was at its pages. */
  public PageExtent with(PageRun run) {
    List<PageRun> all = new ArrayList<>(without(run.page(), run.end()).runs());
    all.add(run);
    all.sort(Comparator.comparingInt(PageRun::page));
    return new PageExtent(all);
  }

  /**
   * Returns the number of the write that wrote each page; -1 for a page that is not written. Write
   * numbers are not negative.
   */
  public long[] writes() {
    long[] writes = new long[PAGES];
    Arrays.fill(writes, -1);
    for (PageRun run : runs) {
      Arrays.fill(writes, run.page(), run.end(), run.write());
    }
    return writes;
  }
}
