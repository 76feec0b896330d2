package io.lazuli.storage;

/**
 * The name of a chunk: a number that is never used again.
 *
 * @param number a number of the kind {@link SpaceKind#CHUNKS} from {@link StorageEngine#newSpace},
 *     or derived from one by an engine that orders chunks in another way
 */
public record ChunkRef(long number) {
  public ChunkRef {
    if (number <= 0 || SpaceKind.of(number) != SpaceKind.CHUNKS) {
      throw new IllegalArgumentException("not the number of a chunk");
    }
  }
}
