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

  /**
   * Checks the files of an engine that is not open, and changes nothing.
   *
   * @throws EngineOpenException if the engine has no files, or they cannot be read or are in use
   */
  default StoreReport verify(EngineConfig config) {
    throw new EngineOpenException("the engine " + name() + " has no files of its own", null);
  }

  /**
   * Repairs the files of an engine that is not open. Copies what is damaged before it changes
   * anything.
   *
   * @param salvage true to give up what is damaged, so that the engine can be opened; otherwise
   *     nothing is given up
   * @throws EngineOpenException if the engine has no files, or they cannot be repaired or are in
   *     use
   */
  default StoreReport repair(EngineConfig config, boolean salvage) {
    return verify(config);
  }
}
