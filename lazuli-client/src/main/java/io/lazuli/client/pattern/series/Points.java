package io.lazuli.client.pattern.series;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * The points of a series as they were read. Immutable.
 *
 * @param <V> the type of the values
 */
public final class Points<V> {
  private final int count;
  private final SortedMap<Integer, V> values;

  Points(int count, Map<Integer, V> values) {
    this.count = count;
    this.values = Collections.unmodifiableSortedMap(new TreeMap<>(values));
  }

  /** Returns the number of points in the series, set or not. */
  public int count() {
    return count;
  }

  /** Returns the value of a point; empty if it was never set. */
  public Optional<V> at(int point) {
    return Optional.ofNullable(values.get(checked(point, count)));
  }

  /** Returns the points that were set, by their number, in order. */
  public SortedMap<Integer, V> values() {
    return values;
  }

  /** Returns the values of all points, from 0 on, with a default for those that were never set. */
  public List<V> orElse(V missing) {
    return IntStream.range(0, count)
        .mapToObj(point -> values.getOrDefault(point, missing))
        .toList();
  }

  /** Returns all points, from 0 on; empty where none was set. */
  public List<Optional<V>> toList() {
    return IntStream.range(0, count).mapToObj(this::at).toList();
  }

  static int checked(int point, int count) {
    if (point < 0 || point >= count) {
      throw new IllegalArgumentException(
          "points are numbered 0 to " + (count - 1) + ", not " + point);
    }
    return point;
  }
}
