package io.lazuli.server.table.query;

import io.lazuli.storage.Bytes;
import io.lazuli.storage.LentRecord;
import io.lazuli.storage.Position;
import io.lazuli.storage.RecordVisitor;
import io.lazuli.storage.Visit;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Runs a plan: visits the records of its ranges, forward, and hands on those that match. Mutable,
 * for one scan.
 *
 * <p>Where a plan has a condition on RowKey but not on PartitionKey, most rows of each partition
 * are of no use. A seek costs about as much as reading {@link #USELESS_MAX} records, so after that
 * many useless ones in a row the visitor skips to the next row that can match. Small partitions are
 * thereby read through, large ones jumped over, and either way the cost is at most about twice that
 * of the better choice.
 */
public final class MatchingVisitor implements RecordVisitor {
  static final int USELESS_MAX = 16;

  private final List<Segment> segments;
  private final boolean anyRows;
  private final RecordPredicate residual;
  private final EntityMatch matches;
  private int segment;
  private int useless;
  private long examined;

  public MatchingVisitor(QueryPlan plan, EntityMatch matches) {
    this.segments = plan.segments();
    this.anyRows = segments.stream().allMatch(each -> each.rows().isAll());
    this.residual = RecordPredicate.of(plan.residual());
    this.matches = matches;
  }

  /** How many records were read so far. */
  public long examined() {
    return examined;
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
    return residual.test(record) ? matches.accept(record) : Visit.CONTINUE;
  }

  /** The rows wanted where the record lies; records come in order. */
  private KeyIntervals rowsAt(LentRecord record) {
    while (isAtOrAfter(record, segments.get(segment).range().to())) {
      segment++;
    }
    return segments.get(segment).rows();
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
    return Visit.skipTo(atMost(next, segments.get(segment).range().to()));
  }

  /** What lies behind this segment is judged by the next one, which may want other rows. */
  private static Position atMost(Position next, @Nullable Position end) {
    return end != null && end.compareTo(next) < 0 ? end : next;
  }
}
