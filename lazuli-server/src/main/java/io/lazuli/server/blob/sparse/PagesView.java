package io.lazuli.server.blob.sparse;

import io.lazuli.server.blob.encoding.BlobRows;
import io.lazuli.server.blob.encoding.PageCodec;
import io.lazuli.server.blob.model.BlobLimits;
import io.lazuli.server.blob.model.BlobProperties;
import io.lazuli.server.blob.model.BlockPlace;
import io.lazuli.server.blob.page.ClearedRange;
import io.lazuli.server.blob.page.ExtentRange;
import io.lazuli.server.blob.page.PageExtent;
import io.lazuli.server.blob.page.PageRun;
import io.lazuli.server.blob.partition.BlobView;
import io.lazuli.server.blob.partition.NewContent;
import io.lazuli.storage.Bytes;
import io.lazuli.storage.PartitionView;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The pages of a page blob inside a transaction. Rows are never changed: a write adds a row with
 * its write number for each extent that it touches, and the row shows all pages of the extent from
 * then on. A state of the blob is the number of its last change; it sees the newest row of each
 * extent that is not newer than the state. So a snapshot keeps its state without copying anything.
 *
 * <p>The rows are found with scans, which promise nothing at the commit. That is enough, because
 * every transaction that writes pages also reads and writes the properties. The collector does not,
 * but it removes only rows that no state sees.
 */
final class PagesView {
  /** A clear that would need more rows for extents becomes one row for the range. */
  static final int CLEARED_ROWS_MAX = 300;

  /** The maximum number of cleared ranges that the collector has not worked off yet. */
  static final int CLEARED_RANGES_MAX = 100;

  private static final int SCAN_ROWS_MAX = 1_000;

  private final PartitionView partition;
  private final long version;
  private final long write;
  private final List<ClearedRange> clears;
  private boolean supersedes;

  /**
   * @param blob the blob before the write
   */
  PagesView(PartitionView partition, BlobProperties blob) {
    this.partition = partition;
    this.version = blob.content().version();
    long last = Math.max(blob.changedTicks(), blob.snapshots().lastTicks());
    this.write = Math.max(new BlobView(partition).newTicks(), last + 1);
    this.clears = clears();
  }

  /** Returns the number of this write, which is higher than every state of the blob so far. */
  long write() {
    return write;
  }

  /** Returns true if this write has made rows superfluous for the blob itself. */
  boolean supersedes() {
    return supersedes;
  }

  /**
   * Writes pages. Returns false if their chunk was marked by the collector, because the upload took
   * too long.
   *
   * @param from the offset of the first byte
   */
  boolean write(long from, NewContent content) {
    BlockPlace place = store(content);
    if (place == null) {
      return false;
    }
    long first = from / BlobLimits.PAGE_BYTES;
    int pages = (int) (content.length() / BlobLimits.PAGE_BYTES);
    long end = first + pages;
    long lastExtent = (end - 1) / PageExtent.PAGES;
    SortedMap<Long, PageExtent> current =
        current(first / PageExtent.PAGES, lastExtent + 1, Integer.MAX_VALUE);
    for (long extent = first / PageExtent.PAGES; extent <= lastExtent; extent++) {
      long start = extent * PageExtent.PAGES;
      long runStart = Math.max(first, start);
      long runEnd = Math.min(end, start + PageExtent.PAGES);
      PageRun run =
          new PageRun(
              (int) (runStart - start),
              (int) (runEnd - runStart),
              write,
              place,
              (int) (runStart - first));
      put(extent, current.getOrDefault(extent, PageExtent.EMPTY).with(run));
    }
    note(first / PageExtent.PAGES, lastExtent + 1);
    return true;
  }

  /**
   * Clears the bytes between two offsets, both multiples of a page. Returns false if too many
   * cleared ranges wait for the collector.
   */
  boolean clear(long from, long to) {
    long first = from / BlobLimits.PAGE_BYTES;
    long end = to / BlobLimits.PAGE_BYTES;
    long firstWhole = PageExtent.endOf(first);
    long endWhole = PageExtent.of(end);
    if (firstWhole > endWhole) {
      // All pages are in the middle of one extent.
      clearPart(endWhole, first, end);
    } else {
      clearPart(firstWhole - 1, first, firstWhole * PageExtent.PAGES);
      clearPart(endWhole, endWhole * PageExtent.PAGES, end);
      if (!clearEach(firstWhole, endWhole)) {
        // The collector also looks at the extents next to the range.
        return clearRange(firstWhole, endWhole);
      }
    }
    note(PageExtent.of(first), PageExtent.endOf(end));
    return true;
  }

