package io.lazuli.storage.hbase.reclaim;

import java.time.Duration;

/**
 * When and how fast the records of dropped spaces are removed.
 *
 * @param after how long the records stay
 * @param rowsPerSecond how many rows are deleted one by one; each leaves a tombstone until the
 *     cluster compacts
 * @param cutRows the number of rows deleted one by one after which a region is split for the rest
 * @param cutBytes the size below which a region is not split
 */
public record ReclaimSettings(Duration after, int rowsPerSecond, long cutRows, long cutBytes) {
  /** The size is the limit of merges, so that balancing does not undo a split that still waits. */
  public static final ReclaimSettings DEFAULT =
      new ReclaimSettings(Duration.ofHours(1), 10_000, 100_000, 256L << 20);

  public ReclaimSettings {
    if (after.isNegative() || rowsPerSecond <= 0 || cutRows < 0 || cutBytes < 0) {
      throw new IllegalArgumentException("a setting of the reclaimer is out of bounds");
    }
  }

  public ReclaimSettings withAfter(Duration newAfter) {
    return new ReclaimSettings(newAfter, rowsPerSecond, cutRows, cutBytes);
  }
}
