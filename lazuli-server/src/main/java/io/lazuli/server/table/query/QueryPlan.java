package io.lazuli.server.table.query;

import io.lazuli.storage.Bytes;
import io.lazuli.storage.KeyRange;
import io.lazuli.storage.Position;
import java.util.List;
import java.util.Optional;

/**
 * The plan of a query: the key ranges to scan, and the residual filter that is checked on each
 * record in them. Immutable. The same object is used for execution ({@link MatchingVisitor}), for
 * the response header and for the advice about slow queries.
 */
public final class QueryPlan {
  /** The kinds of plans, from the cheapest to the most expensive. */
  public enum Kind {
    /** Nothing can match, so nothing is read. */
    NONE("none"),
    /** One entity, by both keys. */
    POINT("point"),
    /** Several entities, each by both keys. */
    SEEKS("seeks"),
    /**
     * One or more given partitions, and in each of them rows that do not extend from its start to
     * its end.
     */
    RANGE("range"),
    /** One or more given partitions, from start to end. */
    PARTITION_SCAN("partition scan"),
    /** Partitions that the filter does not name one by one. */
    TABLE_SCAN("table scan");

    private final String text;

    Kind(String text) {
      this.text = text;
    }

    /** Returns the name of the kind, without a number. */
    public String text() {
      return text;
    }
  }

  private final Kind kind;
  private final int seeks;
  private final List<ScanRange> scanRanges;
  private final Filter residual;

  private QueryPlan(Kind kind, int seeks, List<ScanRange> scanRanges, Filter residual) {
    this.kind = kind;
    this.seeks = seeks;
    this.scanRanges = List.copyOf(scanRanges);
    this.residual = residual;
  }

  static QueryPlan of(List<ScanRange> scanRanges, Filter residual) {
    return new QueryPlan(kindOf(scanRanges), scanRanges.size(), scanRanges, residual);
  }

  public Kind kind() {
    return kind;
  }

  /**
   * Returns the kind in words: {@code point}, {@code seeks(2)}, {@code partition scan} and so on.
   */
  public String text() {
    return kind == Kind.SEEKS ? kind.text + "(" + seeks + ")" : kind.text;
  }

  /** Returns the ranges to scan: sorted, disjoint and not empty. */
  public List<KeyRange> ranges() {
    return scanRanges.stream().map(ScanRange::range).toList();
  }

  /** Returns the partition that contains all ranges; empty if there is none or more than one. */
  public Optional<Bytes> onlyPartition() {
    boolean one = kind != Kind.TABLE_SCAN && !scanRanges.isEmpty() && isInOnePartition();
    return one ? Optional.of(scanRanges.get(0).range().from().partition()) : Optional.empty();
  }

  /**
   * Returns whether only some rows of the ranges are wanted, by a condition on RowKey that no
   * condition on PartitionKey accompanies.
   */
  public boolean skipsRows() {
    return scanRanges.stream().anyMatch(each -> !each.rows().isAll());
  }

  /**
   * Returns the filter that must still be checked on each record of the ranges; {@link Filter#ALL}
   * if there is nothing to check.
   */
  public Filter residual() {
    return residual;
  }

  List<ScanRange> scanRanges() {
    return scanRanges;
  }

  /** Returns the rest of the query, from a continuation token on. The kind stays the same. */
  public QueryPlan from(Position token) {
    return new QueryPlan(kind, seeks, cut(new KeyRange(token, null)), residual);
  }

  /**
   * Returns the query limited to a range of keys, such as the range that a shared access signature
   * allows.
   */
  public QueryPlan within(KeyRange range) {
    return of(cut(range).stream().flatMap(cut -> cut.resolved().stream()).toList(), residual);
  }

  private List<ScanRange> cut(KeyRange range) {
    return scanRanges.stream()
        .map(scanRange -> scanRange.within(range))
        .filter(scanRange -> !scanRange.range().isEmpty())
        .toList();
  }

  /** Returns the advice of the design guide for this kind of query. */
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
    return scanRanges.stream().map(each -> each.range().from().partition()).distinct().count() <= 1;
  }

  private static Kind kindOf(List<ScanRange> scanRanges) {
    if (scanRanges.isEmpty()) {
      return Kind.NONE;
    }
    if (scanRanges.stream().allMatch(ScanRange::isPoint)) {
      return scanRanges.size() == 1 ? Kind.POINT : Kind.SEEKS;
    }
    if (!scanRanges.stream().allMatch(scanRange -> scanRange.range().isInOnePartition())) {
      return Kind.TABLE_SCAN;
    }
    return reachesFromEndToEnd(scanRanges) ? Kind.PARTITION_SCAN : Kind.RANGE;
  }

  /** Returns true if the query asks for both the first and the last row of some partition. */
  private static boolean reachesFromEndToEnd(List<ScanRange> scanRanges) {
    KeyRange first = scanRanges.get(0).range();
    for (ScanRange scanRange : scanRanges) {
      KeyRange range = scanRange.range();
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
