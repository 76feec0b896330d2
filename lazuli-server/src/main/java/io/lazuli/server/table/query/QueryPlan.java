package io.lazuli.server.table.query;

import io.lazuli.storage.Bytes;
import io.lazuli.storage.KeyRange;
import io.lazuli.storage.Position;
import java.util.List;
import java.util.Optional;

/**
 * How a query is answered: the key ranges to scan and the filter that is left for each record in
 * them. Immutable. The same object feeds execution ({@link MatchingVisitor}), the response header
 * and the advice.
 */
public final class QueryPlan {
  /** The kinds of query, from the cheapest to the dearest. */
  public enum Kind {
    /** Nothing can match, nothing is read. */
    NONE("none"),
    /** One entity, by both keys. */
    POINT("point"),
    /** Several entities, each by both keys. */
    SEEKS("seeks"),
    /** Given partitions, and of each an interval of rows that does not reach from end to end. */
    RANGE("range"),
    /** Given partitions, from end to end. */
    PARTITION_SCAN("partition scan"),
    /** Partitions that are not given one by one. */
    TABLE_SCAN("table scan");

    private final String text;

    Kind(String text) {
      this.text = text;
    }
  }

  private final Kind kind;
  private final int seeks;
  private final List<Segment> segments;
  private final Filter residual;

  private QueryPlan(Kind kind, int seeks, List<Segment> segments, Filter residual) {
    this.kind = kind;
    this.seeks = seeks;
    this.segments = List.copyOf(segments);
    this.residual = residual;
  }

  static QueryPlan of(List<Segment> segments, Filter residual) {
    return new QueryPlan(kindOf(segments), segments.size(), segments, residual);
  }

  public Kind kind() {
    return kind;
  }

  /** The kind in words: {@code point}, {@code seeks(2)}, {@code partition scan} and so on. */
  public String text() {
    return kind == Kind.SEEKS ? kind.text + "(" + seeks + ")" : kind.text;
  }

  /** What to scan: sorted, disjoint, not empty ranges. */
  public List<KeyRange> ranges() {
    return segments.stream().map(Segment::range).toList();
  }

  /** The partition in which all of the ranges lie; empty if there is none or more than one. */
  public Optional<Bytes> onlyPartition() {
    boolean one = kind != Kind.TABLE_SCAN && !segments.isEmpty() && isInOnePartition();
    return one ? Optional.of(segments.get(0).range().from().partition()) : Optional.empty();
  }

  /** What must still be checked on each record of the ranges; true if nothing. */
  public Filter residual() {
    return residual;
  }

  List<Segment> segments() {
    return segments;
  }

  /** The rest of the same query, from a continuation token on. Its kind stays. */
  public QueryPlan from(Position token) {
    return new QueryPlan(kind, seeks, cut(new KeyRange(token, null)), residual);
  }

  /** The query narrowed to a range of keys, as a shared access signature does. */
  public QueryPlan within(KeyRange range) {
    return of(cut(range).stream().flatMap(cut -> cut.resolved().stream()).toList(), residual);
  }

  private List<Segment> cut(KeyRange range) {
    return segments.stream()
        .map(segment -> segment.within(range))
        .filter(segment -> !segment.range().isEmpty())
        .toList();
  }

  /** What the design guide would say of such a query. */
  public Optional<String> advice() {
    return switch (kind) {
      case NONE, POINT, RANGE -> Optional.empty();
      case SEEKS ->
          Optional.of(
              isInOnePartition()
                  ? "On Azure this is a partition scan: an 'or' of RowKey values is not treated as"
                      + " lookups there. Send one point query for each key, in parallel."
                  : "On Azure this is a table scan: an 'or' of keys is not treated as lookups"
                      + " there. Send one point query for each key, in parallel.");
      case PARTITION_SCAN ->
          Optional.of(
              "A partition scan reads every entity of the partition. Add a condition on RowKey, or"
                  + " keep a second copy of the entities in the same partition whose RowKey begins"
                  + " with the value you look for (intra-partition secondary index pattern).");
      case TABLE_SCAN ->
          Optional.of(
              "A table scan does not include the PartitionKey and is very inefficient, because it"
                  + " searches all of the partitions that make up your table in turn. Give the"
                  + " PartitionKey, or keep a second copy of the entities under the key you look"
                  + " for (secondary index patterns).");
    };
  }

  private boolean isInOnePartition() {
    return segments.stream().map(each -> each.range().from().partition()).distinct().count() <= 1;
  }

  private static Kind kindOf(List<Segment> segments) {
    if (segments.isEmpty()) {
      return Kind.NONE;
    }
    if (segments.stream().allMatch(Segment::isPoint)) {
      return segments.size() == 1 ? Kind.POINT : Kind.SEEKS;
    }
    if (!segments.stream().allMatch(segment -> segment.range().isInOnePartition())) {
      return Kind.TABLE_SCAN;
    }
    return reachesFromEndToEnd(segments) ? Kind.PARTITION_SCAN : Kind.RANGE;
  }

  /** True if in some partition both its first and its last row are asked for. */
  private static boolean reachesFromEndToEnd(List<Segment> segments) {
    KeyRange first = segments.get(0).range();
    for (Segment segment : segments) {
      KeyRange range = segment.range();
      if (!range.from().partition().equals(first.from().partition())) {
        first = range;
      }
      if (first.from().row().length() == 0
          && Position.endOf(range.from().partition()).equals(range.to())) {
        return true;
      }
    }
    return false;
  }
}
