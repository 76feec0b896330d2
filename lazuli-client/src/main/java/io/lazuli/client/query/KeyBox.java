package io.lazuli.client.query;

import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A part of the key space that may contain matching entities. A filter becomes a set of such parts;
 * each match lies in at least one of them. Conditions on other properties are ignored.
 *
 * @param partition the partition; null for any
 * @param row the row; null for several
 * @param rowIsBounded whether the rows are restricted to a range
 */
record KeyBox(@Nullable String partition, @Nullable String row, boolean rowIsBounded) {
  private static final KeyBox EVERYTHING = new KeyBox(null, null, false);

  /** A filter with more combinations than this is explained as a scan of everything. */
  private static final int PARTS_MAX = 1_000;

  static Explanation explain(@Nullable Filter filter) {
    Set<KeyBox> boxes = filter == null ? Set.of(EVERYTHING) : of(filter, false);
    return Explanation.of(kindOf(boxes), kindOnAzure(boxes));
  }

  /**
   * Returns what Azure would do: it does not treat an 'or' of row keys as lookups or ranges but
   * scans the partition, and it scans the table for an 'or' of partition keys.
   */
  private static Explanation.Kind kindOnAzure(Set<KeyBox> boxes) {
    if (boxes.size() <= 1) {
      return kindOf(boxes);
    }
    boolean onePartition = boxes.stream().map(KeyBox::partition).distinct().count() == 1;
    return onePartition && boxes.iterator().next().partition != null
        ? Explanation.Kind.PARTITION
        : Explanation.Kind.TABLE;
  }

  /** Returns the partitions that a filter names; empty if others may match too. */
  static Set<String> partitionsOf(@Nullable Filter filter) {
    Set<String> partitions = new LinkedHashSet<>();
    for (KeyBox box : filter == null ? Set.of(EVERYTHING) : of(filter, false)) {
      if (box.partition == null) {
        return Set.of();
      }
      partitions.add(box.partition);
    }
    return Collections.unmodifiableSet(partitions);
  }

  private static Explanation.Kind kindOf(Set<KeyBox> boxes) {
    if (boxes.isEmpty()) {
      return Explanation.Kind.NONE;
    }
    if (boxes.stream().anyMatch(box -> box.partition == null)) {
      return Explanation.Kind.TABLE;
    }
    if (boxes.stream().allMatch(box -> box.row != null)) {
      return boxes.size() == 1 ? Explanation.Kind.POINT : Explanation.Kind.POINTS;
    }
    return boxes.stream().allMatch(KeyBox::rowIsBounded)
        ? Explanation.Kind.ROW_RANGE
        : Explanation.Kind.PARTITION;
  }

  private static Set<KeyBox> of(Filter filter, boolean negated) {
    if (filter instanceof Negation negation) {
      return of(negation.condition(), !negated);
    }
    if (filter instanceof Junction junction) {
      Set<KeyBox> left = of(junction.left(), negated);
      Set<KeyBox> right = of(junction.right(), negated);
      boolean both = (junction.kind() == Junction.Kind.AND) != negated;
      return both ? common(left, right) : all(left, right);
    }
    return Set.of(negated ? EVERYTHING : of((Comparison) filter));
  }

  private static KeyBox of(Comparison comparison) {
    if (!(comparison.literal().value() instanceof String value)) {
      return EVERYTHING;
    }
    boolean equal = comparison.operator() == Comparison.Operator.EQ;
    if (comparison.property().equals(Property.PARTITION_KEY)) {
      return equal ? new KeyBox(value, null, false) : EVERYTHING;
    }
    if (!comparison.property().equals(Property.ROW_KEY)) {
      return EVERYTHING;
    }
    if (equal) {
      return new KeyBox(null, value, true);
    }
    return new KeyBox(null, null, comparison.operator() != Comparison.Operator.NE);
  }

  private static Set<KeyBox> all(Set<KeyBox> left, Set<KeyBox> right) {
    Set<KeyBox> all = new LinkedHashSet<>(left);
    all.addAll(right);
    return all;
  }

  private static Set<KeyBox> common(Set<KeyBox> left, Set<KeyBox> right) {
    if ((long) left.size() * right.size() > PARTS_MAX) {
      return Set.of(EVERYTHING);
    }
    Set<KeyBox> common = new LinkedHashSet<>();
    for (KeyBox one : left) {
      for (KeyBox other : right) {
        KeyBox both = one.and(other);
        if (both != null) {
          common.add(both);
        }
      }
    }
    return common;
  }

  private @Nullable KeyBox and(KeyBox other) {
    if (differ(partition, other.partition) || differ(row, other.row)) {
      return null;
    }
    return new KeyBox(
        partition == null ? other.partition : partition,
        row == null ? other.row : row,
        rowIsBounded || other.rowIsBounded);
  }

  private static boolean differ(@Nullable String one, @Nullable String other) {
    return one != null && other != null && !one.equals(other);
  }
}
