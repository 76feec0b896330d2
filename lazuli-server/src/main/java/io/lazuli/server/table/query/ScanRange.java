package io.lazuli.server.table.query;

import io.lazuli.storage.Bytes;
import io.lazuli.storage.KeyRange;
import io.lazuli.storage.Position;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A range to scan, and the rows that are wanted in each of its partitions. */
record ScanRange(KeyRange range, KeyIntervals rows) {
  boolean isPoint() {
    return rows.isAll() && range.from().successor().equals(range.to());
  }

  /** Returns the same keys, as ranges of rows if the range lies in one partition. */
  List<ScanRange> resolved() {
    if (rows.isAll() || !range.isInOnePartition()) {
      return List.of(this);
    }
    Bytes partition = range.from().partition();
    List<ScanRange> ranges = new ArrayList<>();
    for (int i = 0; i < rows.size(); i++) {
      Bytes to = rows.to(i);
      Position end = to == null ? Position.endOf(partition) : new Position(partition, to);
      KeyRange interval = new KeyRange(new Position(partition, rows.from(i)), end);
      KeyRange cut = intersection(range, interval);
      if (!cut.isEmpty()) {
        ranges.add(new ScanRange(cut, KeyIntervals.ALL));
      }
    }
    return ranges;
  }

  /** Returns the part in the other range, which may be empty. */
  ScanRange within(KeyRange other) {
    return new ScanRange(intersection(range, other), rows);
  }

  /** Joins this range and the next one; null if they are not adjacent. */
  @Nullable ScanRange join(ScanRange next) {
    boolean touch = next.range.from().equals(range.to()) && rows.isAll() && next.rows.isAll();
    return touch ? new ScanRange(new KeyRange(range.from(), next.range.to()), rows) : null;
  }

  private static KeyRange intersection(KeyRange a, KeyRange b) {
    Position from = a.from().compareTo(b.from()) >= 0 ? a.from() : b.from();
    return new KeyRange(from, lower(a.to(), b.to()));
  }

  private static @Nullable Position lower(@Nullable Position a, @Nullable Position b) {
    if (a == null || b == null) {
      return a == null ? b : a;
    }
    return a.compareTo(b) <= 0 ? a : b;
  }
}
