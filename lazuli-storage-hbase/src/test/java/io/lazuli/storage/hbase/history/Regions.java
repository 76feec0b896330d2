package io.lazuli.storage.hbase.history;

import io.lazuli.cluster.Cluster;
import io.lazuli.cluster.ClusterProcess;
import io.lazuli.storage.Bytes;
import io.lazuli.storage.hbase.regions.RegionChanges;
import io.lazuli.storage.keys.KeyCodec;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AsyncAdmin;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.security.User;
import org.apache.hadoop.security.UserGroupInformation;

/** Finds and moves the regions of a store's partitions. */
final class Regions implements AutoCloseable {
  private static final TableName TABLE = TableName.valueOf("lazuli", "tables");

  private final AsyncConnection connection;
  private final AsyncAdmin admin;
  private final RegionChanges changes;
  private final Store store;

  Regions(Path site, Store store) {
    Configuration settings = HBaseConfiguration.create();
    settings.addResource(new org.apache.hadoop.fs.Path(site.toUri()));
    User user = User.create(UserGroupInformation.createRemoteUser("lazuli"));
    this.connection = ConnectionFactory.createAsyncConnection(settings, user).join();
    this.admin = connection.getAdmin();
    this.changes = new RegionChanges(admin);
    this.store = store;
  }

  /** Moves the batches to the server of {@code hbase:meta}, and the counters to another one. */
  void spread() {
    split("c00");
    moveTo("b00", serverOfMeta());
    moveTo("c00", another(serverOfMeta()));
  }

  private ServerName serverOfMeta() {
    return connection
        .getRegionLocator(TableName.META_TABLE_NAME)
        .getRegionLocation(HConstants.EMPTY_START_ROW, true)
        .join()
        .getServerName();
  }

  ServerName serverOf(String target) {
    return locate(target).getServerName();
  }

  /** Returns the process that serves a partition. */
  ClusterProcess processOf(Cluster cluster, String target) {
    String name = serverOf(target).toString();
    return cluster.regionServers().stream()
        .filter(ClusterProcess::alive)
        .filter(process -> process.serverName().filter(name::equals).isPresent())
        .findFirst()
        .orElseThrow();
  }

  /** Splits a region so that a partition is the first of its region. */
  void split(String target) {
    RegionChanges.untilDone(
        () -> {
          RegionInfo region = locate(target).getRegion();
          byte[] start = prefix(target);
          if (!Arrays.equals(region.getStartKey(), start)) {
            changes.split(region, start);
          }
        });
  }

  /** Moves the region of a partition to another server. */
  void move(String target) {
    moveTo(target, another(serverOf(target)));
  }

  private void moveTo(String target, ServerName server) {
    RegionChanges.untilDone(
        () -> admin.move(locate(target).getRegion().getEncodedNameAsBytes(), server).join());
  }

  /** Merges the regions of two partitions, which must be neighbours or the same. */
  void merge(String first, String second) {
    RegionChanges.untilDone(
        () -> {
          RegionInfo a = locate(first).getRegion();
          RegionInfo b = locate(second).getRegion();
          if (!a.equals(b)) {
            changes.merge(a, b);
          }
        });
  }

  private ServerName another(ServerName server) {
    Collection<ServerName> all = new ArrayList<>(admin.getRegionServers().join());
    all.remove(server);
    return all.stream().sorted().findFirst().orElse(server);
  }

  private HRegionLocation locate(String target) {
    return connection.getRegionLocator(TABLE).getRegionLocation(prefix(target), true).join();
  }

  private byte[] prefix(String target) {
    byte[] key = KeyCodec.encode(store.partition(target).row(Bytes.EMPTY));
    return Arrays.copyOf(key, key.length - 1);
  }

  /** Returns how many regions hold a part of the store. */
  long count() {
    return List.copyOf(Store.WRITTEN).stream()
        .map(this::locate)
        .map(HRegionLocation::getRegion)
        .distinct()
        .count();
  }

  @Override
  public void close() {
    try {
      connection.close();
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }
}
