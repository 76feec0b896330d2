package io.lazuli.storage.hbase.login;

import io.lazuli.storage.EngineOpenException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.SecurityUtil;

/**
 * How to log in to Kerberos. The keys are those of HBase's own clients.
 *
 * @param keytab the file with the keys and the principal that they belong to; empty for the ticket
 *     cache of the process
 * @param zooKeeper whether connections to ZooKeeper use the login, too
 */
record KerberosSettings(Optional<Keytab> keytab, boolean zooKeeper) {
  static final String KEYTAB = "hbase.client.keytab.file";
  static final String PRINCIPAL = "hbase.client.keytab.principal";

  /** A file with the keys of a principal. */
  record Keytab(Path file, String principal) {}

  /** Reads the settings; empty if the cluster does not use Kerberos. */
  static Optional<KerberosSettings> of(Configuration site) {
    boolean zooKeeper = isOn(site);
    if (!"kerberos".equalsIgnoreCase(site.getTrimmed("hbase.security.authentication"))) {
      return Optional.empty();
    }
    String file = site.getTrimmed(KEYTAB, "");
    String principal = site.getTrimmed(PRINCIPAL, "");
    if (file.isEmpty() != principal.isEmpty()) {
      throw new EngineOpenException(
          "%s is set, but not %s; Kerberos needs both, or none for the ticket cache"
              .formatted(file.isEmpty() ? PRINCIPAL : KEYTAB, file.isEmpty() ? KEYTAB : PRINCIPAL),
          null);
    }
    return Optional.of(
        new KerberosSettings(
            file.isEmpty()
                ? Optional.empty()
                : Optional.of(new Keytab(Path.of(file), onThisHost(principal))),
            zooKeeper));
  }

  /** Replaces {@code _HOST} by the name of this machine. */
  private static String onThisHost(String principal) {
    try {
      return SecurityUtil.getServerPrincipal(principal, "");
    } catch (IOException e) {
      throw new EngineOpenException(PRINCIPAL + ": " + e.getMessage(), e);
    }
  }

  private static boolean isOn(Configuration site) {
    String word = site.getTrimmed(ClusterUser.ZOOKEEPER_SASL, "off");
    return switch (word) {
      case "on" -> true;
      case "off" -> false;
      default ->
          throw new EngineOpenException(
              ClusterUser.ZOOKEEPER_SASL + ": expected on or off, found " + word, null);
    };
  }
}
