package io.lazuli.storage;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A range of records of one space.
 *
 * @param from the first position, inclusive
 * @param to the first position after the range; null for the end of the space
 */
public record KeyRange(Position from, @Nullable Position to) {
  /** Every record of a space. */
  public static final KeyRange ALL = new KeyRange(Position.START, null);

  /** Returns the range of all records of a partition. */
  public static KeyRange ofPartition(Bytes partition) {
    return new KeyRange(Position.startOf(partition), Position.endOf(partition));
  }

  /** Returns the range that contains only the record at a position. */
  public static KeyRange point(Position at) {
    return new KeyRange(at, at.successor());
  }

  public boolean isEmpty() {
    return to != null && from.compareTo(to) >= 0;
  }

  /** Returns true if every record of the range lies in one partition. */
  public boolean isInOnePartition() {
    return to != null
        && (to.partition().equals(from.partition()) || to.equals(Position.endOf(from.partition())));
  }

  /** Throws if a range is empty, or if the ranges overlap or are not in order. */
  public static void requireSortedAndDisjoint(List<KeyRange> ranges) {
    Position end = Position.START;
    for (int i = 0; i < ranges.size(); i++) {
      KeyRange range = ranges.get(i);
      boolean last = i == ranges.size() - 1;
      if (range.isEmpty() || range.from.compareTo(end) < 0 || (range.to == null && !last)) {
        throw new IllegalArgumentException("ranges must be sorted, disjoint and not empty");
      }
      if (range.to != null) {
        end = range.to;
      }
    }
  }
}
