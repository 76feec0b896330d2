package io.lazuli.storage.memory;

import io.lazuli.storage.EngineConfig;
import io.lazuli.storage.Space;
import io.lazuli.storage.StorageEngine;
import io.lazuli.storage.contract.StorageEngineContract;

/** The contract on the heap. */
final class InMemoryEngineContractTest extends StorageEngineContract {
  @Override
  protected StorageEngine open(EngineConfig config) {
    return new InMemoryEngine(config);
  }

  @Override
  protected long storedRecords(StorageEngine engine, Space space) {
    return ((InMemoryEngine) engine).storedRecords(space.number());
  }
}
