package io.lazuli.server.load.fact;

import java.util.List;

/**
 * What samples say about the load of a space.
 *
 * @param sampled the requests that the samples with a partition stand for
 * @param distinct how many partitions were seen, up to a small number
 * @param partitions the busiest ones, the first one first
 * @param entities the busiest ones, the first one first
 * @param shapes the dearest ones, the first one first
 */
public record Facts(
    long sampled,
    int distinct,
    List<HotPartition> partitions,
    List<HotEntity> entities,
    InsertEnds ends,
    WrittenSizes sizes,
    BatchTargets batches,
    List<ShapeLoad> shapes,
    List<FanOut> fanOuts) {
  public static final Facts NONE =
      new Facts(
          0,
          0,
          List.of(),
          List.of(),
          InsertEnds.NONE,
          WrittenSizes.NONE,
          BatchTargets.NONE,
          List.of(),
          List.of());

  public Facts {
    partitions = List.copyOf(partitions);
    entities = List.copyOf(entities);
    shapes = List.copyOf(shapes);
    fanOuts = List.copyOf(fanOuts);
  }

  /** Adds what another server says about the same minute. */
  public Facts plus(Facts other) {
    if (sampled == 0 && sizes.writes() == 0 && shapes.isEmpty()) {
      return other;
    }
    return new Facts(
        sampled + other.sampled,
        Math.max(distinct, other.distinct),
        Merged.partitions(partitions, other.partitions),
        Merged.entities(entities, other.entities),
        ends.plus(other.ends),
        new WrittenSizes(
            sizes.writes() + other.sizes.writes(),
            sizes.bytes() + other.sizes.bytes(),
            sizes.large() + other.sizes.large(),
            Math.max(sizes.largest(), other.sizes.largest())),
        new BatchTargets(
            batches.judged() + other.batches.judged(), batches.changed() + other.batches.changed()),
        Merged.shapes(shapes, other.shapes),
        Merged.fanOuts(fanOuts, other.fanOuts));
  }
}
