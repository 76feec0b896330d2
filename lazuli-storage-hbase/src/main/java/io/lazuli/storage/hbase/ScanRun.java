package io.lazuli.storage.hbase;

import io.lazuli.storage.Bytes;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.Direction;
import io.lazuli.storage.KeyRange;
import io.lazuli.storage.Position;
import io.lazuli.storage.RecordTest;
import io.lazuli.storage.RecordVisitor;
import io.lazuli.storage.Space;
import io.lazuli.storage.hbase.call.RegionScan;
import io.lazuli.storage.hbase.call.Steps;
import io.lazuli.storage.hbase.call.StoreTable;
import io.lazuli.storage.hbase.call.StoredCell;
import io.lazuli.storage.hbase.commit.Homes;
import io.lazuli.storage.keys.KeyCodec;
import io.lazuli.storage.keys.KeyInterval;
import io.lazuli.storage.keys.ScanCursor;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;

/**
 * One scan. It fetches a page, shows its records to the visitor on a worker of the engine, and goes
 * on with the next page. Used by one thread at a time.
 */
final class ScanRun {
  private static final int FIRST_PAGE_RECORDS = 128;

  private final RegionScan scan;
  private final Homes homes;
  private final Space space;
  private final ScanCursor cursor;
  private final Deadline deadline;
  private final RecordVisitor visitor;
  private final boolean snapshot;
  private final boolean tests;
  private final ReadAhead ahead;
  private int records;
  private boolean begun;

  ScanRun(
      RegionScan scan,
      Homes homes,
      Pushdown pushdown,
      Space space,
      List<KeyRange> ranges,
      Direction direction,
      Deadline deadline,
      RecordVisitor visitor) {
    KeyRange.requireSortedAndDisjoint(ranges);
    this.scan = scan;
    this.homes = homes;
    this.space = space;
    this.cursor = new ScanCursor(space.number(), ranges, direction);
    this.deadline = deadline;
    this.visitor = visitor;
    this.snapshot = isInOnePartition(ranges);
    this.tests = pushdown.isOn() && cursor.isForward();
    this.begun = pushdown.isAlways();
    StoreTable table = StoreTable.of(space.number());
    this.ahead =
        new ReadAhead(
            pushdown,
            key -> scan.knownEnd(table, key, deadline),
            (intervals, test) -> search(intervals, test, ReadAhead.PAGE_BYTES_MAX));
    this.records = snapshot ? RegionScan.PAGE_RECORDS_MAX : FIRST_PAGE_RECORDS;
  }

  /** Returns a future that completes when the scan has ended. */
  CompletableFuture<Boolean> start() {
    CompletableFuture<Boolean> end = Steps.repeat(this::next);
    CompletableFuture<Boolean> unused = end.whenComplete((done, failure) -> ahead.close());
    return end;
  }

  /** Shows the next page. Returns false if it was the last. */
  private CompletableFuture<Boolean> next() {
    List<KeyInterval> rest = List.copyOf(cursor.rest());
    if (rest.isEmpty()) {
      return CompletableFuture.completedFuture(false);
    }
    // Only the first page must be a snapshot. It also shows how many records match.
    RecordTest test = tests && begun ? visitor.test() : null;
    begun = true;
    return test == null ? plain(rest) : tested(rest, test);
  }

  private CompletableFuture<Boolean> plain(List<KeyInterval> rest) {
    int wanted = Math.min(records, wanted(space, visitor));
    records = Math.min(2 * records, RegionScan.PAGE_RECORDS_MAX);
    return Steps.map(
        homes.reading(
            space,
            deadline,
            () ->
                scan.page(
                    StoreTable.of(space.number()),
                    rest,
                    cursor.isForward(),
                    wanted,
                    snapshot,
                    deadline)),
        page -> show(page) && !page.isLast());
  }

  /**
   * Shows the next page of records that pass a test. Without the filter, the region server sends
   * all of them, as for any other scan.
   */
  private CompletableFuture<Boolean> tested(List<KeyInterval> rest, RecordTest test) {
    CompletableFuture<RegionScan.Page> page =
        ahead.page(rest.get(0).from(), () -> search(rest, test, RegionScan.PAGE_BYTES_MAX));
    ahead.extend(rest, test);
    return Steps.then(
        page,
        found ->
            found.equals(RegionScan.REFUSED)
                ? plain(rest)
                : CompletableFuture.completedFuture(showTested(found)));
  }

  private CompletableFuture<RegionScan.Page> search(
      List<KeyInterval> rest, RecordTest test, long bytesMax) {
    return homes.reading(
        space,
        deadline,
        () -> scan.tested(StoreTable.of(space.number()), rest, test, bytesMax, deadline));
  }

  private boolean showTested(RegionScan.Page page) {
    boolean more = show(page) && !page.isLast();
    visitor.leftOut(page.leftOut());
    if (!more || page.resume() == null) {
      return more;
    }
    // Not the position of the page: that can be the record which was shown last.
    List<KeyInterval> rest = cursor.rest();
    Position next = rest.isEmpty() ? null : KeyCodec.position(rest.get(0).from().array());
    return next == null || visitor.continuesAt(next);
  }

  private boolean show(RegionScan.Page page) {
    for (Cell cell : page.cells()) {
      byte[] key = CellUtil.cloneRow(cell);
      if (isHidden(key)) {
        cursor.pass(Bytes.of(key));
      } else if (!show(Bytes.of(key), cell)) {
        return false;
      }
    }
    if (page.resume() != null) {
      cursor.resumeAt(page.resume());
    }
    return true;
  }

  /** Lends the value as it is in the answer of the region server, without a copy. */
  private boolean show(Bytes key, Cell cell) {
    return cursor.show(
        key,
        cell.getValueArray(),
        cell.getValueOffset() + StoredCell.HEAD_BYTES,
        cell.getValueLength() - StoredCell.HEAD_BYTES,
        visitor);
  }

  private boolean isHidden(byte[] key) {
    if (space.number() != 0) {
      return false;
    }
    int row = KeyCodec.partitionEnd(key, key.length) + 1;
    return row < key.length && key[row] == 0;
  }

  /**
   * Returns the number of records to fetch at most. In the catalogue there is no limit, because
   * hidden rows of the engine lie between the records that a visitor sees.
   */
  private static int wanted(Space space, RecordVisitor visitor) {
    return space.number() == 0 ? Integer.MAX_VALUE : visitor.recordsMax();
  }

  private static boolean isInOnePartition(List<KeyRange> ranges) {
    return ranges.stream().allMatch(KeyRange::isInOnePartition)
        && ranges.stream().map(range -> range.from().partition()).distinct().count() == 1;
  }
}
