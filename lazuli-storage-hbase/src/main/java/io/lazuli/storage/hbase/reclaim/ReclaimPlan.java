package io.lazuli.storage.hbase.reclaim;

import io.lazuli.storage.Bytes;
import io.lazuli.storage.hbase.balance.BalanceStep;
import io.lazuli.storage.hbase.balance.RegionSample;
import io.lazuli.storage.keys.KeyInterval;
import java.util.Optional;

/**
 * Decides how the records of a dropped space leave the region in which they are met; a plain
 * function of what was seen. A region that lies wholly inside the space is emptied at once. One
 * that is shared with neighbours loses the rows one by one, unless there turn out to be many: then
 * it is parted at the first key of the space, later at the first key behind it, until a region lies
 * wholly inside. A region's ends never change while it keeps its name, so a plan that is carried
 * out late empties nothing else.
 */
final class ReclaimPlan {
  private final ReclaimSettings settings;

  ReclaimPlan(ReclaimSettings settings) {
    this.settings = settings;
  }

  /**
   * What to do about a region.
   *
   * @param drop which has come to a key of the region
   * @param mayCut false if the region must not be parted
   * @return empty if its rows go one by one
   */
  Optional<BalanceStep> step(RegionSample region, Drop drop, boolean mayCut) {
    KeyInterval space = drop.interval();
    if (!region.contains(drop.from()) || region.bytes() == 0) {
      return Optional.empty();
    }
    boolean beginsInside = region.from().compareTo(space.from()) >= 0;
    boolean endsInside = region.to().length() > 0 && region.to().compareTo(space.to()) <= 0;
    if (beginsInside && endsInside) {
      return Optional.of(new BalanceStep.Truncate(region, "all of it was dropped"));
    }
    if (!mayCut || drop.rows() < settings.cutRows() || region.bytes() < settings.cutBytes()) {
      return Optional.empty();
    }
    Bytes at = beginsInside ? space.to() : space.from();
    return Optional.of(new BalanceStep.CutOut(region, at, "a large part of it was dropped"));
  }
}
