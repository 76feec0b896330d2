package io.lazuli.storage.hbase;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.cluster.Cluster;
import io.lazuli.cluster.ClusterSpec;
import io.lazuli.storage.Bytes;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.Direction;
import io.lazuli.storage.EngineConfig;
import io.lazuli.storage.KeyRange;
import io.lazuli.storage.LentRecord;
import io.lazuli.storage.Partition;
import io.lazuli.storage.RecordTest;
import io.lazuli.storage.RecordVisitor;
import io.lazuli.storage.Space;
import io.lazuli.storage.SpaceKind;
import io.lazuli.storage.Visit;
import io.lazuli.storage.contract.EngineFixture;
import io.lazuli.storage.hbase.call.StoreTable;
import io.lazuli.storage.hbase.call.StoredCell;
import io.lazuli.storage.hbase.cluster.ClusterConnection;
import io.lazuli.storage.keys.KeyCodec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.Put;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A region server without the filter, which gets it while it runs. Needs the packed jar, because
 * HBase loads no folders.
 */
@Tag("long")
class PushdownDeploymentIT {
  private static final Partition HOME =
      new Partition(Space.CATALOGUE, Bytes.of("PushdownDeploymentIT".getBytes(UTF_8)));

  private static final int ROWS = 5_000;

  @TempDir private Path folder;

  @Test
  void aFilterIsUsedOnceItIsDeployed() throws IOException {
    try (Cluster cluster = Cluster.start(ClusterSpec.inOneProcess())) {
      Configuration site = ClusterConnection.configuration(cluster.clientConfig());
      Space space = fill(site);
      // The second scan does not ask in vain.
      assertThat(leftOut(site, space)).containsExactly(0L, 0L);
      Path jars = Files.createDirectories(root(cluster).resolve("lib"));
      for (Path jar : FilterJars.all()) {
        if (Files.isRegularFile(jar)) {
          Files.copy(jar, jars.resolve(jar.getFileName()));
        }
      }
      assertThat(leftOut(site, space)).allMatch(count -> count > ROWS / 2);
    }
  }

  private Space fill(Configuration site) {
    try (HBaseEngine engine =
            HBaseEngine.open(EngineConfig.of(folder), site, TestCluster.SETTINGS);
        ClusterConnection raw = ClusterConnection.open(site, TestCluster.SETTINGS.user())) {
      Space space =
          new Space(EngineFixture.await(engine.newSpace(SpaceKind.TABLE, Deadline.NEVER)), HOME);
      List<Put> puts = new ArrayList<>();
      for (int row = 0; row < ROWS; row++) {
        byte[] key =
            KeyCodec.encode(new Partition(space, text("p")).row(text("r%05d".formatted(row))));
        byte[] stored = StoredCell.encode(1, row, Entities.record(row, "some text"));
        puts.add(new Put(key).addColumn(StoreTable.FAMILY, StoreTable.QUALIFIER, stored));
      }
      raw.data()
          .getTable(StoreTable.TABLES.name(TestCluster.SETTINGS.namespace()))
          .putAll(puts)
          .join();
      return space;
    }
  }

  /** Returns how many records two scans of a new server left out. Each finds the one match. */
  private List<Long> leftOut(Configuration site, Space space) {
    try (HBaseEngine engine =
        HBaseEngine.open(EngineConfig.of(folder), site, TestCluster.SETTINGS)) {
      return List.of(search(engine, space), search(engine, space));
    }
  }

  private static long search(HBaseEngine engine, Space space) {
    long[] leftOut = {0};
    List<Integer> found = new ArrayList<>();
    byte[] wanted = Entities.record(ROWS - 7, "some text");
    EngineFixture.await(
        engine.scan(
            space,
            List.of(KeyRange.ALL),
            Direction.FORWARD,
            Deadline.after(Duration.ofSeconds(30)),
            new RecordVisitor() {
              @Override
              public Visit visit(LentRecord record) {
                if (record.value().contentEquals(Bytes.of(wanted))) {
                  found.add(ROWS - 7);
                }
                return Visit.CONTINUE;
              }

              @Override
              public RecordTest test() {
                return new RecordTest(Entities.numberIs(ROWS - 7), 1_000, ROWS);
              }

              @Override
              public void leftOut(long records) {
                leftOut[0] += records;
              }
            }));
    assertThat(found).containsExactly(ROWS - 7);
    return leftOut[0];
  }

  /** Returns the folder of HBase's files. The class loader of region servers looks below it. */
  private static Path root(Cluster cluster) {
    return cluster.clientConfig().getParent().resolveSibling("root");
  }

  private static Bytes text(String text) {
    return Bytes.of(text.getBytes(UTF_8));
  }
}
