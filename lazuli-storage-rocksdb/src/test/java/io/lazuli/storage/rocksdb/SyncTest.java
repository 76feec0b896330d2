package io.lazuli.storage.rocksdb;

import static io.lazuli.storage.contract.EngineFixture.HOME;
import static io.lazuli.storage.contract.EngineFixture.await;
import static io.lazuli.storage.contract.EngineFixture.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.storage.Deadline;
import io.lazuli.storage.Durability;
import io.lazuli.storage.EngineConfig;
import io.lazuli.storage.Partition;
import io.lazuli.storage.Space;
import io.lazuli.storage.SpaceKind;
import io.lazuli.storage.contract.Chunks;
import io.lazuli.storage.contract.EngineFixture;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.Statistics;
import org.rocksdb.TickerType;

/**
 * Checks RocksDB's own count of log syncs. Kill -9 cannot test syncs, because the page cache
 * survives it.
 */
final class SyncTest {
  private final AtomicLong drains = new AtomicLong();

  @Test
  void everyAcknowledgedDrainWasSyncedOnce(@TempDir Path folder) {
    try (Statistics statistics = new Statistics();
        RocksDbEngine engine = open(folder, Durability.DISK, statistics)) {
      Partition partition = newPartition(engine);
      long drainsBefore = drains.get();
      long syncsBefore = syncs(statistics);
      for (int i = 0; i < 50; i++) {
        await(put(engine, partition, i));
        assertThat(syncs(statistics) - syncsBefore).isEqualTo(drains.get() - drainsBefore);
      }
      assertThat(drains.get() - drainsBefore).isEqualTo(50);
    }
  }

  @Test
  void transactionsThatQueueTogetherShareASync(@TempDir Path folder) {
    try (Statistics statistics = new Statistics();
        RocksDbEngine engine = open(folder, Durability.DISK, statistics)) {
      Partition partition = newPartition(engine);
      long syncsBefore = syncs(statistics);
      List<CompletableFuture<Object>> futures = new ArrayList<>();
      for (int i = 0; i < 5_000; i++) {
        futures.add(put(engine, partition, i));
      }
      futures.forEach(future -> await(future));
      assertThat(syncs(statistics) - syncsBefore).isBetween(5L, 2_500L);
    }
  }

  @Test
  void aTransactionThatWritesNothingNeedsNoSync(@TempDir Path folder) {
    try (Statistics statistics = new Statistics();
        RocksDbEngine engine = open(folder, Durability.DISK, statistics)) {
      Partition partition = newPartition(engine);
      await(put(engine, partition, 1));
      long syncsBefore = syncs(statistics);
      byte[] value =
          await(
              engine.transact(
                  partition, List.of(), Deadline.NEVER, view -> view.read(bytes("row1"))));
      assertThat(value).isNotNull();
      assertThat(syncs(statistics)).isEqualTo(syncsBefore);
    }
  }

  @Test
  void aChunkCostsTwoSyncsOfTheLogHoweverLongItIs(@TempDir Path folder) {
    try (Statistics statistics = new Statistics();
        RocksDbEngine engine = open(folder, Durability.DISK, statistics)) {
      Chunks chunks = new Chunks(engine.chunks(), newPartition(engine));
      chunks.append(new byte[1]);
      for (int length : new int[] {100_000, 5_000_000}) {
        long syncsBefore = syncs(statistics);
        chunks.append(new byte[length]);
        assertThat(syncs(statistics) - syncsBefore).isEqualTo(2);
      }
    }
  }

  /** A drain is bounded by what its bodies write, not only by their weight. */
  @Test
  void aDrainThatWritesMuchIsCutIntoSeveralBatches(@TempDir Path folder) {
    try (Statistics statistics = new Statistics();
        RocksDbEngine engine = open(folder, Durability.DISK, statistics)) {
      Partition partition = newPartition(engine);
      CompletableFuture<Object> released = new CompletableFuture<>();
      List<CompletableFuture<Object>> futures = new ArrayList<>();
      long drainsBefore = drains.get();
      futures.add(
          engine.transact(
              partition,
              List.of(),
              Deadline.NEVER,
              view -> {
                await(released);
                return null;
              }));
      for (int i = 0; i < 12; i++) {
        futures.add(put(engine, partition, i, 1 << 20));
      }
      released.complete(null);
      futures.forEach(future -> await(future));
      assertThat(drains.get() - drainsBefore).isGreaterThanOrEqualTo(3);
    }
  }

  /** The control: the counter does show a log that is not synced. */
  @Test
  void relaxedDurabilitySyncsNothing(@TempDir Path folder) {
    try (Statistics statistics = new Statistics();
        RocksDbEngine engine = open(folder, Durability.RELAXED, statistics)) {
      Partition partition = newPartition(engine);
      for (int i = 0; i < 50; i++) {
        await(put(engine, partition, i));
      }
      new Chunks(engine.chunks(), partition).append(new byte[100_000]);
      assertThat(drains.get()).isGreaterThanOrEqualTo(52);
      assertThat(syncs(statistics)).isZero();
    }
  }

  private RocksDbEngine open(Path folder, Durability durability, Statistics statistics) {
    EngineConfig config =
        EngineConfig.of(folder).withMemoryBytes(32 << 20).withDurability(durability);
    return RocksDbEngine.open(
        config,
        statistics,
        log ->
            batch -> {
              drains.incrementAndGet();
              log.write(batch);
            });
  }

  private static Partition newPartition(RocksDbEngine engine) {
    return new Partition(
        new Space(EngineFixture.await(engine.newSpace(SpaceKind.TABLE, Deadline.NEVER)), HOME),
        bytes("p"));
  }

  private static CompletableFuture<Object> put(RocksDbEngine engine, Partition partition, int i) {
    return put(engine, partition, i, 100);
  }

  private static CompletableFuture<Object> put(
      RocksDbEngine engine, Partition partition, int i, int bytes) {
    return engine.transact(
        partition,
        List.of(),
        Deadline.NEVER,
        view -> {
          view.put(bytes("row" + i), new byte[bytes]);
          return null;
        });
  }

  private static long syncs(Statistics statistics) {
    return statistics.getTickerCount(TickerType.WAL_FILE_SYNCED);
  }
}
