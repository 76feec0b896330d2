package io.lazuli.storage.hbase.call;

import io.lazuli.hbase.EntityFilterV1;
import io.lazuli.storage.Bytes;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.RecordTest;
import io.lazuli.storage.keys.KeyCodec;
import io.lazuli.storage.keys.KeyInterval;
import io.lazuli.storage.metrics.MetricVisitor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.IntSupplier;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.ServerName;
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
 * Reads records in pages. Each page comes from its own scanner in one region. A scanner reads as of
 * one point in time while it stays open. It is never reopened in the middle of a page: that would
 * change the point in time and, with the blocking client, lose whole rows. Crossing many deleted
 * rows may take many remote calls; a page then ends early, unless it must be a snapshot. Never
 * blocks.
 */
public final class RegionScan {
  /**
   * The maximum number of records in a page. {@code StorageEngine.scan} promises one point in time
   * for this many.
   */
  public static final int PAGE_RECORDS_MAX = 1_000;

  public static final long PAGE_BYTES_MAX = 4L << 20;

  /**
   * The size limit that servers apply. It is above our own limit, because servers count more than
   * the bytes that they send.
   */
  private static final long RESULT_BYTES_MAX = 5L << 20;

  /** The approximate time limit of a page that need not be a snapshot. */
  private static final Duration PAGE_TIME_MAX = Duration.ofSeconds(1);

  /**
   * The approximate time limit of a page that is tested. A region server ends each call after a
   * second, so a page may take longer, but hardly more than that.
   */
  private static final Duration SEARCH_TIME_MAX = Duration.ofMillis(500);

  /** Values of records sort before this prefix, values of tombstones after it. */
  private static final byte[] TOMBSTONE_PREFIX = {(byte) 0x80};

  private static final Filter RECORDS =
      new ValueFilter(CompareOperator.LESS, new BinaryComparator(TOMBSTONE_PREFIX));

  /**
   * The number of 0xff bytes that {@code justBefore} appends: more than any partition name has in a
   * row.
   */
  private static final int PADDING_BYTES = 16;

  /**
   * Cells in the order of the scan.
   *
   * @param isLast true if the scan is complete
   * @param resume the key at which the next page begins (backward: ends); null if the last cell
   *     determines it
   * @param leftOut the number of rows that the region server examined and did not send, if the page
   *     was tested
   */
  public record Page(List<Cell> cells, boolean isLast, @Nullable Bytes resume, long leftOut) {
    Page(List<Cell> cells, boolean isLast, @Nullable Bytes resume) {
      this(cells, isLast, resume, 0);
    }
  }

  /** Stands for a page of a region server that cannot apply the test. */
  public static final Page REFUSED = new Page(List.of(), false, null, -1);

  private final RegionCalls calls;
  private final TombstoneHints hints = new TombstoneHints(System::nanoTime);
  private final FilterServers filters = new FilterServers(System::nanoTime);

  public RegionScan(RegionCalls calls) {
    this.calls = calls;
  }

  /**
   * Reads the first records of the intervals that pass a test, forward, not as of one point in
   * time. The page ends with its region, or after about half a second.
   *
   * @param bytesMax the approximate size of the page
   * @return {@link #REFUSED} if the region server cannot apply the test
   */
  public CompletableFuture<Page> tested(
      StoreTable table,
      List<KeyInterval> intervals,
      RecordTest test,
      long bytesMax,
      Deadline deadline) {
    int recordsMax = Math.min(PAGE_RECORDS_MAX - 1, test.matchesMax()) + 1;
    PageConsumer.Limits limits =
        new PageConsumer.Limits(recordsMax, bytesMax, SEARCH_TIME_MAX.toNanos());
    PageRead read = new PageRead(table, intervals, true, limits, false, deadline);
    return Steps.then(
        server(read),
        server ->
            server.isPresent() && filters.mayHaveFilter(server.get())
                ? Steps.map(search(read, test), page -> noted(server.get(), page))
                : CompletableFuture.completedFuture(REFUSED));
  }

  /** Returns the server to which the page will probably be sent; empty if that is not known. */
  private CompletableFuture<Optional<ServerName>> server(PageRead read) {
    return Steps.rescue(
        Steps.map(
            calls.location(read.table, read.first(), RegionCalls.bounded(read.deadline)),
            location -> Optional.of(location.getServerName())),
        failure ->
            failure instanceof CallFailure
                ? CompletableFuture.completedFuture(Optional.empty())
                : CompletableFuture.failedFuture(failure));
  }

  private Page noted(ServerName server, Page page) {
    if (page.equals(REFUSED)) {
      filters.refused(server);
    } else {
      filters.applied(server, page.leftOut());
    }
    return page;
  }

