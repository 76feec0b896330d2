package io.lazuli.storage.hbase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lazuli.storage.EngineConfig;
import io.lazuli.storage.Partition;
import io.lazuli.storage.PartitionView;
import io.lazuli.storage.Space;
import io.lazuli.storage.StorageEngine;
import io.lazuli.storage.StorageException;
import io.lazuli.storage.contract.DurableEngineContract;
import io.lazuli.storage.contract.EngineFixture;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/**
 * The whole contract, on one server with one transaction at a time, which behaves like a commit
 * lane.
 */
class HBaseEngineContractIT extends DurableEngineContract {
  private Path folder;

  TestCluster cluster() {
    return TestCluster.shared();
  }

  @Override
  protected StorageEngine open(EngineConfig config) {
    TestCluster cluster = cluster();
    if (!config.folder().equals(folder)) {
      folder = config.folder();
      cluster.clear();
    }
    return HBaseEngine.open(config, cluster.site(), settings());
  }

  HBaseSettings settings() {
    return TestCluster.SETTINGS.withTransactions(1).withReclaimAfter(Duration.ZERO);
  }

  /**
   * A drop waits and stops no other transaction, not even here. A transaction that was submitted
   * after it may therefore be committed before it.
   */
  @Test
  @Override
  public void aDropCountsForBodiesCommittedTogetherWithIt() {
    Partition partition = fixture().newPartition();
    CompletableFuture<Boolean> drop;
    CompletableFuture<Boolean> after;
    try (EngineFixture.Stall stall = fixture().stallLane()) {
      drop = fixture().submit(EngineFixture.HOME, view -> drop(view, partition.space()));
      after = fixture().submit(partition, HBaseEngineContractIT::insert);
    }
    assertThat(EngineFixture.await(after)).isTrue();
    assertThat(EngineFixture.await(drop)).isTrue();
    assertThatThrownBy(() -> fixture().transact(partition, HBaseEngineContractIT::insert))
        .isInstanceOfSatisfying(
            StorageException.class,
            e -> assertThat(e.kind()).isEqualTo(StorageException.Kind.SPACE_GONE));
  }

  private static boolean drop(PartitionView view, Space space) {
    view.drop(space);
    return true;
  }

  private static boolean insert(PartitionView view) {
    view.put(EngineFixture.bytes("row"), new byte[] {1});
    return true;
  }

  @Override
  protected long storedRecords(StorageEngine engine, Space space) {
    return ((HBaseEngine) engine).storedRecords(space.number());
  }
}