  /** Clears pages of one extent; does nothing if there are none between the indexes. */
  private void clearPart(long extent, long first, long end) {
    if (first >= end) {
      return;
    }
    PageExtent old = current(extent, extent + 1, 1).get(extent);
    if (old != null && !old.isEmpty()) {
      long start = extent * PageExtent.PAGES;
      PageExtent left = old.without((int) (first - start), (int) (end - start));
      if (!left.equals(old)) {
        put(extent, left);
      }
    }
  }

  /** Clears extents one by one; returns false and does nothing if they are too many. */
  private boolean clearEach(long from, long to) {
    SortedMap<Long, PageExtent> current = current(from, to, CLEARED_ROWS_MAX + 1);
    if (current.size() > CLEARED_ROWS_MAX) {
      return false;
    }
    current.forEach(
        (extent, old) -> {
          if (!old.isEmpty()) {
            put(extent, PageExtent.EMPTY);
          }
        });
    return true;
  }

  private boolean clearRange(long from, long to) {
    if (clears.size() >= CLEARED_RANGES_MAX) {
      return false;
    }
    ExtentRange range = new ExtentRange(version, from, to);
    partition.put(BlobRows.pageClear(version, write), PageCodec.encode(range));
    return true;
  }

  private void put(long extent, PageExtent pages) {
    partition.put(BlobRows.pageExtent(version, extent, write), PageCodec.encode(pages));
  }

  /** Leaves a note for the collector if there were rows before. */
  private void note(long from, long to) {
    if (supersedes) {
      new BlobView(partition).notePages(write, new ExtentRange(version, from, to));
    }
  }

  private @Nullable BlockPlace store(NewContent content) {
    return store(partition, content, write);
  }

  private static @Nullable BlockPlace store(
      PartitionView partition, NewContent content, long number) {
    if (content instanceof NewContent.InChunk chunk) {
      if (partition.read(BlobRows.goneChunk(chunk.number())) != null) {
        return null;
      }
      partition.put(BlobRows.pageChunk(chunk.number()), PageCodec.chunkMark());
      return new BlockPlace(true, chunk.number());
    }
    return storeBytes(partition, ((NewContent.InMemory) content).bytes(), number);
  }

  /** Stores bytes under the given number, or under the next one that is free. */
  static BlockPlace storeBytes(PartitionView partition, byte[] bytes, long number) {
    long free = number;
    while (partition.read(BlobRows.pageBytes(free)) != null) {
      free++;
    }
    partition.put(BlobRows.pageBytes(free), bytes);
    return new BlockPlace(false, free);
  }

  /**
   * Returns the extents that have rows, and their current pages.
   *
   * @param max stops after this many extents
   */
  private SortedMap<Long, PageExtent> current(long from, long to, int max) {
    SortedMap<Long, PageExtent> current = new TreeMap<>();
    long[] next = {from};
    int[] rows = {SCAN_ROWS_MAX};
    Bytes end = BlobRows.pageExtents(version, to);
    // One scan is enough unless many older rows lie between the newest ones.
    while (rows[0] == SCAN_ROWS_MAX && next[0] < to && current.size() < max) {
      rows[0] = 0;
      partition.scan(
          BlobRows.pageExtents(version, next[0]),
          end,
          SCAN_ROWS_MAX,
          (row, value) -> {
            rows[0]++;
            long extent = BlobRows.extentIndex(row);
            if (extent >= next[0]) {
              next[0] = extent + 1;
              long wrote = BlobRows.extentWrite(row);
              boolean cleared = ClearedRange.after(clears, extent, wrote) != Long.MAX_VALUE;
              current.put(extent, cleared ? PageExtent.EMPTY : PageCodec.decodeExtent(value));
            }
            return current.size() < max;
          });
    }
    supersedes |= !current.isEmpty();
    return current;
  }

  private List<ClearedRange> clears() {
    List<ClearedRange> found = new ArrayList<>();
    partition.scan(
        BlobRows.pageClears(version),
        BlobRows.pageClears(version + 1),
        CLEARED_RANGES_MAX,
        (row, value) ->
            found.add(new ClearedRange(PageCodec.decodeRange(value), BlobRows.clearWrite(row))));
    return found;
  }
}
