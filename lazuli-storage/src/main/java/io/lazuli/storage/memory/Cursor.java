package io.lazuli.storage.memory;

import io.lazuli.storage.Bytes;
import io.lazuli.storage.Direction;
import io.lazuli.storage.KeyRange;
import io.lazuli.storage.Position;
import io.lazuli.storage.keys.KeyCodec;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * How far a scan has come: the intervals that are left, in the order of the scan. It moves one way
 * only. Mutable, owned by the thread that scans.
 */
final class Cursor {
  private final long space;
  private final boolean forward;
  private final List<Interval> intervals;

  /** Forward: the first key that may still be shown. Backward: the first that may not. */
  private Bytes bound;

  Cursor(long space, List<KeyRange> ranges, Direction direction) {
    this.space = space;
    this.forward = direction == Direction.FORWARD;
    this.intervals = new ArrayList<>(ranges.size());
    Interval whole = Interval.ofSpace(space);
    for (KeyRange range : ranges) {
      Position to = range.to();
      intervals.add(new Interval(encode(range.from()), to == null ? whole.to() : encode(to)));
    }
    if (!forward) {
      Collections.reverse(intervals);
    }
    this.bound = forward ? whole.from() : whole.to();
  }

  boolean isForward() {
    return forward;
  }

  /** What is left. */
  List<Interval> rest() {
    intervals.replaceAll(interval -> forward ? interval.from(bound) : interval.before(bound));
    intervals.removeIf(Interval::isEmpty);
    return intervals;
  }

  /** True if the key is still to come. */
  boolean isAhead(Bytes key) {
    return (key.compareTo(bound) >= 0) == forward;
  }

  /** The key was shown: go on behind it. */
  void pass(Bytes key) {
    moveTo(forward ? key.successor() : key);
  }

  /** Goes on at the position, unless the scan is already beyond it. */
  void skipTo(Position position) {
    moveTo(forward ? encode(position) : encode(position).successor());
  }

  private void moveTo(Bytes newBound) {
    if (isAhead(newBound)) {
      bound = newBound;
    }
  }

  private Bytes encode(Position position) {
    return Bytes.of(KeyCodec.encode(space, position));
  }
}
