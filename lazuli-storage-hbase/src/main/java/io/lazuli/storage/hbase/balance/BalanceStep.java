package io.lazuli.storage.hbase.balance;

import io.lazuli.storage.Bytes;
import java.util.List;
import java.util.stream.Stream;

/** A step that the balancer takes or recommends, and the reason for it. */
public sealed interface BalanceStep {
  /** Returns a description of the step for people. Equal steps have equal descriptions. */
  String what(SpaceLabels labels);

  String why();

  /** Returns the regions that the step is about. */
  List<RegionSample> regions();

  /** Returns the keys in the description. */
  default List<Bytes> keys() {
    return regions().stream().flatMap(region -> Stream.of(region.from(), region.to())).toList();
  }

  /** Returns true for a step that counts against the hourly limit. */
  default boolean isOperation() {
    return this instanceof Split
        || this instanceof Merge
        || this instanceof Move
        || this instanceof Exchange;
  }

  /** Splits a region before a partition. */
  record Split(RegionSample region, Bytes at, String why) implements BalanceStep {
    @Override
    public String what(SpaceLabels labels) {
      return "split " + region.range(labels) + " at " + ReadableKey.of(at, labels);
    }

    @Override
    public List<RegionSample> regions() {
      return List.of(region);
    }

    @Override
    public List<Bytes> keys() {
      return List.of(region.from(), region.to(), at);
    }
  }

  /** Merges two neighbouring regions. */
  record Merge(RegionSample left, RegionSample right, String why) implements BalanceStep {
    @Override
    public String what(SpaceLabels labels) {
      return "merge "
          + left.table()
          + " "
          + ReadableKey.range(left.from(), right.to(), labels)
          + " across "
          + ReadableKey.of(right.from(), labels);
    }

    @Override
    public List<RegionSample> regions() {
      return List.of(left, right);
    }
  }

  /** Moves a region to another server. */
  record Move(RegionSample region, String server, String why) implements BalanceStep {
    @Override
    public String what(SpaceLabels labels) {
      return "move " + region.range(labels) + " to " + server;
    }

    @Override
    public List<RegionSample> regions() {
      return List.of(region);
    }
  }

  /** Moves each of two regions to the server of the other. */
  record Exchange(RegionSample region, RegionSample other, String why) implements BalanceStep {
    @Override
    public String what(SpaceLabels labels) {
      return "move "
          + region.range(labels)
          + " to "
          + other.server()
          + " in exchange for "
          + other.range(labels);
    }

    @Override
    public List<RegionSample> regions() {
      return List.of(region, other);
    }
  }

  /** Reports a partition that is too hot. No split can help it. */
  record TooHot(RegionSample region, Bytes partition, String why) implements BalanceStep {
    @Override
    public String what(SpaceLabels labels) {
      return "partition too hot: " + region.table() + " " + ReadableKey.of(partition, labels);
    }

    @Override
    public List<RegionSample> regions() {
      return List.of(region);
    }

    @Override
    public List<Bytes> keys() {
      return List.of(region.from(), region.to(), partition);
    }
  }

  /** Reports a split or merge that has to wait because the hourly limit is reached. */
  record HeldBack(BalanceStep step, String why) implements BalanceStep {
    @Override
    public String what(SpaceLabels labels) {
      return "held back: " + step.what(labels);
    }

    @Override
    public List<RegionSample> regions() {
      return step.regions();
    }

    @Override
    public List<Bytes> keys() {
      return step.keys();
    }
  }

  /** Empties a region that lies inside a dropped space. */
  record Truncate(RegionSample region, String why) implements BalanceStep {
    @Override
    public String what(SpaceLabels labels) {
      return "truncate " + region.range(labels);
    }

    @Override
    public List<RegionSample> regions() {
      return List.of(region);
    }
  }

  /** Splits a region where a dropped space begins or ends, so that the space can be truncated. */
  record CutOut(RegionSample region, Bytes at, String why) implements BalanceStep {
    @Override
    public String what(SpaceLabels labels) {
      return "cut " + region.range(labels) + " at " + ReadableKey.of(at, labels);
    }

    @Override
    public List<RegionSample> regions() {
      return List.of(region);
    }

    @Override
    public List<Bytes> keys() {
      return List.of(region.from(), region.to(), at);
    }
  }
}
