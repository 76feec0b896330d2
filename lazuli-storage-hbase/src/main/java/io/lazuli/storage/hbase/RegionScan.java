package io.lazuli.storage.hbase;

import io.lazuli.storage.Bytes;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.StorageException;
import io.lazuli.storage.keys.KeyInterval;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.filter.BinaryComparator;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.filter.MultiRowRangeFilter;
import org.apache.hadoop.hbase.filter.MultiRowRangeFilter.RowRange;
import org.apache.hadoop.hbase.filter.ValueFilter;
import org.jspecify.annotations.Nullable;

/**
 * Reads records in pages of one remote call each, every page from the last key on. A scanner that
 * stays open over several calls loses its moment, and with the blocking client whole rows, when its
 * region moves. Blocks.
 */
final class RegionScan {
  /** The most that a page holds; {@code StorageEngine.scan} promises one moment for as much. */
  static final int PAGE_RECORDS_MAX = 1_000;

  static final long PAGE_BYTES_MAX = 4L << 20;

  /** Above our own bound, so that a server does not cut a page that we would not. */
  private static final long RESULT_BYTES_MAX = 16L << 20;

  /** How often a page that a slow server cut short is asked for again. */
  private static final int CUT_SHORT_MAX = 3;

  /** Records come before this, graves after. */
  private static final byte[] GRAVES = {(byte) 0x80};

  /** Why a page ends. */
  enum End {
    /** Nothing follows. */
    LAST,
    /** The page is full. */
    MORE,
    /** A server ran out of time: the page is shorter than it was to be. */
    CUT_SHORT
  }

  /**
   * Cells in the order of the scan.
   *
   * @param resume where the next region begins, if the page ends with its region; else null, and
   *     the next page begins behind the last cell
   */
  record Page(List<Cell> cells, End end, @Nullable Bytes resume) {
    boolean isLast() {
      return end == End.LAST;
    }

    private Page endingAt(@Nullable Bytes regionEnd) {
      return isLast() && regionEnd != null ? new Page(cells, End.MORE, regionEnd) : this;
    }
  }

  private final RegionCalls calls;

  RegionScan(RegionCalls calls) {
    this.calls = calls;
  }

  /**
   * The first records of the intervals.
   *
   * @param intervals in the order of the scan, not empty
   * @param oneMoment true if the page has to be of one moment; all keys are of one partition then
   */
  Page page(
      StoreTable table,
      List<KeyInterval> intervals,
      boolean forward,
      int recordsMax,
      boolean oneMoment,
      Deadline deadline) {
    byte[] first = intervals.get(0).from().array();
    for (int tries = 0; tries < CUT_SHORT_MAX; tries++) {
      Page page =
          calls.read(
              table,
              first,
              deadline,
              (remote, region) -> {
                Bytes end = forward ? endWithin(intervals, region) : null;
                Scan scan = scan(intervals, forward, recordsMax, table != StoreTable.CHUNKS);
                if (end != null) {
                  scan.withStopRow(end.array(), false);
                }
                PageConsumer consumer = new PageConsumer(oneMoment, recordsMax, PAGE_BYTES_MAX);
                remote.scan(scan, consumer);
                return consumer.page().thenApply(taken -> taken.endingAt(end));
              });
      if (page.end() != End.CUT_SHORT) {
        return page;
      }
    }
    throw new StorageException(
        StorageException.Kind.TIMEOUT, "a region server is too slow to read a page in one go");
  }

  /**
   * The first records of an interval, in order, as of no particular moment: at most so many, fewer
   * only if there are no more.
   *
   * @param pageRecords how many are asked for at a time
   */
  List<Cell> first(
      StoreTable table, KeyInterval interval, int max, int pageRecords, Deadline deadline) {
    List<Cell> found = new ArrayList<>();
    KeyInterval rest = interval;
    boolean goOn = true;
    while (goOn && found.size() < max && !rest.isEmpty()) {
      int records = Math.min(pageRecords, max - found.size());
      Page page = page(table, List.of(rest), true, records, false, deadline);
      found.addAll(page.cells());
      for (Cell cell : page.cells()) {
        rest = rest.from(Bytes.of(CellUtil.cloneRow(cell)).successor());
      }
      rest = page.resume() == null ? rest : rest.from(page.resume());
      goOn = !page.isLast();
    }
    return found;
  }

  /**
   * Where the region ends if that is before the scan's end: what one server tells can be checked,
   * what two tell cannot.
   */
  private static @Nullable Bytes endWithin(List<KeyInterval> intervals, RegionInfo region) {
    Bytes end = Bytes.of(region.getEndKey());
    Bytes last = intervals.get(intervals.size() - 1).to();
    return end.length() > 0 && end.compareTo(last) < 0 ? end : null;
  }

  private static Scan scan(
      List<KeyInterval> intervals, boolean forward, int recordsMax, boolean graves) {
    KeyInterval first = intervals.get(forward ? 0 : intervals.size() - 1);
    KeyInterval last = intervals.get(forward ? intervals.size() - 1 : 0);
    Scan scan =
        new Scan()
            .addColumn(StoreTable.FAMILY, StoreTable.QUALIFIER)
            .setReversed(!forward)
            // Left to itself a server ends a call early to change from the one to the other.
            .setReadType(Scan.ReadType.PREAD)
            .setLimit(recordsMax)
            .setCaching(recordsMax)
            .setMaxResultSize(RESULT_BYTES_MAX);
    if (forward) {
      scan.withStartRow(first.from().array()).withStopRow(last.to().array(), false);
    } else {
      scan.withStartRow(last.to().array(), false).withStopRow(first.from().array(), true);
    }
    List<Filter> filters = new ArrayList<>();
    if (intervals.size() > 1) {
      filters.add(new MultiRowRangeFilter(rowRanges(intervals)));
    }
    if (graves) {
      filters.add(new ValueFilter(CompareOperator.LESS, new BinaryComparator(GRAVES)));
    }
    return filters.isEmpty() ? scan : scan.setFilter(new FilterList(filters));
  }

  private static List<RowRange> rowRanges(List<KeyInterval> intervals) {
    List<RowRange> ranges = new ArrayList<>(intervals.size());
    for (KeyInterval interval : intervals) {
      ranges.add(new RowRange(interval.from().array(), true, interval.to().array(), false));
    }
    return ranges;
  }
}
