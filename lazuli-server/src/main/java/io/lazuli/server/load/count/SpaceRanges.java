package io.lazuli.server.load.count;

import java.util.List;

/**
 * The ranges of keys of one space in one generation. Range {@code i} begins at bound {@code i} and
 * ends before the next one. Immutable.
 */
public final class SpaceRanges {
  private final SpaceName name;
  private final int index;
  private final int firstBucket;
  private final String[] bounds;

  /**
   * @param index the place of the space's own counts
   * @param firstBucket the place of the counts of its first range
   * @param bounds sorted; the first one is empty
   */
  SpaceRanges(SpaceName name, int index, int firstBucket, List<String> bounds) {
    this.name = name;
    this.index = index;
    this.firstBucket = firstBucket;
    this.bounds = bounds.toArray(new String[0]);
  }

  public SpaceName name() {
    return name;
  }

  int index() {
    return index;
  }

  int firstBucket() {
    return firstBucket;
  }

  /** Returns the first keys of the ranges; the first one is empty. */
  public List<String> bounds() {
    return List.of(bounds);
  }

  int size() {
    return bounds.length;
  }

  /** Returns the range of a key. */
  int range(String key) {
    int low = 0;
    int high = bounds.length - 1;
    while (low < high) {
      int middle = (low + high + 1) >>> 1;
      if (bounds[middle].compareTo(key) <= 0) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return low;
  }
}
