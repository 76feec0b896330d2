package io.lazuli.storage.hbase.call;

import io.lazuli.storage.Bytes;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.keys.KeyInterval;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
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
 * Reads records in pages, each by a scanner of its own in one region. A scanner sees one moment as
 * long as it stays open; it is never opened again in the middle, where the moment and, with the
 * blocking client, whole rows would be lost. Over many rows that are deleted a page may need many
 * remote calls: it then ends where it has come, unless it has to be of one moment. Blocks.
 */
public final class RegionScan {
  /** The most that a page holds; {@code StorageEngine.scan} promises one moment for as much. */
  public static final int PAGE_RECORDS_MAX = 1_000;

  static final long PAGE_BYTES_MAX = 4L << 20;

  /** Above our own bound: servers count more than the bytes that they send. */
  private static final long RESULT_BYTES_MAX = 5L << 20;

  /** What a page takes, roughly, if it may be of several moments. */
  private static final Duration PAGE_TIME_MAX = Duration.ofSeconds(1);

  /** Records come before this, graves after. */
  private static final byte[] TOMBSTONE_PREFIX = {(byte) 0x80};

  /** More than the longest run of this byte in any partition's name. */
  private static final int PADDING_BYTES = 16;

  /**
   * Cells in the order of the scan.
   *
   * @param isLast true if nothing follows
   * @param resume where the next page begins (backward: ends), if that is beyond the last cell;
   *     null if it begins behind the last cell
   */
  public record Page(List<Cell> cells, boolean isLast, @Nullable Bytes resume) {}

  private final RegionCalls calls;

  public RegionScan(RegionCalls calls) {
    this.calls = calls;
  }

  /**
   * The first records of the intervals: fewer than asked for, or none, if they end with a region or
   * if it takes too long to find more.
   *
   * @param intervals in the order of the scan, not empty
   * @param snapshot true if the page has to be of one moment; all keys are of one partition then
   */
  public Page page(
      StoreTable table,
      List<KeyInterval> intervals,
      boolean forward,
      int recordsMax,
      boolean snapshot,
      Deadline deadline) {
    byte[] first =
        forward ? intervals.get(0).from().array() : justBefore(intervals.get(0).to().array());
    PageConsumer.Limits limits =
        new PageConsumer.Limits(
            recordsMax, PAGE_BYTES_MAX, snapshot ? Long.MAX_VALUE : PAGE_TIME_MAX.toNanos());
    return calls.readOn(
        table,
        first,
        deadline,
        (remote, region) -> {
          Bytes edge = forward ? endWithin(intervals, region) : startWithin(intervals, region);
          Scan scan = scan(intervals, forward, recordsMax, table != StoreTable.CHUNKS);
          if (edge != null) {
            scan.withStopRow(edge.array(), !forward);
          }
          PageConsumer consumer =
              new PageConsumer(limits, snapshot, forward, edge, System::nanoTime);
          remote.scan(scan, consumer);
          return consumer.page();
        });
  }

  /**
   * The first records of an interval, in order, as of no particular moment: at most so many, fewer
   * only if there are no more.
   *
   * @param pageRecords how many are asked for at a time
   */
  public List<Cell> first(
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
  static @Nullable Bytes endWithin(List<KeyInterval> intervals, RegionInfo region) {
    Bytes end = Bytes.of(region.getEndKey());
    Bytes last = intervals.get(intervals.size() - 1).to();
    return end.length() > 0 && end.compareTo(last) < 0 ? end : null;
  }

  /** The same for a scan that goes backward and ends at its lowest key. */
  static @Nullable Bytes startWithin(List<KeyInterval> intervals, RegionInfo region) {
    Bytes start = Bytes.of(region.getStartKey());
    Bytes last = intervals.get(intervals.size() - 1).from();
    return start.compareTo(last) > 0 ? start : null;
  }

  /**
   * A key before this one with no region's border between them. There is no greatest one, but
   * borders are names of partitions, none of which has that many of the highest byte in a row.
   */
  static byte[] justBefore(byte[] key) {
    int last = key.length - 1;
    if (key[last] == 0) {
      return Arrays.copyOf(key, last);
    }
    byte[] before = Arrays.copyOf(key, key.length + PADDING_BYTES);
    before[last]--;
    Arrays.fill(before, key.length, before.length, (byte) 0xff);
    return before;
  }

  private static Scan scan(
      List<KeyInterval> intervals, boolean forward, int recordsMax, boolean skipTombstones) {
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
            .setMaxResultSize(RESULT_BYTES_MAX)
            // How far a server came in a call that found nothing.
            .setNeedCursorResult(true)
            // Tells how many scanners were opened.
            .setScanMetricsEnabled(true);
    if (forward) {
      scan.withStartRow(first.from().array()).withStopRow(last.to().array(), false);
    } else {
      scan.withStartRow(last.to().array(), false).withStopRow(first.from().array(), true);
    }
    List<Filter> filters = new ArrayList<>();
    if (intervals.size() > 1) {
      filters.add(new MultiRowRangeFilter(rowRanges(intervals)));
    }
    if (skipTombstones) {
      filters.add(new ValueFilter(CompareOperator.LESS, new BinaryComparator(TOMBSTONE_PREFIX)));
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
