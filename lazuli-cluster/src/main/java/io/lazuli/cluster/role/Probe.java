package io.lazuli.cluster.role;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.NamespaceDescriptor;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.security.access.Permission;
import org.apache.hadoop.hbase.security.access.UserPermission;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.zookeeper.ZKAuthentication;
import org.jspecify.annotations.Nullable;

/**
 * Queries the cluster from inside one of its processes, so that programs that start clusters need
 * neither HBase classes nor another process.
 */
final class Probe {
  private static final long PAUSE_MILLIS = 100;

  /** Used only by the thread that answers. */
  private static @Nullable Connection connection;

  private Probe() {}

  /**
   * Answers {@code ready MILLIS COUNT NAMES...}, {@code regions}, {@code unassign REGION}, {@code
   * assign REGION} or {@code grant USER NAMESPACE ACTIONS}.
   */
  static List<String> answer(String question) {
    String[] words = question.split(" ", -1);
    try {
      if (words[0].equals("ready")) {
        Set<String> names = new HashSet<>(List.of(words).subList(3, words.length));
        names.remove("");
        return ready(Long.parseLong(words[1]), Integer.parseInt(words[2]), names);
      }
      if (words[0].equals("grant")) {
        return grant(words[1], words[2], words[3]);
      }
      return words.length == 1 ? regions() : move(words[0].equals("assign"), words[1]);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return List.of("failed " + e);
    } catch (IOException | RuntimeException e) {
      // A question that fails must not end the process.
      return List.of("failed " + e);
    }
  }

  /**
   * Returns {@code yes} once the cluster is ready or, after the given time, {@code no} with the
   * reason.
   */
  private static List<String> ready(long millis, int count, Set<String> names)
      throws InterruptedException {
    long end = System.nanoTime() + millis * 1_000_000;
    String missing = missingOrFailure(count, names);
    while (!missing.isEmpty() && System.nanoTime() < end) {
      Thread.sleep(PAUSE_MILLIS);
      missing = missingOrFailure(count, names);
    }
    return List.of(missing.isEmpty() ? "yes" : "no " + missing.replace('\n', ' '));
  }

  private static String missingOrFailure(int count, Set<String> names) {
    try {
      return missing(count, names);
    } catch (IOException e) {
      return e.toString();
    }
  }

  /**
   * Returns the reason why the cluster is not ready, or an empty string if it is. A response of
   * ZooKeeper is not enough: the master and {@code hbase:meta} must respond too.
   */
  private static String missing(int count, Set<String> names) throws IOException {
    Connection connection = connection();
    try (Admin admin = connection.getAdmin();
        Table meta = connection.getTable(TableName.META_TABLE_NAME)) {
      Set<String> live = new HashSet<>();
      admin
          .getClusterMetrics()
          .getLiveServerMetrics()
          .keySet()
          .forEach(name -> live.add(name.toString()));
      if (live.size() != count || !live.containsAll(names)) {
        return "the live servers are " + live + ", not " + names;
      }
      try (ResultScanner rows = meta.getScanner(new Scan().setLimit(1))) {
        rows.next();
      }
      admin.listNamespaceDescriptors();
      return "";
    }
  }

  /**
   * Returns a line for each region: table, name, start, end, server. Keys are in HBase's notation.
   */
  private static List<String> regions() throws IOException {
    List<String> lines = new ArrayList<>();
    Connection connection = connection();
    try (Admin admin = connection.getAdmin()) {
      for (TableName table : admin.listTableNames()) {
        try (RegionLocator locator = connection.getRegionLocator(table)) {
          for (HRegionLocation location : locator.getAllRegionLocations()) {
            lines.add(line(location));
          }
        }
      }
    }
    return lines;
  }

  private static List<String> move(boolean assign, String region) throws IOException {
    try (Admin admin = connection().getAdmin()) {
      if (assign) {
        admin.assign(Bytes.toBytes(region));
      } else {
        admin.unassign(Bytes.toBytes(region));
      }
    }
    return List.of("done");
  }

  /** Gives a user exactly these rights on a namespace, which is created if it does not exist. */
  private static List<String> grant(String user, String namespace, String actions)
      throws IOException {
    try (Admin admin = connection().getAdmin()) {
      if (!List.of(admin.listNamespaces()).contains(namespace)) {
        admin.createNamespace(NamespaceDescriptor.create(namespace).build());
      }
      Permission permission =
          Permission.newBuilder(namespace).withActionCodes(Bytes.toBytes(actions)).build();
      admin.grant(new UserPermission(user, permission), false);
    }
    return List.of("done");
  }

  private static String line(HRegionLocation location) {
    return String.join(
        "\t",
        location.getRegion().getTable().getNameAsString(),
        location.getRegion().getEncodedName(),
        Bytes.toStringBinary(location.getRegion().getStartKey()),
        Bytes.toStringBinary(location.getRegion().getEndKey()),
        String.valueOf(location.getServerName()));
  }

  /**
   * Returns the connection. It is created on first use, because the cluster may not run earlier. It
   * is created only once, because this is most of the work of a query.
   */
  private static Connection connection() throws IOException {
    Connection known = connection;
    if (known == null) {
      known = connect();
      connection = known;
    }
    return known;
  }

  /** Creates a connection with short timeouts, because the caller repeats its question. */
  private static Connection connect() throws IOException {
    Configuration config = HBaseConfiguration.create();
    config.setInt("hbase.client.retries.number", 1);
    config.setInt("hbase.client.pause", 50);
    config.setInt("hbase.rpc.timeout", 2_000);
    config.setInt("hbase.client.operation.timeout", 4_000);
    config.setInt("hbase.client.meta.operation.timeout", 4_000);
    config.setInt("zookeeper.recovery.retry", 1);
    config.setInt("zookeeper.recovery.retry.intervalmill", 50);
    requireServerLogin(config);
    // Does nothing without Kerberos.
    ZKAuthentication.loginClient(
        config, HConstants.ZK_CLIENT_KEYTAB_FILE, HConstants.ZK_CLIENT_KERBEROS_PRINCIPAL, "");
    return ConnectionFactory.createConnection(config);
  }

  /** Two logins of ZooKeeper that are configured at the same time would replace each other. */
  private static void requireServerLogin(Configuration config) throws IOException {
    if (config.get(HConstants.ZK_SERVER_KEYTAB_FILE) != null
        && System.getProperty("zookeeper.sasl.serverconfig") == null) {
      throw new IOException("ZooKeeper has not logged in");
    }
  }
}
