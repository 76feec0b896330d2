package io.lazuli.server.junit;

import io.lazuli.storage.Durability;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Where a server keeps its data, and how durably.
 *
 * @param engine the name of the engine in the server's configuration
 * @param folder null for a temporary folder
 */
record Storage(String engine, @Nullable Path folder, Durability durability) {
  private static final String ROCKSDB = "rocksdb";

  static final Storage IN_MEMORY = new Storage("memory", null, Durability.RELAXED);

  boolean isInMemory() {
    return engine.equals(IN_MEMORY.engine);
  }

  /** Returns the same storage on disk, in a temporary folder unless another one was chosen. */
  Storage onDisk() {
    return new Storage(ROCKSDB, folder, durability);
  }

  Storage in(Path chosen) {
    return new Storage(ROCKSDB, chosen, durability);
  }

  Storage durable() {
    return new Storage(ROCKSDB, folder, Durability.DISK);
  }
}
