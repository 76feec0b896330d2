package io.lazuli.storage.hbase.login;

import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.UserGroupInformation;
import org.jspecify.annotations.Nullable;

/**
 * The user that this server is for HBase, HDFS and ZooKeeper. Hadoop would ask the system for it,
 * which fails on new JDKs and in containers whose user has no name. Thread-safe.
 */
public final class ClusterUser implements AutoCloseable {
  /** The key that says whether connections to ZooKeeper use the login of Kerberos. */
  public static final String ZOOKEEPER_SASL = "lazuli.zookeeper.sasl";

  private final UserGroupInformation identity;
  private final @Nullable KerberosLogin login;

  private ClusterUser(UserGroupInformation identity, @Nullable KerberosLogin login) {
    this.identity = identity;
    this.login = login;
  }

  /**
   * Logs in if the cluster uses Kerberos, and keeps the login alive until {@link #close}.
   *
   * @param site the settings of the connection, which get what Hadoop's classes need
   * @param name the name of the user if the cluster does not use Kerberos
   * @throws io.lazuli.storage.EngineOpenException with one line for the operator
   */
  public static ClusterUser of(Configuration site, String name) {
    Optional<KerberosSettings> settings = KerberosSettings.of(site);
    if (settings.isEmpty()) {
      return new ClusterUser(UserGroupInformation.createRemoteUser(name), null);
    }
    HadoopJava.requireSuitable("Kerberos");
    KerberosLogin login = KerberosLogin.begin(settings.get(), site);
    return new ClusterUser(login.user(), login);
  }

  public UserGroupInformation identity() {
    return identity;
  }

  /** Returns one line about a login that cannot be kept alive; empty if there is no trouble. */
  public String fault() {
    return login == null ? "" : login.fault();
  }

  @Override
  public void close() {
    if (login != null) {
      login.close();
    }
  }
}
