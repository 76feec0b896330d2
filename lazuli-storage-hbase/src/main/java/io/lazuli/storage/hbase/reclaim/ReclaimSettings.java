package io.lazuli.storage.hbase.reclaim;

import java.time.Duration;

/**
 * When and how fast the records of dropped spaces are removed.
 *
 * @param after how long they stay
 * @param rowsPerSecond how many are deleted one by one; each leaves a tombstone until the cluster
 *     compacts
 * @param cutRows how many are deleted one by one before the rest of a region is worth a split
 * @param cutBytes how large such a region is at least
 */
public record ReclaimSettings(Duration after, int rowsPerSecond, long cutRows, long cutBytes) {
  /** The region size is what merges stay below, so that nobody undoes a split that is half done. */
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
