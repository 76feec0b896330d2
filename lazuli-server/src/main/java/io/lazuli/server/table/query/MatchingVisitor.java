package io.lazuli.server.table.query;

import io.lazuli.storage.Bytes;
import io.lazuli.storage.LentRecord;
import io.lazuli.storage.Position;
import io.lazuli.storage.RecordTest;
import io.lazuli.storage.RecordVisitor;
import io.lazuli.storage.Visit;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Executes a plan: visits the records of its ranges in order and passes on those that match.
 * Mutable, for one scan.
 *
 * <p>If a plan has a condition on RowKey but not on PartitionKey, most rows of each partition do
 * not match. A seek costs about as much as reading {@link #USELESS_MAX} records. After that many
 * useless records in a row, the visitor seeks to the next row that can match. So small partitions
 * are read through and large ones are skipped over. In both cases the cost is at most about twice
 * that of the better choice.
 */
public final class MatchingVisitor implements RecordVisitor {
  static final int USELESS_MAX = 16;

  /** With more matches than one of so many records, a test in the engine saves nothing. */
  private static final int EXAMINED_PER_MATCH = 2;

  private final List<ScanRange> scanRanges;
  private final boolean anyRows;
  private final RecordPredicate residual;
  private final EntityMatch matches;
  private int current;
  private int useless;
  private long examined;
  private long matched;

  public MatchingVisitor(QueryPlan plan, EntityMatch matches) {
    this.scanRanges = plan.scanRanges();
    this.anyRows = scanRanges.stream().allMatch(each -> each.rows().isAll());
    this.residual = RecordPredicate.of(plan.residual());
    this.matches = matches;
  }

  /** Returns the number of records that were read so far. */
  public long examined() {
    return examined;
  }

  /**
   * Returns the residual filter as a test for the engine, if it would leave out enough; else null.
   * An engine that evaluates it examines each record twice, here and there.
   *
   * @param matchesMax the number of matches that are still wanted
   */
  public @Nullable RecordTest test(int matchesMax) {
    boolean useful = anyRows && !residual.isAlways() && matched <= examined / EXAMINED_PER_MATCH;
    return useful
        ? new RecordTest(residual.encoded(), matchesMax, expected(matchesMax, matched, examined))
        : null;
  }

  /** Returns how many records are probably examined until some matches are found. */
  private static long expected(long matches, long matched, long examined) {
    double each = (double) examined / Math.max(1, matched);
    return (long) Math.min(Long.MAX_VALUE, matches * each);
  }

  @Override
  public void leftOut(long records) {
    examined += records;
  }

  @Override
  public Visit visit(LentRecord record) {
    examined++;
    if (!anyRows) {
      KeyIntervals rows = rowsAt(record);
      int bounds = rows.boundsUpTo(record.row());
      if (bounds % 2 == 0) {
        return passOver(record, rows, bounds);
      }
      useless = 0;
    }
    if (!residual.test(record)) {
      return Visit.CONTINUE;
    }
    matched++;
    return matches.accept(record);
  }

  /**
   * Returns the wanted rows of the scan range that contains the record. Records arrive in order, so
   * the search goes forward only.
   */
  private KeyIntervals rowsAt(LentRecord record) {
    while (isAtOrAfter(record, scanRanges.get(current).range().to())) {
      current++;
    }
    return scanRanges.get(current).rows();
  }

  private static boolean isAtOrAfter(LentRecord record, @Nullable Position end) {
    if (end == null) {
      return false;
    }
    int order = record.partition().compareTo(end.partition());
    return order > 0 || (order == 0 && record.row().compareTo(end.row()) >= 0);
  }

  private Visit passOver(LentRecord record, KeyIntervals rows, int bounds) {
    useless++;
    if (useless < USELESS_MAX) {
      return Visit.CONTINUE;
    }
    useless = 0;
    Bytes partition = Bytes.of(record.partition().copy());
    Bytes row = rows.bound(bounds);
    Position next =
        row != null
            ? new Position(partition, row)
            : new Position(partition.successor(), rows.from(0));
    return Visit.skipTo(atMost(next, scanRanges.get(current).range().to()));
  }

  /**
   * Limits a seek to the end of the scan range, because other rows may be wanted in the next range.
   */
  private static Position atMost(Position next, @Nullable Position end) {
    return end != null && end.compareTo(next) < 0 ? end : next;
  }
}
