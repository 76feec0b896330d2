package io.lazuli.storage.hbase.cluster;

import io.lazuli.storage.EngineOpenException;
import io.lazuli.storage.hbase.login.ClusterUser;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.client.AsyncAdmin;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.security.User;
import org.jspecify.annotations.Nullable;

/**
 * The connections to one cluster: one for data, whose calls are tried once, and one for
 * administration, whose calls the library repeats.
 */
public final class ClusterConnection implements AutoCloseable {
  private static final long OPEN_SECONDS = 60;
  private static final String ZOOKEEPER_SECURE = "hbase.zookeeper.property.client.secure";
  private static final String ZOOKEEPER_SOCKET = "hbase.zookeeper.property.clientCnxnSocket";
  private static final String ZOOKEEPER_PACKAGE = "org.apache.zookeeper.";

  private final ClusterUser user;
  private final AsyncConnection data;
  private final AsyncConnection admin;

  private ClusterConnection(ClusterUser user, AsyncConnection data, AsyncConnection admin) {
    this.user = user;
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
    nameZooKeeperSocket(site);
    return site;
  }

  /**
   * Names the class with which ZooKeeper's client uses TLS. In HBase's client it is in another
   * package than in files that are written for servers, and without a package both find it.
   */
  private static void nameZooKeeperSocket(Configuration site) {
    String socket = site.getTrimmed(ZOOKEEPER_SOCKET, "");
    if (socket.startsWith(ZOOKEEPER_PACKAGE)) {
      site.set(ZOOKEEPER_SOCKET, socket.substring(ZOOKEEPER_PACKAGE.length()));
    } else if (socket.isEmpty() && site.getBoolean(ZOOKEEPER_SECURE, false)) {
      // Without TLS the client uses another class by default, which has no TLS.
      site.set(ZOOKEEPER_SOCKET, "ClientCnxnSocketNetty");
    }
  }

  /**
   * Logs in and connects.
   *
   * @param userName the name of the user if the cluster does not use Kerberos
   */
  public static ClusterConnection open(Configuration site, String userName) {
    settleResolver();
    return onOwnClasses(
        () -> {
          ClusterUser user = ClusterUser.of(site, userName);
          try {
            return open(site, user);
          } catch (EngineOpenException e) {
            user.close();
            throw e;
          }
        });
  }

  private static ClusterConnection open(Configuration site, ClusterUser user) {
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
    User named = User.create(user.identity());
    AsyncConnection data = connect(dataSite, named);
    try {
      return new ClusterConnection(user, data, connect(adminSite, named));
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

  /** Returns who this server is for the cluster. */
  public ClusterUser user() {
    return user;
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
    user.close();
  }

  /**
   * Runs something with the class loader of the engine, which the threads that it starts inherit.
   * Hadoop's client looks there for what it knows about principals of servers, and ZooKeeper's for
   * the class of its login.
   */
  private static <T> T onOwnClasses(Supplier<T> action) {
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    thread.setContextClassLoader(ClusterConnection.class.getClassLoader());
    try {
      return action.get();
    } finally {
      thread.setContextClassLoader(before);
    }
  }

  private static AsyncConnection connect(Configuration site, User user) {
    CompletableFuture<AsyncConnection> connection =
        ConnectionFactory.createAsyncConnection(site, user);
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
