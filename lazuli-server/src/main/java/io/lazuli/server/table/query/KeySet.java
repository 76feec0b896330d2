package io.lazuli.server.table.query;

import io.lazuli.storage.Bytes;
import io.lazuli.storage.KeyRange;
import io.lazuli.storage.Position;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A set of entity keys. The ordered partition keys are divided into intervals, called steps. Each
 * step has one set of row keys, which applies to every partition of the step. Immutable.
 *
 * <p>A union or an intersection is one pass over the steps of both operands. A result of more than
 * {@link #SIZE_MAX} intervals is <em>widened</em>: it is replaced by a larger set with a smaller
 * description. That bounds the work for any filter. The result of a query stays correct as long as
 * the whole condition is checked on each record of a widened set.
 */
final class KeySet {
  static final int SIZE_MAX = 4_000;

  static final KeySet NONE = new KeySet(List.of(new Step(Bytes.EMPTY, KeyIntervals.NONE)), false);
  static final KeySet ALL = new KeySet(List.of(new Step(Bytes.EMPTY, KeyIntervals.ALL)), false);

  /**
   * The partitions from {@code from} to the beginning of the next step, and the row keys that are
   * in the set for each of them.
   */
  private record Step(Bytes from, KeyIntervals rows) {}

  /** The first step begins with the empty key. Consecutive steps have different rows. */
  private final List<Step> steps;

  private final int size;
  private final boolean widened;

  private KeySet(List<Step> steps, boolean widened) {
    this.steps = steps;
    this.size = steps.stream().mapToInt(step -> step.rows.size()).sum();
    this.widened = widened;
  }

  /** Returns the set of all rows in the given partitions. */
  static KeySet ofPartitions(KeyIntervals partitions) {
    List<Step> steps = new ArrayList<>();
    for (int i = 0; i < partitions.size(); i++) {
      addStep(steps, partitions.from(i), KeyIntervals.ALL);
      Bytes to = partitions.to(i);
      if (to != null) {
        addStep(steps, to, KeyIntervals.NONE);
      }
    }
    return steps.isEmpty() ? NONE : new KeySet(steps, false);
  }

  /** Returns the set of the given rows in every partition. */
  static KeySet ofRows(KeyIntervals rows) {
    return new KeySet(List.of(new Step(Bytes.EMPTY, rows)), false);
  }

  KeySet union(KeySet other) {
    return combine(other, false);
  }

  KeySet intersection(KeySet other) {
    return combine(other, true);
  }

  private KeySet combine(KeySet other, boolean both) {
    KeySet result = sweep(other, both);
    if (result == null) {
      result = withRowHulls().sweep(other.withRowHulls(), both);
    }
    if (result == null) {
      result = partitionHull().sweep(other.partitionHull(), both);
    }
    if (result == null) {
      throw new IllegalStateException("a set of two intervals is too large");
    }
    return result;
  }

  /**
   * Combines two sets in one pass: their intersection if {@code both} is true, else their union.
   * Returns null if the result is too large.
   */
  private @Nullable KeySet sweep(KeySet other, boolean both) {
    List<Step> result = new ArrayList<>();
    int intervals = 0;
    int left = 0;
    int right = 0;
    Bytes from = Bytes.EMPTY;
    while (from != null) {
      KeyIntervals rows = steps.get(left).rows;
      KeyIntervals otherRows = other.steps.get(right).rows;
      KeyIntervals combined = both ? rows.intersection(otherRows) : rows.union(otherRows);
      intervals += addStep(result, from, combined) ? combined.size() : 0;
      if (intervals > SIZE_MAX) {
        return null;
      }
      Bytes next = end(left);
      Bytes otherNext = other.end(right);
      from = lower(next, otherNext);
      left += Objects.equals(next, from) ? 1 : 0;
      right += Objects.equals(otherNext, from) ? 1 : 0;
    }
    return new KeySet(result, widened || other.widened);
  }

  /**
   * Adds a step, unless its rows are the same as those of the step before. Returns true if the step
   * was added.
   */
  private static boolean addStep(List<Step> steps, Bytes from, KeyIntervals rows) {
    if (steps.isEmpty() && from.length() > 0) {
      steps.add(new Step(Bytes.EMPTY, KeyIntervals.NONE));
    }
    if (!steps.isEmpty() && steps.get(steps.size() - 1).rows.equals(rows)) {
      return false;
    }
    return steps.add(new Step(from, rows));
  }

  private static @Nullable Bytes lower(@Nullable Bytes a, @Nullable Bytes b) {
    if (a == null || b == null) {
      return a == null ? b : a;
    }
    return a.compareTo(b) <= 0 ? a : b;
  }

  /** Returns the first partition after a step; null after the last step. */
  private @Nullable Bytes end(int step) {
    return step + 1 < steps.size() ? steps.get(step + 1).from : null;
  }

  /** Returns a superset in which each step has at most one interval of rows. */
  KeySet withRowHulls() {
    List<Step> result = new ArrayList<>();
    for (Step step : steps) {
      addStep(result, step.from, step.rows.hull());
    }
    return new KeySet(result, true);
  }

  /** Returns a superset: all rows in the smallest interval of partitions that contains the set. */
  KeySet partitionHull() {
    KeyIntervals partitions = KeyIntervals.NONE;
    for (int i = 0; i < steps.size(); i++) {
      if (!steps.get(i).rows.isEmpty()) {
        partitions = partitions.union(KeyIntervals.between(steps.get(i).from, end(i))).hull();
      }
    }
    return new KeySet(ofPartitions(partitions).steps, true);
  }

  /** Returns true if this set, or a set that it was made from, was widened. */
  boolean isWidened() {
    return widened;
  }

  /** Returns the same set without the mark that it was widened. */
  KeySet unmarked() {
    return widened ? new KeySet(steps, false) : this;
  }

  boolean isEmpty() {
    return size == 0;
  }

  /** Returns the number of intervals of rows that describe the set. */
  int size() {
    return size;
  }

  boolean sameKeys(KeySet other) {
    return steps.equals(other.steps);
  }

  /** Returns the set as ranges to scan, sorted and disjoint. */
  List<ScanRange> scanRanges() {
    List<ScanRange> scanRanges = new ArrayList<>();
    for (int i = 0; i < steps.size(); i++) {
      Step step = steps.get(i);
      if (!step.rows.isEmpty()) {
        Bytes to = end(i);
        KeyRange range =
            new KeyRange(Position.startOf(step.from), to == null ? null : Position.startOf(to));
        new ScanRange(range, step.rows)
            .resolved()
            .forEach(scanRange -> append(scanRanges, scanRange));
      }
    }
    return scanRanges;
  }

  private static void append(List<ScanRange> scanRanges, ScanRange added) {
    int last = scanRanges.size() - 1;
    ScanRange joined = last < 0 ? null : scanRanges.get(last).join(added);
    if (joined == null) {
      scanRanges.add(added);
    } else {
      scanRanges.set(last, joined);
    }
  }
}
