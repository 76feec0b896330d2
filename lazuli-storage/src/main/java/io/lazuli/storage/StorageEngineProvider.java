package io.lazuli.storage;

import org.jspecify.annotations.Nullable;

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
   * Opens the engine for a check of everything that it stores. Nothing that is stored changes, and
   * no other process can open the engine to write, unless it is shared. Damage does not refuse the
   * opening as long as anything can be read.
   *
   * @throws EngineOpenException if the data cannot be opened or is in use, with one line for the
   *     operator
   */
  default StorageEngine openToRead(EngineConfig config) {
    throw new EngineOpenException("the engine " + name() + " cannot be checked", null);
  }

  /**
   * Begins to restore a store from the files of a cut.
   *
   * @return null if the engine opens a folder that has the files of a cut
   * @throws EngineOpenException if the place of the store is not empty, with one line for the
   *     operator
   */
  default @Nullable StoreRestore restore(EngineConfig config) {
    return null;
  }

  /**
   * Checks the files that an engine reads before it opens, and changes nothing. {@link
   * StorageEngine#files} of an open engine are the others.
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

  /**
   * Opens the files of a cut, whose restore has not finished, to apply later changes.
   *
   * @throws EngineOpenException if the engine cannot do that, or the files cannot be opened
   */
  default Replay openToReplay(EngineConfig config) {
    throw new EngineOpenException("the engine " + name() + " cannot restore a point in time", null);
  }
}
