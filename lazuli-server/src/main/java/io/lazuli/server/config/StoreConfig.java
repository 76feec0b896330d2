package io.lazuli.server.config;

import io.lazuli.storage.Durability;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The storage engine of a server and its data.
 *
 * @param engine the engine's name: {@code rocksdb}, {@code memory}, or an engine in a folder of
 *     jars
 * @param engineFolder the folder with the jars of an engine that the server does not contain; null
 *     for {@code engines/NAME} next to the server's jar
 * @param engineConfig a file with the engine's own settings; null if there are none
 * @param folder the data folder, for engines that have one
 * @param durability when a write is acknowledged
 * @param memoryBytes the size of the engine's caches and buffers; for the in-memory engine the
 *     maximum size of the stored data, limited to half of the heap
 * @param keptLogBytesMax the disk space for changes that wait for the archive; 0 without an archive
 */
public record StoreConfig(
    String engine,
    @Nullable Path engineFolder,
    @Nullable Path engineConfig,
    Path folder,
    Durability durability,
    long memoryBytes,
    long keptLogBytesMax) {
  /** Returns whether the data is lost when the process ends. */
  public boolean isInMemory() {
    return engine.equals("memory");
  }
}
