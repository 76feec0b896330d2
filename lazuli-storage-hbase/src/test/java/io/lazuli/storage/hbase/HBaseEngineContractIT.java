package io.lazuli.storage.hbase;

import io.lazuli.storage.EngineConfig;
import io.lazuli.storage.Space;
import io.lazuli.storage.StorageEngine;
import io.lazuli.storage.contract.DurableEngineContract;
import java.nio.file.Path;
import java.time.Duration;

/**
 * The whole contract, on one server with one transaction at a time, which behaves like a commit
 * lane.
 */
class HBaseEngineContractIT extends DurableEngineContract {
  private Path folder;

  @Override
  protected StorageEngine open(EngineConfig config) {
    TestCluster cluster = TestCluster.shared();
    if (!config.folder().equals(folder)) {
      folder = config.folder();
      cluster.clear();
    }
    HBaseSettings settings =
        HBaseSettings.DEFAULT.withTransactions(1).withReclaimAfter(Duration.ZERO);
    return HBaseEngine.open(config, cluster.site(), settings);
  }

  @Override
  protected long storedRecords(StorageEngine engine, Space space) {
    return ((HBaseEngine) engine).storedRecords(space.number());
  }
}
