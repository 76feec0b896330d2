package io.lazuli.storage.hbase.login;

import java.util.Map;
import javax.security.auth.Subject;
import javax.security.auth.login.AppConfigurationEntry;
import javax.security.auth.login.AppConfigurationEntry.LoginModuleControlFlag;
import javax.security.auth.login.Configuration;
import org.jspecify.annotations.Nullable;

/**
 * Makes ZooKeeper's client use the login of the engine. That client logs in by itself for each
 * connection, with the entry {@code Client} of the process's configuration for logins. A ticket
 * cache may have ended by then, although the ticket in memory was renewed.
 */
final class ZooKeeperLogin extends Configuration {
  private static final String ENTRY = "Client";

  private final @Nullable Configuration others;

  private ZooKeeperLogin(@Nullable Configuration others) {
    this.others = others;
  }

  /** Replaces the entry of ZooKeeper's client; other entries stay. */
  static synchronized void use(Subject subject) {
    SharedTickets.shared = subject;
    Configuration before = before();
    if (!(before instanceof ZooKeeperLogin)) {
      Configuration.setConfiguration(new ZooKeeperLogin(before));
    }
  }

  private static @Nullable Configuration before() {
    try {
      return Configuration.getConfiguration();
    } catch (SecurityException e) {
      // The process has none.
      return null;
    }
  }

  @Override
  public AppConfigurationEntry @Nullable [] getAppConfigurationEntry(String name) {
    if (name.equals(ENTRY)) {
      return new AppConfigurationEntry[] {
        new AppConfigurationEntry(
            SharedTickets.class.getName(), LoginModuleControlFlag.REQUIRED, Map.of())
      };
    }
    return others == null ? null : others.getAppConfigurationEntry(name);
  }
}
