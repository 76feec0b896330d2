package io.lazuli.storage.hbase;

import static io.lazuli.storage.contract.EngineFixture.await;
import static io.lazuli.storage.contract.EngineFixture.bytes;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.storage.Bytes;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.EngineConfig;
import io.lazuli.storage.Partition;
import io.lazuli.storage.PartitionView;
import io.lazuli.storage.Space;
import io.lazuli.storage.SpaceKind;
import io.lazuli.storage.StorageException;
import io.lazuli.storage.TransactionBody;
import io.lazuli.storage.contract.EngineFixture;
import io.lazuli.storage.hbase.call.StoreTable;
import io.lazuli.storage.hbase.cluster.ClusterConnection;
import io.lazuli.storage.keys.KeyCodec;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Commits that share calls, on a cluster, with rivals on another server, and while their region is
 * split.
 */
class SharedCommitsIT {
  private static final int PARTITIONS = 10;
  private static final int COUNTERS = 5;
  private static final int ROUND = 200;
  private static final int INCREMENTS_MIN = 600;
  private static final int ROWS = 100;

  @TempDir private Path folder;

  /** Inserts a row, which probably does not exist. */
  private record Insert(Bytes row) implements TransactionBody<Boolean> {
    @Override
    public Boolean run(PartitionView view) {
      if (view.read(row) != null) {
        return false;
      }
      view.put(row, bytes("x").array());
      return true;
    }

    @Override
    public List<Bytes> probablyAbsent() {
      return List.of(row);
    }
  }

  @Test
  void everyCommitCountsOnceWhileTheRegionIsSplit() {
    TestCluster cluster = TestCluster.shared();
    try (HBaseEngine one = open(cluster);
        HBaseEngine two = open(cluster);
        ClusterConnection raw =
            ClusterConnection.open(cluster.site(), TestCluster.SETTINGS.user())) {
      // Other tests split the region of tables, which cannot be split again for a while.
      Space space =
          new Space(await(one.newSpace(SpaceKind.CONTAINER, Deadline.NEVER)), EngineFixture.HOME);
      CompletableFuture<Void> split = split(raw, space, "p" + PARTITIONS / 2);
      int counted = 0;
      int unknown = 0;
      while (!split.isDone() || counted < INCREMENTS_MIN) {
        List<CompletableFuture<Long>> round = new ArrayList<>();
        for (int i = 0; i < ROUND; i++) {
          round.add(increment(i % 7 == 0 ? two : one, space, i));
        }
        counted += ROUND;
        // During the split an answer may be lost while another transaction writes the same record.
        unknown += (int) round.stream().filter(each -> !isDone(each)).count();
      }
      System.out.println(unknown + " unknown outcomes of " + counted);
      await(split);
      assertThat(sum(one, space)).isBetween((long) counted - unknown, (long) counted);
      assertThat(unknown).isLessThan(counted / 10);
      assertThat(one.sharedCommits()).isPositive();
    }
  }

  @Test
  void oneOfTwoServersInsertsARow() {
    TestCluster cluster = TestCluster.shared();
    try (HBaseEngine one = open(cluster);
        HBaseEngine two = open(cluster)) {
      Space space =
          new Space(await(one.newSpace(SpaceKind.TABLE, Deadline.NEVER)), EngineFixture.HOME);
      List<CompletableFuture<Boolean>> first = new ArrayList<>();
      List<CompletableFuture<Boolean>> second = new ArrayList<>();
      for (int i = 0; i < ROWS; i++) {
        Partition partition = new Partition(space, bytes("p" + i % PARTITIONS));
        Insert insert = new Insert(bytes("r" + i));
        first.add(one.transact(partition, List.of(insert.row), deadline(), insert));
        second.add(two.transact(partition, List.of(insert.row), deadline(), insert));
      }
      for (int i = 0; i < ROWS; i++) {
        assertThat(await(first.get(i)) ^ await(second.get(i))).as("row %d", i).isTrue();
      }
      assertThat(one.sharedCommits() + two.sharedCommits()).isPositive();
    }
  }

  private HBaseEngine open(TestCluster cluster) {
    return HBaseEngine.open(EngineConfig.of(folder), cluster.site(), TestCluster.SETTINGS);
  }

  /** Returns false if the outcome is unknown. Throws for all other failures. */
  private static boolean isDone(CompletableFuture<Long> counted) {
    try {
      return await(counted) > 0;
    } catch (StorageException e) {
      assertThat(e.kind()).isEqualTo(StorageException.Kind.UNKNOWN_OUTCOME);
      return false;
    }
  }

  private static CompletableFuture<Long> increment(HBaseEngine engine, Space space, int number) {
    Bytes row = bytes("c" + number / PARTITIONS % COUNTERS);
    return engine.transact(
        new Partition(space, bytes("p" + number % PARTITIONS)),
        List.of(),
        deadline(),
        view -> increment(view, row));
  }

  private static long increment(PartitionView view, Bytes row) {
    byte[] before = view.read(row);
    long next = before == null ? 1 : Long.parseLong(new String(before, UTF_8)) + 1;
    view.put(row, Long.toString(next).getBytes(UTF_8));
    return next;
  }

  private static long sum(HBaseEngine engine, Space space) {
    long sum = 0;
    for (int i = 0; i < PARTITIONS * COUNTERS; i++) {
      Partition partition = new Partition(space, bytes("p" + i % PARTITIONS));
      byte[] value = await(engine.read(partition.row(bytes("c" + i / PARTITIONS)), deadline()));
      sum += Long.parseLong(new String(value, UTF_8));
    }
    return sum;
  }

  private static CompletableFuture<Void> split(
      ClusterConnection raw, Space space, String partition) {
    byte[] key = KeyCodec.encode(new Partition(space, bytes(partition)).row(Bytes.EMPTY));
    TableName table = StoreTable.BLOBS.name(HBaseSettings.DEFAULT.namespace());
    RegionInfo region =
        raw.data().getRegionLocator(table).getRegionLocation(key, true).join().getRegion();
    return raw.admin().splitRegion(region.getRegionName(), Arrays.copyOf(key, key.length - 1));
  }

  private static Deadline deadline() {
    return Deadline.after(Duration.ofSeconds(60));
  }
}