  private CompletableFuture<Page> search(PageRead read, RecordTest test) {
    Filter filter = new EntityFilterV1(test.condition().array(), test.matchesMax());
    return calls.search(
        read.table,
        read.first(),
        read.deadline,
        (remote, region) -> {
          Bytes edge = read.edge(region);
          Scan scan =
              scan(read, List.of(filter))
                  .setMaxResultSize(Math.min(RESULT_BYTES_MAX, read.limits.bytesMax()))
                  .setNeedCursorResult(true)
                  // Counts the rows that the filter has examined.
                  .setScanMetricsEnabled(true);
          PageConsumer consumer = PageConsumer.ofSearch(read.limits, edge, System::nanoTime);
          remote.scan(read.within(edge, scan), consumer);
          return consumer.page();
        });
  }

  /**
   * Returns the first key after the region of a key, if its location is known; null if it is not
   * known, or if there is no region after it.
   */
  public @Nullable Bytes knownEnd(StoreTable table, Bytes key, Deadline deadline) {
    CompletableFuture<HRegionLocation> location = calls.location(table, key.array(), deadline);
    if (!location.isDone() || location.isCompletedExceptionally()) {
      return null;
    }
    byte[] end = location.join().getRegion().getEndKey();
    return end.length == 0 ? null : Bytes.of(end);
  }

  /** Shows how conditions are evaluated. */
  public void metrics(MetricVisitor visitor) {
    filters.metrics(visitor);
  }

  /**
   * Reads the first records of the intervals. The page has fewer records than requested, or none,
   * if it ends with a region or its time is up.
   *
   * @param intervals in the order of the scan, not empty
   * @param snapshot true if the page must come from one point in time; the keys must then belong to
   *     one partition
   */
  public CompletableFuture<Page> page(
      StoreTable table,
      List<KeyInterval> intervals,
      boolean forward,
      int recordsMax,
      boolean snapshot,
      Deadline deadline) {
    PageConsumer.Limits limits =
        new PageConsumer.Limits(
            recordsMax, PAGE_BYTES_MAX, snapshot ? Long.MAX_VALUE : PAGE_TIME_MAX.toNanos());
    PageRead read = new PageRead(table, intervals, forward, limits, snapshot, deadline);
    return table == StoreTable.CHUNKS || hints.areMany(read.space())
        ? filtered(read)
        : Steps.then(
            plain(read),
            page ->
                page.equals(SingleAnswer.UNFIT)
                    ? filtered(read)
                    : CompletableFuture.completedFuture(page));
  }

  /** A page to read. The intervals are in the order of the scan. */
  private record PageRead(
      StoreTable table,
      List<KeyInterval> intervals,
      boolean forward,
      PageConsumer.Limits limits,
      boolean snapshot,
      Deadline deadline) {
    byte[] first() {
      KeyInterval first = intervals.get(0);
      return forward ? first.from().array() : justBefore(first.to().array());
    }

    long space() {
      return KeyCodec.space(intervals.get(0).from().array());
    }

    /** Returns the border of the region at which the page ends; null if the scan ends before. */
    @Nullable Bytes edge(RegionInfo region) {
      return forward ? endWithin(intervals, region) : startWithin(intervals, region);
    }

    Scan within(@Nullable Bytes edge, Scan scan) {
      return edge == null ? scan : scan.withStopRow(edge.array(), !forward);
    }
  }

  /** Reads a page in the cheapest way. Returns {@link SingleAnswer#UNFIT} if that fails. */
  private CompletableFuture<Page> plain(PageRead read) {
    return calls.readPage(
        read.table,
        read.first(),
        read.deadline,
        (remote, region) -> {
          Bytes edge = read.edge(region);
          SingleAnswer consumer =
              new SingleAnswer(
                  read.limits, read.snapshot, read.forward, edge, () -> hints.note(read.space()));
          remote.scan(read.within(edge, scan(read, List.of())), consumer);
          return consumer.page();
        });
  }

  private CompletableFuture<Page> filtered(PageRead read) {
    return calls.readPage(
        read.table,
        read.first(),
        read.deadline,
        (remote, region) -> {
          Bytes edge = read.edge(region);
          Scan scan =
              scan(read, read.table == StoreTable.CHUNKS ? List.of() : List.of(RECORDS))
                  // Asks for the server's position after a call that found nothing.
                  .setNeedCursorResult(true)
                  // Counts how many scanners the library opened, which matters only for a snapshot.
                  .setScanMetricsEnabled(read.snapshot);
          PageConsumer consumer =
              new PageConsumer(read.limits, read.snapshot, read.forward, edge, System::nanoTime);
          remote.scan(read.within(edge, scan), consumer);
          return consumer.page();
        });
  }

