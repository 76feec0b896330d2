package io.lazuli.storage.hbase.reclaim;

import java.time.Duration;

/**
 * The settings for removing the records of dropped spaces: when and how fast.
 *
 * @param after how long the records are kept after the drop
 * @param rowsPerSecond the rate at which rows are deleted one by one; every deleted row leaves a
 *     delete marker until the next compaction
 * @param cutRows the number of rows deleted one by one after which a region is split for the rest
 * @param cutBytes the size below which a region is not split
 */
public record ReclaimSettings(Duration after, int rowsPerSecond, long cutRows, long cutBytes) {
  /**
   * The default settings. {@code cutBytes} equals the size limit of merges, so that the balancer
   * does not undo a split before the region is truncated.
   */
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
