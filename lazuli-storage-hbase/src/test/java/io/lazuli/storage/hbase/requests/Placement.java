package io.lazuli.storage.hbase.requests;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.cluster.Cluster;
import io.lazuli.cluster.ClusterProcess;
import io.lazuli.storage.hbase.cluster.ClusterConnection;
import io.lazuli.storage.hbase.regions.RegionChanges;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import org.apache.hadoop.hbase.ClusterMetrics;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.ServerMetrics;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.filter.FirstKeyOnlyFilter;
import org.apache.hadoop.hbase.util.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * Decides on which region server each row of a store lies. It knows nothing about the keys except
 * which rows there are.
 */
final class Placement implements AutoCloseable {
  private static final int ATTEMPTS = 10;

  /** The name of the namespace and of the user, unless the settings of the server change them. */
  private static final String STORE = "lazuli";

  private final ClusterConnection connection;
  private final RegionChanges changes;

  Placement(Cluster cluster) {
    connection =
        ClusterConnection.open(ClusterConnection.configuration(cluster.clientConfig()), STORE);
    changes = new RegionChanges(connection.admin());
    // HBase would move the regions back.
    connection.admin().balancerSwitch(false, true).join();
  }

  ClusterConnection connection() {
    return connection;
  }

  static TableName table(String name) {
    return TableName.valueOf(STORE, name);
  }

  /** Returns the keys of all rows of the tables of the store that hold data, in order. */
  Map<TableName, SortedSet<byte[]>> rows() {
    Map<TableName, SortedSet<byte[]>> rows = new TreeMap<>();
    for (String name : List.of("tables", "queues", "blobs", "chunks")) {
      rows.put(table(name), rows(table(name)));
    }
    return rows;
  }

  SortedSet<byte[]> rows(TableName table) {
    SortedSet<byte[]> keys = new TreeSet<>(Bytes.BYTES_COMPARATOR);
    List<Result> results =
        connection
            .data()
            .getTableBuilder(table)
            .setMaxAttempts(ATTEMPTS)
            .build()
            .scanAll(new Scan().setFilter(new FirstKeyOnlyFilter()))
            .join();
    results.forEach(result -> keys.add(result.getRow()));
    return keys;
  }

  /** Returns the rows that only the first map has. */
  static Map<TableName, SortedSet<byte[]>> without(
      Map<TableName, SortedSet<byte[]>> all, Map<TableName, SortedSet<byte[]>> others) {
    Map<TableName, SortedSet<byte[]>> rest = new TreeMap<>();
    all.forEach(
        (table, keys) -> {
          SortedSet<byte[]> some = new TreeSet<>(keys);
          some.removeAll(others.getOrDefault(table, new TreeSet<>(Bytes.BYTES_COMPARATOR)));
          rest.put(table, some);
        });
    return rest;
  }

  ServerName serverOfMeta() {
    return locate(TableName.META_TABLE_NAME, HConstants.EMPTY_START_ROW).getServerName();
  }

  List<ServerName> servers() {
    return connection.admin().getRegionServers().join().stream().sorted().toList();
  }

  HRegionLocation locate(TableName table, byte[] key) {
    return connection.data().getRegionLocator(table).getRegionLocation(key, true).join();
  }

  private List<HRegionLocation> locations(TableName table) {
    return connection.data().getRegionLocator(table).getAllRegionLocations().join();
  }

  /** Splits regions until rows that belong to different servers are in different regions. */
  void split(Map<TableName, SortedSet<byte[]>> rows, Function<byte[], ServerName> owner) {
    rows.forEach(
        (table, keys) -> {
          byte @Nullable [] last = null;
          for (byte[] key : keys) {
            if (last != null && !owner.apply(last).equals(owner.apply(key))) {
              separate(table, last, key);
            }
            last = key;
          }
        });
  }

  private void separate(TableName table, byte[] below, byte[] key) {
    RegionChanges.untilDone(
        () -> {
          RegionInfo region = locate(table, key).getRegion();
          if (region.containsRow(below)) {
            // HBase moves the border to the beginning of the key's partition.
            changes.split(region, key);
          }
          assertThat(locate(table, key).getRegion().containsRow(below)).isFalse();
        });
  }

  /** Moves the regions of rows to the servers of these rows. */
  void move(Map<TableName, SortedSet<byte[]>> rows, Function<byte[], ServerName> owner) {
    rows.forEach(
        (table, keys) -> {
          for (HRegionLocation each : locations(table)) {
            keys.stream()
                .filter(each.getRegion()::containsRow)
                .findFirst()
                .ifPresent(key -> move(table, key, owner.apply(key)));
          }
        });
  }

  /** Moves the region of a row. */
  void move(TableName table, byte[] key, ServerName server) {
    RegionChanges.untilDone(
        () -> {
          HRegionLocation now = locate(table, key);
          if (!server.equals(now.getServerName())) {
            connection.admin().move(now.getRegion().getEncodedNameAsBytes(), server).join();
          }
        });
  }

  /** Moves all regions away from a server, except those that hold some of the rows. */
  void clear(ServerName server, Map<TableName, SortedSet<byte[]>> except, ServerName target) {
    for (RegionInfo region : connection.admin().getRegions(server).join()) {
      SortedSet<byte[]> rows = except.get(region.getTable());
      if (rows == null || rows.stream().noneMatch(region::containsRow)) {
        RegionChanges.untilDone(
            () -> connection.admin().move(region.getEncodedNameAsBytes(), target).join());
      }
    }
  }

  /** Checks that every row is on its server. */
  void require(Map<TableName, SortedSet<byte[]>> rows, Function<byte[], ServerName> owner) {
    rows.forEach(
        (table, keys) -> {
          List<HRegionLocation> locations = locations(table);
          for (byte[] key : keys) {
            List<ServerName> servers = new ArrayList<>();
            for (HRegionLocation location : locations) {
              if (location.getRegion().containsRow(key)) {
                servers.add(location.getServerName());
              }
            }
            assertThat(servers)
                .as("%s %s", table, Bytes.toStringBinary(key))
                .containsExactly(owner.apply(key));
          }
        });
  }

  /** Returns the number of calls that each region server has received, at most a second ago. */
  Map<ServerName, Long> calls() {
    Map<ServerName, Long> calls = new TreeMap<>();
    ClusterMetrics metrics = connection.admin().getClusterMetrics().join();
    for (Map.Entry<ServerName, ServerMetrics> each : metrics.getLiveServerMetrics().entrySet()) {
      calls.put(each.getKey(), each.getValue().getRequestCount());
    }
    return calls;
  }

  static ClusterProcess process(Cluster cluster, ServerName server) {
    return cluster.regionServers().stream()
        .filter(process -> process.serverName().filter(server.toString()::equals).isPresent())
        .findFirst()
        .orElseThrow();
  }

  @Override
  public void close() {
    connection.close();
  }
}
