package io.lazuli.storage;

/** Opens an engine. The server finds providers with {@link java.util.ServiceLoader}. */
public interface StorageEngineProvider {
  /** Returns the name that selects the engine: {@code rocksdb}, {@code memory}, {@code hbase}. */
  String name();

  /**
   * Opens the engine.
   *
   * @throws EngineOpenException if the data cannot be opened, with one line for the operator
   */
  StorageEngine open(EngineConfig config);
}
