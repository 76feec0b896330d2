package io.lazuli.storage.hbase.reclaim;

import io.lazuli.storage.Bytes;
import io.lazuli.storage.hbase.balance.BalanceStep;
import io.lazuli.storage.hbase.balance.RegionSample;
import java.util.List;
import java.util.Optional;

/** The stored records of dropped spaces. All changes are idempotent. Blocks. */
public interface SpaceRows {
  /**
   * Consecutive keys of one region.
   *
   * @param next the key at which the next page begins; all keys before it were read
   * @param passesRegion true if the next key lies in another region or after the space
   */
  record Page(List<byte[]> keys, Bytes next, boolean passesRegion) {
    public Page {
      keys = List.copyOf(keys);
    }
  }

  /**
   * Returns the next keys of a space. If many rows were deleted before, a page may be empty
   * although more pages follow.
   *
   * @param from a key not before the first key of the space
   */
  Page keys(long space, Bytes from, int max);

  /** Deletes the rows of one page. */
  void delete(long space, List<byte[]> keys);

  /**
   * Returns true if the cluster can truncate a region. Otherwise the following methods are not
   * used.
   */
  boolean canTruncate();

  /**
   * Returns the region that contains a key of the space, as of a short time ago; empty if not
   * known.
   */
  Optional<RegionSample> region(long space, Bytes key);

  /**
   * Truncates a region. Returns false if the cluster refused; rows must then be deleted one by one.
   */
  boolean truncate(BalanceStep.Truncate step);

  /**
   * Splits a region. The cluster refuses to do so while the region still shares files with another
   * region.
   */
  void cut(BalanceStep.CutOut step);
}
