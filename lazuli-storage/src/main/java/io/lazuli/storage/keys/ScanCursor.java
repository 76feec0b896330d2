package io.lazuli.storage.keys;

import io.lazuli.storage.Bytes;
import io.lazuli.storage.Direction;
import io.lazuli.storage.KeyRange;
import io.lazuli.storage.LentRecord;
import io.lazuli.storage.Position;
import io.lazuli.storage.RecordVisitor;
import io.lazuli.storage.Visit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * The progress of a scan: the intervals that are left, in scan order. It moves in one direction
 * only and shows records to a visitor on the way. Mutable, owned by the scanning thread.
 */
public final class ScanCursor {
  private final long space;
  private final boolean forward;
  private final List<KeyInterval> intervals;
  private final LentRecord lent = new LentRecord();

  /**
   * In a forward scan, the first key that may still be shown. In a backward scan, the first key
   * that may not.
   */
  private Bytes bound;

  /**
   * True if a forward scan has passed the bound itself. This saves a copy of every key: its
   * successor.
   */
  private boolean passed;

  public ScanCursor(long space, List<KeyRange> ranges, Direction direction) {
    this.space = space;
    this.forward = direction == Direction.FORWARD;
    this.intervals = new ArrayList<>(ranges.size());
    KeyInterval whole = KeyInterval.ofSpace(space);
    for (KeyRange range : ranges) {
      Position to = range.to();
      intervals.add(new KeyInterval(encode(range.from()), to == null ? whole.to() : encode(to)));
    }
    if (!forward) {
      Collections.reverse(intervals);
    }
    this.bound = forward ? whole.from() : whole.to();
  }

  public boolean isForward() {
    return forward;
  }

  /** Returns the intervals that are left. */
  public List<KeyInterval> rest() {
    Bytes next = passed ? bound.successor() : bound;
    intervals.replaceAll(interval -> forward ? interval.from(next) : interval.before(next));
    intervals.removeIf(KeyInterval::isEmpty);
    return intervals;
  }

  /**
   * Shows a record, unless the scan has already passed it, and moves to the position at which the
   * visitor continues.
   *
   * @param value an array that holds the record's value
   * @return false if the visitor stops the scan
   */
  public boolean show(Bytes key, byte[] value, int offset, int length, RecordVisitor visitor) {
    if (!isAhead(key)) {
      return true;
    }
    pass(key);
    KeyCodec.lend(key.array(), key.length(), lent.partition(), lent.row());
    lent.value().lend(value, offset, length);
    Visit visit = visitor.visit(lent);
    Position target = visit.target();
    if (target != null) {
      moveTo(forward ? encode(target) : encode(target).successor());
    }
    return visit != Visit.STOP;
  }

  /** Moves past a key without showing it. */
  public void pass(Bytes key) {
    if (isAhead(key)) {
      bound = key;
      passed = forward;
    }
  }

  /**
   * Moves to a bound after everything up to it was visited. In a forward scan the bound is the
   * first key that may still be shown, in a backward scan the first that may not.
   */
  public void resumeAt(Bytes key) {
    moveTo(key);
  }

  private boolean isAhead(Bytes key) {
    int order = key.compareTo(bound);
    return forward ? order > 0 || (order == 0 && !passed) : order < 0;
  }

  private void moveTo(Bytes newBound) {
    if (isAhead(newBound)) {
      bound = newBound;
      passed = false;
    }
  }

  private Bytes encode(Position position) {
    return Bytes.of(KeyCodec.encode(space, position));
  }
}
