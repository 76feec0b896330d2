package io.lazuli.benchmarks.scenario;

import io.lazuli.benchmarks.protocol.Batches;
import java.util.SplittableRandom;

/** Picks entities of a table that was filled by batches; every run picks the same ones. */
final class Keys {
  /**
   * The number of requests rendered for a round. It is large, so that a round does not measure only
   * a few cached entities.
   */
  static final int REQUESTS = 16_384;

  private static final long SEED = 1;

  private final SplittableRandom random = new SplittableRandom(SEED);
  private final long entities;

  Keys(long entities) {
    this.entities = entities;
  }

  interface Use<T> {
    T key(long partition, long row);
  }

  <T> T pick(Use<T> use) {
    long entity = random.nextLong(entities);
    return use.key(entity / Batches.PARTITION_ENTITIES, entity % Batches.PARTITION_ENTITIES);
  }

  /** Picks the first row of a range of rows in one partition. */
  <T> T pickRange(int rows, Use<T> use) {
    long partition = random.nextLong(entities / Batches.PARTITION_ENTITIES);
    return use.key(partition, random.nextLong(Batches.PARTITION_ENTITIES - rows));
  }
}
