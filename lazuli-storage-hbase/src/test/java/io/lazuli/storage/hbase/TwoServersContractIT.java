package io.lazuli.storage.hbase;

import io.lazuli.storage.EngineConfig;
import io.lazuli.storage.Space;
import io.lazuli.storage.StorageEngine;
import io.lazuli.storage.contract.SharedEngineContract;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;

/**
 * The contract for transactions, scans and drops, on two servers with many transactions at the same
 * time. Runs with {@code -Plong}: every build tests two packed servers on one cluster anyway.
 */
@Tag("long")
class TwoServersContractIT extends SharedEngineContract {
  private static final HBaseSettings SETTINGS =
      TestCluster.SETTINGS.withTransactions(8).withReclaimAfter(Duration.ZERO);

  private Path folder;

  @Override
  protected StorageEngine open(EngineConfig config) {
    TestCluster cluster = TestCluster.shared();
    if (!config.folder().equals(folder)) {
      folder = config.folder();
      cluster.clear();
    }
    return new TwoServers(
        HBaseEngine.open(config, cluster.site(), SETTINGS),
        HBaseEngine.open(config, cluster.site(), SETTINGS),
        new AtomicInteger());
  }

  @Override
  protected long storedRecords(StorageEngine engine, Space space) {
    return ((TwoServers) engine).first().storedRecords(space.number());
  }
}