  /**
   * Reads the first records of an interval, in order, not as of one point in time.
   *
   * @param max the number of records; fewer are returned only if there are no more
   * @param pageRecords the number of records to request at a time
   */
  public CompletableFuture<List<Cell>> first(
      StoreTable table, KeyInterval interval, int max, int pageRecords, Deadline deadline) {
    List<Cell> found = new ArrayList<>();
    return pages(
        table,
        interval,
        () -> Math.min(pageRecords, max - found.size()),
        deadline,
        page -> {
          found.addAll(page.cells());
          return found;
        });
  }

  /**
   * Reads pages of an interval, forward, one after another, and not as of one point in time.
   *
   * @param wanted returns how many records the next page shall have; 0 to end
   * @param onPage takes a page, and returns the result as far as it is known
   */
  public <R> CompletableFuture<R> pages(
      StoreTable table,
      KeyInterval interval,
      IntSupplier wanted,
      Deadline deadline,
      Function<Page, R> onPage) {
    CompletableFuture<R> result = new CompletableFuture<>();
    next(table, interval, wanted, deadline, onPage, result);
    return result;
  }

  private <R> void next(
      StoreTable table,
      KeyInterval interval,
      IntSupplier wanted,
      Deadline deadline,
      Function<Page, R> onPage,
      CompletableFuture<R> result) {
    int records = wanted.getAsInt();
    if (records <= 0 || interval.isEmpty()) {
      result.complete(onPage.apply(new Page(List.of(), true, null)));
      return;
    }
    Steps.listen(
        page(table, List.of(interval), true, records, false, deadline),
        result,
        page -> {
          R soFar = onPage.apply(page);
          if (page.isLast()) {
            result.complete(soFar);
          } else {
            next(table, after(interval, page), wanted, deadline, onPage, result);
          }
        });
  }

  private static KeyInterval after(KeyInterval interval, Page page) {
    KeyInterval rest = interval;
    if (!page.cells().isEmpty()) {
      Cell last = page.cells().get(page.cells().size() - 1);
      rest = rest.from(Bytes.of(CellUtil.cloneRow(last)).successor());
    }
    return page.resume() == null ? rest : rest.from(page.resume());
  }

  /**
   * Returns the end of the region if it lies before the end of the scan. A page must not go beyond
   * that end, because only the answer of a single server can be checked.
   */
  static @Nullable Bytes endWithin(List<KeyInterval> intervals, RegionInfo region) {
    Bytes end = Bytes.of(region.getEndKey());
    Bytes last = intervals.get(intervals.size() - 1).to();
    return end.length() > 0 && end.compareTo(last) < 0 ? end : null;
  }

  /** Returns the start of the region if a backward scan would pass it. */
  static @Nullable Bytes startWithin(List<KeyInterval> intervals, RegionInfo region) {
    Bytes start = Bytes.of(region.getStartKey());
    Bytes last = intervals.get(intervals.size() - 1).from();
    return start.compareTo(last) > 0 ? start : null;
  }

  /**
   * Returns a smaller key such that no region border lies between the two. No key is the largest
   * below another. But borders are names of partitions, and no name contains as many 0xff bytes in
   * a row as the result does.
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

  /**
   * @param tests the filters that a row must pass
   */
  private static Scan scan(PageRead read, List<Filter> tests) {
    List<KeyInterval> intervals = read.intervals;
    boolean forward = read.forward;
    int recordsMax = read.limits.recordsMax();
    KeyInterval first = intervals.get(forward ? 0 : intervals.size() - 1);
    KeyInterval last = intervals.get(forward ? intervals.size() - 1 : 0);
    Scan scan =
        new Scan()
            // The whole family, although it has one column: a server spends a fifth more on a scan
            // that names its columns.
            .addFamily(StoreTable.FAMILY)
            .setReversed(!forward)
            // By default a server ends a call early to switch from pread to streaming.
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
    filters.addAll(tests);
    return switch (filters.size()) {
      case 0 -> scan;
      case 1 -> scan.setFilter(filters.get(0));
      default -> scan.setFilter(new FilterList(filters));
    };
  }

  private static List<RowRange> rowRanges(List<KeyInterval> intervals) {
    List<RowRange> ranges = new ArrayList<>(intervals.size());
    for (KeyInterval interval : intervals) {
      ranges.add(new RowRange(interval.from().array(), true, interval.to().array(), false));
    }
    return ranges;
  }
}
