package io.lazuli.storage.hbase.cluster;

import io.lazuli.storage.EngineOpenException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.client.AsyncAdmin;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.security.User;
import org.apache.hadoop.security.UserGroupInformation;
import org.jspecify.annotations.Nullable;

/**
 * The connections to one cluster: one for data, whose calls are tried once, and one for
 * administration, whose calls the library repeats.
 */
public final class ClusterConnection implements AutoCloseable {
  private static final long OPEN_SECONDS = 60;

  private final AsyncConnection data;
  private final AsyncConnection admin;

  private ClusterConnection(AsyncConnection data, AsyncConnection admin) {
    this.data = data;
    this.admin = admin;
  }

  /**
   * Reads the settings of a file, and of {@code core-site.xml} and {@code hdfs-site.xml} next to it
   * if they exist.
   */
  public static Configuration configuration(@Nullable Path file) {
    if (file == null) {
      throw new EngineOpenException(
          "the engine hbase needs --engine-config with the path of an hbase-site.xml", null);
    }
    if (!Files.isReadable(file)) {
      throw new EngineOpenException("cannot read " + file, null);
    }
    Configuration site = HBaseConfiguration.create();
    for (String name : new String[] {"core-site.xml", "hdfs-site.xml"}) {
      Path other = file.resolveSibling(name);
      if (Files.isReadable(other)) {
        site.addResource(new org.apache.hadoop.fs.Path(other.toUri()));
      }
    }
    site.addResource(new org.apache.hadoop.fs.Path(file.toUri()));
    return site;
  }

  public static ClusterConnection open(Configuration site, String userName) {
    settleResolver();
    Configuration adminSite = new Configuration(site);
    adminSite.setInt("hbase.rpc.timeout", 20_000);
    adminSite.setInt("hbase.client.operation.timeout", 60_000);
    adminSite.setInt("hbase.client.retries.number", 50);
    Configuration dataSite = new Configuration(site);
    dataSite.setInt("hbase.client.pause", 50);
    // Coprocessor calls ignore the number of attempts that is set for a table and use this setting.
    // If the library repeated a commit that had succeeded, the cluster would refuse the repetition,
    // which would look like a conflict.
    dataSite.setInt("hbase.client.retries.number", 0);
    dataSite.setInt("hbase.client.meta.operation.timeout", 5_000);
    // Otherwise a paused server that has hbase:meta would delay every lookup of a region.
    dataSite.setInt("hbase.client.meta.read.rpc.timeout", 2_000);
    dataSite.setInt("hbase.client.meta.scanner.timeout.period", 5_000);
    UserGroupInformation named = user(site, userName);
    User user = named == null ? null : User.create(named);
    AsyncConnection data = connect(dataSite, user);
    try {
      return new ClusterConnection(data, connect(adminSite, user));
    } catch (EngineOpenException e) {
      close(data);
      throw e;
    }
  }

  /**
   * Resolves a name before HBase does, outside of HBase's class loader. Since Java 18 the first
   * lookup of an address chooses the resolver of the whole process, and HBase's jar declares a
   * resolver that it does not contain: a lookup that sees the jar fails.
   */
  private static void settleResolver() {
    Thread thread = Thread.currentThread();
    ClassLoader loader = thread.getContextClassLoader();
    thread.setContextClassLoader(ClassLoader.getPlatformClassLoader());
    try {
      InetAddress.getByName("localhost");
    } catch (UnknownHostException e) {
      // The lookup itself was the purpose, not its result.
      return;
    } finally {
      thread.setContextClassLoader(loader);
    }
  }

  public AsyncConnection data() {
    return data;
  }

  public AsyncAdmin admin() {
    return admin.getAdmin();
  }

  /** Returns the connection whose calls the library repeats. */
  public AsyncConnection adminConnection() {
    return admin;
  }

  @Override
  public void close() {
    close(data);
    close(admin);
  }

  /**
   * Returns a user with the given name. HBase would ask the system for the user, which fails on new
   * JDKs and in containers whose user has no name. Only Kerberos requires the system's user.
   */
  public static @Nullable UserGroupInformation user(Configuration site, String userName) {
    return "kerberos".equalsIgnoreCase(site.get("hbase.security.authentication"))
        ? null
        : UserGroupInformation.createRemoteUser(userName);
  }

  private static AsyncConnection connect(Configuration site, @Nullable User user) {
    CompletableFuture<AsyncConnection> connection =
        user == null
            ? ConnectionFactory.createAsyncConnection(site)
            : ConnectionFactory.createAsyncConnection(site, user);
    String quorum = site.get("hbase.zookeeper.quorum");
    try {
      return connection.get(OPEN_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException e) {
      throw new EngineOpenException("no HBase cluster answers at " + quorum + ": " + e, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new EngineOpenException("interrupted while connecting to " + quorum, e);
    }
  }

  private static void close(AsyncConnection connection) {
    try {
      connection.close();
    } catch (IOException e) {
      // Nothing is lost: every acknowledged write is in the cluster.
      return;
    }
  }
}
