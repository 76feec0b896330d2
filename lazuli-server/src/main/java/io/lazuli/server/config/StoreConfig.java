package io.lazuli.server.config;

import io.lazuli.storage.Durability;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The storage engine of a server and where it keeps data.
 *
 * @param engine the engine's name: {@code rocksdb}, {@code memory}, or one with jars of its own
 * @param engineFolder the folder with the jars of an engine that the server does not contain; null
 *     for {@code engines/NAME} next to the server's jar
 * @param engineConfig a file with the engine's own settings; null for engines without
 * @param folder the data folder of an engine that has one
 * @param durability when a write is acknowledged
 * @param memoryBytes the size of the engine's caches and buffers; in memory the most that it
 *     stores, unless half of the heap is less
 */
public record StoreConfig(
    String engine,
    @Nullable Path engineFolder,
    @Nullable Path engineConfig,
    Path folder,
    Durability durability,
    long memoryBytes) {
  /** True if the data ends with the process. */
  public boolean isInMemory() {
    return engine.equals("memory");
  }
}
