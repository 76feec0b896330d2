package io.lazuli.storage.hbase;

import io.lazuli.cluster.Cluster;
import io.lazuli.cluster.ClusterSpec;
import io.lazuli.storage.hbase.call.StoreTable;
import io.lazuli.storage.hbase.cluster.ClusterConnection;
import io.lazuli.storage.hbase.cluster.TableSetup;
import io.lazuli.storage.hbase.commit.OwnRows;
import io.lazuli.storage.keys.KeyCodec;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.client.AdvancedScanResultConsumer;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.awaitility.Awaitility;

/** The clusters that the tests of this module share, one of them on HDFS. Tests can clear them. */
public final class TestCluster {
  /** Drops take little longer than a lease, so leases are short. */
  static final HBaseSettings SETTINGS = HBaseSettings.DEFAULT.withLease(Duration.ofMillis(100));

  /** A test may just have split a region. */
  private static final int ATTEMPTS = 16;

  private static final byte[] NUMBERS = KeyCodec.encode(OwnRows.STORE.row(OwnRows.NUMBERS));

  private static TestCluster shared;
  private static TestCluster onHdfs;

  private final Configuration site;
  private final ClusterConnection connection;

  private TestCluster(Path file) {
    site = ClusterConnection.configuration(file);
    connection = ClusterConnection.open(site, HBaseSettings.DEFAULT.user());
    new TableSetup(connection.admin(), HBaseSettings.DEFAULT.namespace()).run();
  }

  /**
   * Returns the cluster of the property {@code lazuli.hbase.site}. Without the property, the first
   * test that needs a cluster starts one, which ends with the JVM.
   */
  public static synchronized TestCluster shared() {
    if (shared == null) {
      String existing = System.getProperty("lazuli.hbase.site");
      shared =
          new TestCluster(
              existing != null ? Path.of(existing) : Cluster.start(spec()).clientConfig());
    }
    return shared;
  }

  private static ClusterSpec spec() {
    return ClusterSpec.inOneProcess().withJars(FilterJars.all());
  }

  /**
   * Returns the cluster on HDFS, whose chunks of several pieces are files. It ends with the JVM.
   */
  static synchronized TestCluster onHdfs() {
    if (onHdfs == null) {
      onHdfs = new TestCluster(Cluster.start(ClusterSpec.of(1).withHdfs()).clientConfig());
    }
    return onHdfs;
  }

  public Configuration site() {
    return site;
  }

  /** Deletes every cell at its own timestamp, and waits until the clock is above all of them. */
  void clear() {
    long highest = 0;
    for (StoreTable table : StoreTable.values()) {
      AsyncTable<AdvancedScanResultConsumer> remote =
          connection
              .data()
              .getTableBuilder(table.name(HBaseSettings.DEFAULT.namespace()))
              .setMaxAttempts(ATTEMPTS)
              .build();
      List<Delete> deletes = new ArrayList<>();
      for (Result result : remote.scanAll(new Scan()).join()) {
        // Numbers must never be used again: the reclaimer relies on it.
        if (Arrays.equals(result.getRow(), NUMBERS)) {
          continue;
        }
        for (Cell cell : result.rawCells()) {
          highest = Math.max(highest, cell.getTimestamp());
          deletes.add(
              new Delete(result.getRow())
                  .addColumns(StoreTable.FAMILY, StoreTable.QUALIFIER, cell.getTimestamp()));
        }
      }
      remote.deleteAll(deletes).join();
    }
    long above = highest + 2;
    Awaitility.await().until(() -> System.currentTimeMillis() > above);
  }
}
