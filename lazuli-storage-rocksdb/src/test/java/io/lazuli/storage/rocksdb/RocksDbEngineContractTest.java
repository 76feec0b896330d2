package io.lazuli.storage.rocksdb;

import io.lazuli.storage.EngineConfig;
import io.lazuli.storage.Space;
import io.lazuli.storage.StorageEngine;
import io.lazuli.storage.contract.DurableEngineContract;

/** The contract on RocksDB, opened as the server opens it. */
final class RocksDbEngineContractTest extends DurableEngineContract {
  @Override
  protected StorageEngine open(EngineConfig config) {
    return new RocksDbEngineProvider().open(config);
  }

  @Override
  protected long storedRecords(StorageEngine engine, Space space) {
    return Stored.records(((RocksDbEngine) engine).store(), space.number());
  }
}
