package io.lazuli.storage.hbase.balance;

import io.lazuli.storage.Bytes;
import java.util.List;

/** A step that the balancer takes or recommends, and the reason for it. */
public sealed interface BalanceStep {
  /** Returns a description of the step for people. Equal steps have equal descriptions. */
  String what();

  String why();

  /** Returns the regions that the step is about. */
  List<RegionSample> regions();

  /** Returns true for a step that counts against the hourly limit. */
  default boolean isOperation() {
    return this instanceof Split || this instanceof Merge || this instanceof Move;
  }

  /** Splits a region before a partition. */
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

  /** Merges two neighbouring regions. */
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

  /** Moves a region to another server. */
  record Move(RegionSample region, String server, String why) implements BalanceStep {
    @Override
    public String what() {
      return "move " + region.range() + " to " + server;
    }

    @Override
    public List<RegionSample> regions() {
      return List.of(region);
    }
  }

  /** Reports a partition that is too hot. No split can help it. */
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

  /** Reports a split or merge that has to wait because the hourly limit is reached. */
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

  /** Empties a region that lies inside a dropped space. */
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

  /** Splits a region where a dropped space begins or ends, so that the space can be truncated. */
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
