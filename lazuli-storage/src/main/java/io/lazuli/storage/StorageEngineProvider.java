package io.lazuli.storage;

/** How the server finds an engine: looked up by {@link java.util.ServiceLoader}. */
public interface StorageEngineProvider {
  /** The name by which the engine is chosen: {@code rocksdb}, {@code memory}, {@code hbase}. */
  String name();

  /**
   * Opens the engine.
   *
   * @throws EngineOpenException if the data cannot be opened, with one line for the operator
   */
  StorageEngine open(EngineConfig config);
}
