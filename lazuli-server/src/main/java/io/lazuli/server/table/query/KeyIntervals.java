package io.lazuli.server.table.query;

import io.lazuli.storage.Bytes;
import io.lazuli.storage.LentBytes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A set of keys, as a sorted list of bounds. Keys from the first bound on are in the set, keys from
 * the second bound on are not, keys from the third on are again, and so on. Immutable.
 */
final class KeyIntervals {
  static final KeyIntervals NONE = new KeyIntervals(List.of());
  static final KeyIntervals ALL = new KeyIntervals(List.of(Bytes.EMPTY));

  private final Bytes[] bounds;

  private KeyIntervals(List<Bytes> bounds) {
    this.bounds = bounds.toArray(Bytes[]::new);
  }

  /** Returns the keys for which the comparison with the given key holds. */
  static KeyIntervals of(Operator operator, Bytes key) {
    Bytes above = key.successor();
    return switch (operator) {
      case EQ -> new KeyIntervals(List.of(key, above));
      case NE -> between(Bytes.EMPTY, key).union(new KeyIntervals(List.of(above)));
      case GT -> new KeyIntervals(List.of(above));
      case GE -> new KeyIntervals(List.of(key));
      case LT -> between(Bytes.EMPTY, key);
      case LE -> between(Bytes.EMPTY, above);
    };
  }

  /**
   * Returns one interval.
   *
   * @param to exclusive, not below {@code from}; null for no end
   */
  static KeyIntervals between(Bytes from, @Nullable Bytes to) {
    if (to == null) {
      return new KeyIntervals(List.of(from));
    }
    return from.equals(to) ? NONE : new KeyIntervals(List.of(from, to));
  }

  KeyIntervals union(KeyIntervals other) {
    if (isEmpty() || other.isAll()) {
      return other;
    }
    return other.isEmpty() || isAll() ? this : combine(other, false);
  }

  KeyIntervals intersection(KeyIntervals other) {
    if (isEmpty() || other.isAll()) {
      return this;
    }
    return other.isEmpty() || isAll() ? other : combine(other, true);
  }

  /**
   * Combines two sets in one pass: their intersection if {@code both} is true, else their union.
   */
  private KeyIntervals combine(KeyIntervals other, boolean both) {
    List<Bytes> result = new ArrayList<>(bounds.length + other.bounds.length);
    int left = 0;
    int right = 0;
    while (left < bounds.length || right < other.bounds.length) {
      int order = order(left, other, right);
      Bytes at = order <= 0 ? bounds[left] : other.bounds[right];
      left += order <= 0 ? 1 : 0;
      right += order >= 0 ? 1 : 0;
      boolean inLeft = left % 2 == 1;
      boolean inRight = right % 2 == 1;
      boolean in = both ? inLeft && inRight : inLeft || inRight;
      if (in != (result.size() % 2 == 1)) {
        result.add(at);
      }
    }
    return new KeyIntervals(result);
  }

  private int order(int left, KeyIntervals other, int right) {
    if (left == bounds.length) {
      return 1;
    }
    return right == other.bounds.length ? -1 : bounds[left].compareTo(other.bounds[right]);
  }

  /** Returns the smallest single interval that contains all keys of the set. */
  KeyIntervals hull() {
    if (bounds.length <= 2) {
      return this;
    }
    Bytes last = bounds[bounds.length - 1];
    return new KeyIntervals(isBounded() ? List.of(bounds[0], last) : List.of(bounds[0]));
  }

  boolean isEmpty() {
    return bounds.length == 0;
  }

  boolean isAll() {
    return bounds.length == 1 && bounds[0].length() == 0;
  }

  private boolean isBounded() {
    return bounds.length % 2 == 0;
  }

  /** Returns the number of intervals. */
  int size() {
    return (bounds.length + 1) / 2;
  }

  /** Returns the first key of an interval. */
  Bytes from(int interval) {
    return bounds[2 * interval];
  }

  /** Returns the first key after an interval; null if it has no end. */
  @Nullable Bytes to(int interval) {
    return 2 * interval + 1 < bounds.length ? bounds[2 * interval + 1] : null;
  }

  /**
   * Returns the number of bounds at or below the key. The key is in the set if the number is odd.
   * The result is also the index of the next bound.
   */
  int boundsUpTo(LentBytes key) {
    int low = 0;
    int high = bounds.length;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (key.compareTo(bounds[middle]) >= 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** Returns the bound with that index; null after the last one. */
  @Nullable Bytes bound(int index) {
    return index < bounds.length ? bounds[index] : null;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof KeyIntervals that && Arrays.equals(bounds, that.bounds);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bounds);
  }
}
