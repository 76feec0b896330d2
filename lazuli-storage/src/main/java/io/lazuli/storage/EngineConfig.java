package io.lazuli.storage;

import java.nio.file.Path;
import java.util.function.LongSupplier;

/**
 * What every engine is opened with.
 *
 * @param folder where an engine that keeps data keeps it
 * @param ticks the clock: 100 ns since 1601-01-01 UTC
 * @param queuedOperationsMax transactions that may wait; one more fails with {@code UNAVAILABLE}
 * @param queuedBytesMax sum of the waiting bodies' weights; more fails with {@code UNAVAILABLE}
 * @param memoryBytes caches and write buffers together, outside the heap; for the in-memory engine
 *     the most that it stores, on the heap, past which writes fail with {@code UNAVAILABLE}
 */
public record EngineConfig(
    Path folder,
    Durability durability,
    LongSupplier ticks,
    int queuedOperationsMax,
    long queuedBytesMax,
    long memoryBytes) {

  /** The defaults for a folder. */
  public static EngineConfig of(Path folder) {
    return new EngineConfig(
        folder, Durability.DISK, Ticks::systemNow, 16_384, 256L << 20, 384L << 20);
  }

  public EngineConfig withDurability(Durability newDurability) {
    return new EngineConfig(
        folder, newDurability, ticks, queuedOperationsMax, queuedBytesMax, memoryBytes);
  }

  public EngineConfig withTicks(LongSupplier newTicks) {
    return new EngineConfig(
        folder, durability, newTicks, queuedOperationsMax, queuedBytesMax, memoryBytes);
  }

  public EngineConfig withQueueBounds(int operationsMax, long bytesMax) {
    return new EngineConfig(folder, durability, ticks, operationsMax, bytesMax, memoryBytes);
  }

  public EngineConfig withMemoryBytes(long newMemoryBytes) {
    return new EngineConfig(
        folder, durability, ticks, queuedOperationsMax, queuedBytesMax, newMemoryBytes);
  }
}
