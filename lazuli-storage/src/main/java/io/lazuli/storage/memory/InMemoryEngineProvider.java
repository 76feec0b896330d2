package io.lazuli.storage.memory;

import io.lazuli.storage.Durability;
import io.lazuli.storage.EngineConfig;
import io.lazuli.storage.StorageEngine;
import io.lazuli.storage.StorageEngineProvider;
import java.util.Set;

/** Opens the {@link InMemoryEngine} under the name {@code memory}. */
public final class InMemoryEngineProvider implements StorageEngineProvider {
  @Override
  public String name() {
    return "memory";
  }

  @Override
  public StorageEngine open(EngineConfig config) {
    config.requireDurability(name(), Set.of(Durability.DISK, Durability.RELAXED));
    config.requireNoEngineConfig(name());
    config.requireNoKeptLog(name());
    return new InMemoryEngine(config.withMemoryBytes(storedBytesMax(config.memoryBytes())));
  }

  /**
   * Limits the memory for records to half of the heap, because serving requests needs the other
   * half.
   */
  public static long storedBytesMax(long memoryBytes) {
    return Math.min(memoryBytes, Runtime.getRuntime().maxMemory() / 2);
  }
}
