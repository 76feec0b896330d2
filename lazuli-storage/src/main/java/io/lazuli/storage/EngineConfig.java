package io.lazuli.storage;

import java.nio.file.Path;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The configuration with which an engine is opened.
 *
 * @param folder the folder of an engine that stores data on disk
 * @param ticks the clock, in ticks (100 ns since 1601-01-01 UTC)
 * @param queuedOperationsMax the number of transactions that may wait; one more fails with {@code
 *     UNAVAILABLE}
 * @param queuedBytesMax the bound on the sum of the weights of waiting bodies; a body that would
 *     exceed it fails with {@code UNAVAILABLE}
 * @param memoryBytes the size of caches and write buffers together, outside the heap; for the
 *     in-memory engine, the maximum that it stores on the heap before writes fail with {@code
 *     UNAVAILABLE}
 * @param callers the number of threads in the smallest pool that calls the engine; an engine that
 *     calls several machines limits how many of these threads may wait for a machine that does not
 *     answer
 * @param engineConfig the file with the settings of this engine; null if there is none
 * @param keptLogBytesMax the disk space for changes that an archive has not taken yet ({@link
 *     ChangeLog}); 0 if there is no archive
 */
public record EngineConfig(
    Path folder,
    Durability durability,
    LongSupplier ticks,
    int queuedOperationsMax,
    long queuedBytesMax,
    long memoryBytes,
    int callers,
    @Nullable Path engineConfig,
    long keptLogBytesMax) {

  /** Returns the defaults for a folder. */
  public static EngineConfig of(Path folder) {
    return new EngineConfig(
        folder, Durability.DISK, Ticks::systemNow, 16_384, 256L << 20, 384L << 20, 64, null, 0);
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
        engineConfig,
        keptLogBytesMax);
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
        engineConfig,
        keptLogBytesMax);
  }

  public EngineConfig withQueueBounds(int operationsMax, long bytesMax) {
    return new EngineConfig(
        folder,
        durability,
        ticks,
        operationsMax,
        bytesMax,
        memoryBytes,
        callers,
        engineConfig,
        keptLogBytesMax);
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
        engineConfig,
        keptLogBytesMax);
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
        engineConfig,
        keptLogBytesMax);
  }

  public EngineConfig withEngineConfig(@Nullable Path file) {
    return new EngineConfig(
        folder,
        durability,
        ticks,
        queuedOperationsMax,
        queuedBytesMax,
        memoryBytes,
        callers,
        file,
        keptLogBytesMax);
  }

  public EngineConfig withKeptLogBytesMax(long bytesMax) {
    return new EngineConfig(
        folder,
        durability,
        ticks,
        queuedOperationsMax,
        queuedBytesMax,
        memoryBytes,
        callers,
        engineConfig,
        bytesMax);
  }

  /**
   * Checks that no log is to be kept, for engines that cannot.
   *
   * @throws EngineOpenException if an archive is configured
   */
  public void requireNoKeptLog(String engine) {
    if (keptLogBytesMax > 0) {
      throw new EngineOpenException(
          "the engine " + engine + " cannot restore a point in time: leave out backup-archive",
          null);
    }
  }

  /**
   * Checks the configured durability, for engines that do not offer every kind.
   *
   * @throws EngineOpenException if the engine does not offer the configured durability
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
   * Checks that no settings file is configured, for engines that do not read one.
   *
   * @throws EngineOpenException if a file is configured, because it would have no effect
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
