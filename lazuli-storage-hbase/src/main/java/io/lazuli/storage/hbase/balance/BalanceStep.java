package io.lazuli.storage.hbase.balance;

import io.lazuli.storage.Bytes;
import java.util.List;

/** One thing to do about the ranges of a table, and why. */
public sealed interface BalanceStep {
  /** For people; the same words for the same step. */
  String what();

  String why();

  /** The regions that this is about. */
  List<RegionSample> regions();

  /** True for what balancing does, of which there may be only so much in an hour. */
  default boolean isOperation() {
    return this instanceof Split || this instanceof Merge;
  }

  /** Parts a region before a partition. */
  record Split(RegionSample region, Bytes at, String why) implements BalanceStep {
    @Override
    public String what() {
      return "split " + region.range() + " at " + ReadableKey.of(at);
    }

    @Override
    public List<RegionSample> regions() {
      return List.of(region);
    }
  }

  /** Makes one region of two neighbours. */
  record Merge(RegionSample left, RegionSample right, String why) implements BalanceStep {
    @Override
    public String what() {
      return "merge "
          + left.table()
          + " "
          + ReadableKey.range(left.from(), right.to())
          + " across "
          + ReadableKey.of(right.from());
    }

    @Override
    public List<RegionSample> regions() {
      return List.of(left, right);
    }
  }

  /** Tells that a partition is too hot, which no split can help. */
  record TooHot(RegionSample region, Bytes partition, String why) implements BalanceStep {
    @Override
    public String what() {
      return "partition too hot: " + region.table() + " " + ReadableKey.of(partition);
    }

    @Override
    public List<RegionSample> regions() {
      return List.of(region);
    }
  }

  /** Tells of a split or a merge that has to wait because there were too many. */
  record HeldBack(BalanceStep step, String why) implements BalanceStep {
    @Override
    public String what() {
      return "held back: " + step.what();
    }

    @Override
    public List<RegionSample> regions() {
      return step.regions();
    }
  }

  /** Empties a region, all of which was dropped. */
  record Truncate(RegionSample region, String why) implements BalanceStep {
    @Override
    public String what() {
      return "truncate " + region.range();
    }

    @Override
    public List<RegionSample> regions() {
      return List.of(region);
    }
  }

  /** Parts a region where a dropped space begins or ends, so that the space can be emptied. */
  record CutOut(RegionSample region, Bytes at, String why) implements BalanceStep {
    @Override
    public String what() {
      return "cut " + region.range() + " at " + ReadableKey.of(at);
    }

    @Override
    public List<RegionSample> regions() {
      return List.of(region);
    }
  }
}
