package io.lazuli.storage;

import java.nio.file.Path;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What every engine is opened with.
 *
 * @param folder where an engine that keeps data keeps it
 * @param ticks the clock: 100 ns since 1601-01-01 UTC
 * @param queuedOperationsMax transactions that may wait; one more fails with {@code UNAVAILABLE}
 * @param queuedBytesMax sum of the waiting bodies' weights; more fails with {@code UNAVAILABLE}
 * @param memoryBytes caches and write buffers together, outside the heap; for the in-memory engine
 *     the most that it stores, on the heap, past which writes fail with {@code UNAVAILABLE}
 * @param callers threads of the smallest pool that calls the engine; an engine of several machines
 *     lets one that is away hold a part of them only
 * @param engineConfig a file of the engine's own settings, for engines that have such a file
 */
public record EngineConfig(
    Path folder,
    Durability durability,
    LongSupplier ticks,
    int queuedOperationsMax,
    long queuedBytesMax,
    long memoryBytes,
    int callers,
    @Nullable Path engineConfig) {

  /** The defaults for a folder. */
  public static EngineConfig of(Path folder) {
    return new EngineConfig(
        folder, Durability.DISK, Ticks::systemNow, 16_384, 256L << 20, 384L << 20, 64, null);
  }

  public EngineConfig withDurability(Durability newDurability) {
    return new EngineConfig(
        folder,
        newDurability,
        ticks,
        queuedOperationsMax,
        queuedBytesMax,
        memoryBytes,
        callers,
        engineConfig);
  }

  public EngineConfig withTicks(LongSupplier newTicks) {
    return new EngineConfig(
        folder,
        durability,
        newTicks,
        queuedOperationsMax,
        queuedBytesMax,
        memoryBytes,
        callers,
        engineConfig);
  }

  public EngineConfig withQueueBounds(int operationsMax, long bytesMax) {
    return new EngineConfig(
        folder, durability, ticks, operationsMax, bytesMax, memoryBytes, callers, engineConfig);
  }

  public EngineConfig withMemoryBytes(long newMemoryBytes) {
    return new EngineConfig(
        folder,
        durability,
        ticks,
        queuedOperationsMax,
        queuedBytesMax,
        newMemoryBytes,
        callers,
        engineConfig);
  }

  public EngineConfig withCallers(int newCallers) {
    return new EngineConfig(
        folder,
        durability,
        ticks,
        queuedOperationsMax,
        queuedBytesMax,
        memoryBytes,
        newCallers,
        engineConfig);
  }

  public EngineConfig withEngineConfig(@Nullable Path file) {
    return new EngineConfig(
        folder, durability, ticks, queuedOperationsMax, queuedBytesMax, memoryBytes, callers, file);
  }

  /**
   * For engines that do not know every durability.
   *
   * @throws EngineOpenException if the one that is asked for is none of these
   */
  public void requireDurability(String engine, Set<Durability> offered) {
    if (!offered.contains(durability)) {
      String names =
          new TreeSet<>(offered).stream().map(EngineConfig::word).collect(Collectors.joining(", "));
      throw new EngineOpenException(
          "the engine " + engine + " has no durability " + word(durability) + "; it has " + names,
          null);
    }
  }

  /**
   * For engines without a file of settings.
   *
   * @throws EngineOpenException if one is given, since nobody would read it
   */
  public void requireNoEngineConfig(String engine) {
    if (engineConfig != null) {
      throw new EngineOpenException(
          "the engine " + engine + " reads no settings; leave out " + engineConfig, null);
    }
  }

  private static String word(Durability durability) {
    return durability.name().toLowerCase(Locale.ROOT);
  }
}
