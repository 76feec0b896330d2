package io.lazuli.storage.hbase.reclaim;

import io.lazuli.storage.Bytes;
import io.lazuli.storage.hbase.balance.BalanceStep;
import io.lazuli.storage.hbase.balance.RegionSample;
import io.lazuli.storage.keys.KeyInterval;
import java.util.Optional;

/**
 * Decides how to remove the records of a dropped space from a region, as a pure function of the
 * observed region and progress. A region that lies inside the space is truncated. In a region that
 * is shared with neighbours the rows are deleted one by one. If there are too many rows, the region
 * is split at the first key of the space, and later at the first key after the space, until one
 * region lies inside. The borders of a region never change while it keeps its name, so that a late
 * step cannot truncate anything else.
 */
final class ReclaimPlan {
  private final ReclaimSettings settings;

  ReclaimPlan(ReclaimSettings settings) {
    this.settings = settings;
  }

  /**
   * Returns the step for a region.
   *
   * @param drop a drop that has reached a key of the region
   * @param mayCut false if the region must not be split
   * @return empty if the rows are to be deleted one by one
   */
  Optional<BalanceStep> step(RegionSample region, Drop drop, boolean mayCut) {
    KeyInterval space = drop.interval();
    if (!region.contains(drop.from()) || region.bytes() == 0) {
      return Optional.empty();
    }
    boolean beginsInside = region.from().compareTo(space.from()) >= 0;
    boolean endsInside = region.to().length() > 0 && region.to().compareTo(space.to()) <= 0;
    if (beginsInside && endsInside) {
      return Optional.of(new BalanceStep.Truncate(region, "it lies inside a dropped space"));
    }
    if (!mayCut || drop.rows() < settings.cutRows() || region.bytes() < settings.cutBytes()) {
      return Optional.empty();
    }
    Bytes at = beginsInside ? space.to() : space.from();
    return Optional.of(
        new BalanceStep.CutOut(region, at, "a large part of it belongs to a dropped space"));
  }
}
