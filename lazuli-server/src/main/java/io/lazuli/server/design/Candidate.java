package io.lazuli.server.design;

import java.util.List;

/**
 * Keys for one type of entities, with the paths that they need and what everything costs.
 *
 * @param load the entities each second of one partition
 * @param inPartition the entities of one partition
 */
record Candidate(
    Layout layout,
    Keys keys,
    List<Path> paths,
    List<AccessPlan> plans,
    double load,
    double inPartition) {
  /** A quarter of Azure's 2,000 entities each second, as docs/patterns/keydesign.md has it. */
  static final double HOT = 500;

  /** The bytes of a partition of Azure Cosmos DB for Table. */
  static final double PARTITION_BYTES = 20e9;

  private static final double HOT_WEIGHT = 10;
  private static final double MANY = 100_000;

  static Candidate of(Layout layout, Keys keys, List<Path> paths, List<AccessPlan> plans) {
    return new Candidate(
        layout,
        keys,
        paths,
        plans,
        Plans.load(layout, keys, plans, paths),
        layout.entity().sharing(keys.partitionProperties()));
  }

  double cost() {
    double sum = 0;
    for (AccessPlan plan : plans) {
      sum += plan.costPerSecond();
    }
    return sum;
  }

  boolean isHot() {
    return load > HOT;
  }

  boolean isTooLarge() {
    return inPartition * layout.entity().bytes() > PARTITION_BYTES;
  }

  /** Returns the cost with a penalty for partitions that one server cannot carry. */
  double score() {
    double penalty = (isHot() ? HOT_WEIGHT * load : 0) + (isTooLarge() ? cost() : 0);
    return cost() + penalty;
  }

  /**
   * Returns whether this one is better. Among equals, fewer paths win; then the partition key that
   * accesses name first; then the larger partition, because transactions stay within one, as long
   * as it is not very large.
   */
  boolean beats(Candidate other) {
    double mine = score();
    double theirs = other.score();
    if (Math.abs(mine - theirs) > 1e-9 * Math.max(mine, theirs)) {
      return mine < theirs;
    }
    if (paths.size() != other.paths.size()) {
      return paths.size() < other.paths.size();
    }
    int named = namedBefore(other);
    if (named != 0) {
      return named < 0;
    }
    boolean many = inPartition > MANY;
    boolean otherMany = other.inPartition > MANY;
    if (many != otherMany) {
      return otherMany;
    }
    return many ? inPartition < other.inPartition : inPartition > other.inPartition;
  }

  /** Compares the places of the first properties in an access that names those of both. */
  private int namedBefore(Candidate other) {
    for (Access access : layout.accesses()) {
      if (access.by().containsAll(keys.partitionProperties())
          && access.by().containsAll(other.keys.partitionProperties())) {
        int mine = access.by().indexOf(keys.firstOfPartition());
        int theirs = access.by().indexOf(other.keys.firstOfPartition());
        if (mine != theirs) {
          return mine - theirs;
        }
      }
    }
    return 0;
  }
}
