package io.lazuli.storage.hbase.reclaim;

import io.lazuli.storage.Bytes;
import io.lazuli.storage.hbase.balance.BalanceStep;
import io.lazuli.storage.hbase.balance.RegionSample;
import java.util.List;
import java.util.Optional;

/** The stored records of dropped spaces. Everything may be done twice; blocks. */
public interface SpaceRows {
  /**
   * Keys that follow each other in one region.
   *
   * @param next where to go on: every key before it was seen
   * @param passesRegion true if what follows lies in another region, or behind the space
   */
  record Page(List<byte[]> keys, Bytes next, boolean passesRegion) {
    public Page {
      keys = List.copyOf(keys);
    }
  }

  /**
   * The next keys of a space. A page may be empty although more follows, where much was deleted.
   *
   * @param from at or behind the first key of the space
   */
  Page keys(long space, Bytes from, int max);

  /** Deletes rows of one page. */
  void delete(long space, List<byte[]> keys);

  /** True if the cluster can empty a region; what follows is of use only then. */
  boolean canTruncate();

  /** The region that has a key of the space, as it was seen lately; empty if nobody knows. */
  Optional<RegionSample> region(long space, Bytes key);

  /** Empties a region; false if the cluster refused for now, and rows have to go one by one. */
  boolean truncate(BalanceStep.Truncate step);

  /**
   * Parts a region. What comes of it is seen later: the cluster refuses while the region still
   * shares files with another.
   */
  void cut(BalanceStep.CutOut step);
}
