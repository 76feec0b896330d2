package io.lazuli.storage.hbase.login;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import javax.security.auth.RefreshFailedException;
import javax.security.auth.Subject;
import javax.security.auth.kerberos.KerberosPrincipal;
import javax.security.auth.kerberos.KerberosTicket;
import javax.security.auth.kerberos.KeyTab;
import javax.security.auth.login.AppConfigurationEntry;
import javax.security.auth.login.AppConfigurationEntry.LoginModuleControlFlag;
import javax.security.auth.login.Configuration;
import javax.security.auth.login.LoginContext;
import javax.security.auth.login.LoginException;
import org.jspecify.annotations.Nullable;

/** Where tickets come from: a keytab, or the ticket cache of the process. */
final class TicketSource {
  private static final String MODULE = "com.sun.security.auth.module.Krb5LoginModule";
  private static final String FILE = "FILE:";

  private final KerberosSettings.@Nullable Keytab keytab;

  /** The cache that the environment names; null for the one that is usual on the system. */
  private final @Nullable String cache;

  private TicketSource(KerberosSettings.@Nullable Keytab keytab, @Nullable String cache) {
    this.keytab = keytab;
    this.cache = cache;
  }

  static TicketSource of(KerberosSettings settings, @Nullable String environmentCache) {
    return new TicketSource(settings.keytab().orElse(null), environmentCache);
  }

  /**
   * Asks the source for a ticket.
   *
   * @throws LoginException with one line for the operator
   */
  KerberosTicket ticket() throws LoginException {
    String obstacle = keytab != null ? keytabObstacle(keytab) : cacheObstacle();
    if (!obstacle.isEmpty()) {
      throw new LoginException(obstacle);
    }
    Subject subject = new Subject();
    LoginContext login = new LoginContext("lazuli", subject, null, new Entry(options()));
    try {
      login.login();
    } catch (LoginException e) {
      throw explained(e);
    }
    return subject.getPrivateCredentials(KerberosTicket.class).stream()
        .filter(TicketSource::isInitial)
        .findFirst()
        .orElseThrow(() -> new LoginException(this + " has no ticket-granting ticket"));
  }

  /**
   * Returns a ticket that lasts longer than another one of the same client: from the keytab, from
   * the cache if somebody has filled it again, or else the same ticket, renewed.
   *
   * @throws LoginException with one line for the operator
   */
  KerberosTicket after(KerberosTicket current) throws LoginException {
    LoginException trouble = null;
    try {
      KerberosTicket found = ticket();
      if (isLater(found, current)) {
        return found;
      }
    } catch (LoginException e) {
      trouble = e;
    }
    if (keytab == null && current.isRenewable()) {
      return renewed(current);
    }
    throw trouble != null ? trouble : new LoginException(this + " has no later one: run kinit");
  }

  private KerberosTicket renewed(KerberosTicket current) throws LoginException {
    KerberosTicket renewed = Tickets.copy(current);
    try {
      renewed.refresh();
    } catch (RefreshFailedException e) {
      throw explained(e);
    }
    if (!isLater(renewed, current)) {
      throw new LoginException(this + " has no later one, and it cannot be renewed: run kinit");
    }
    return renewed;
  }

  private static boolean isLater(KerberosTicket one, KerberosTicket other) {
    return TicketLife.of(one).end().isAfter(TicketLife.of(other).end())
        && one.getClient().equals(other.getClient());
  }

  static boolean isInitial(KerberosTicket ticket) {
    return ticket.getServer().getName().startsWith("krbtgt/");
  }

  /** Returns why a keytab cannot be used: Java's own message would ask for a password. */
  private static String keytabObstacle(KerberosSettings.Keytab keytab) {
    Path file = keytab.file();
    if (!Files.exists(file)) {
      return "the keytab " + file + " does not exist";
    }
    if (!Files.isRegularFile(file) || !Files.isReadable(file)) {
      return "the keytab " + file + " cannot be read";
    }
    try {
      KerberosPrincipal principal = new KerberosPrincipal(keytab.principal());
      return KeyTab.getInstance(principal, file.toFile()).getKeys(principal).length == 0
          ? "the keytab " + file + " has no key of " + principal
          : "";
    } catch (IllegalArgumentException e) {
      return keytab.principal() + " is not a principal: " + e.getMessage();
    }
  }

  private String cacheObstacle() {
    if (cache == null) {
      return "";
    }
    String path = cache.startsWith(FILE) ? cache.substring(FILE.length()) : cache;
    if (path.matches("[A-Z]+:.*")) {
      return "the ticket cache " + cache + " is not a file, and Java reads only files";
    }
    if (!Files.exists(Path.of(path))) {
      return "the ticket cache " + path + " does not exist: run kinit";
    }
    return Files.isReadable(Path.of(path)) ? "" : "the ticket cache " + path + " cannot be read";
  }

  private LoginException explained(Exception e) {
    // Java asks for a name or a password if a cache has no ticket, or one that has ended.
    String reason =
        keytab == null && String.valueOf(e.getMessage()).startsWith("Unable to obtain")
            ? this + " has no ticket that is valid: run kinit"
            : this + ": " + e.getMessage();
    LoginException explained = new LoginException(reason.replace('\n', ' '));
    explained.initCause(e);
    return explained;
  }

  private Map<String, String> options() {
    Map<String, String> options = new HashMap<>();
    options.put("doNotPrompt", "true");
    // An operator may correct krb5.conf while the server runs.
    options.put("refreshKrb5Config", "true");
    if (keytab != null) {
      options.put("useKeyTab", "true");
      options.put("keyTab", keytab.file().toString());
      options.put("principal", keytab.principal());
    } else {
      options.put("useTicketCache", "true");
      if (cache != null) {
        options.put("ticketCache", cache);
      }
    }
    return options;
  }

  @Override
  public String toString() {
    if (keytab != null) {
      return keytab.principal() + " with the keytab " + keytab.file();
    }
    return cache == null ? "the ticket cache of this user" : "the ticket cache " + cache;
  }

  /** The configuration of one login. */
  private static final class Entry extends Configuration {
    private final Map<String, String> options;

    Entry(Map<String, String> options) {
      this.options = options;
    }

    @Override
    public AppConfigurationEntry[] getAppConfigurationEntry(String name) {
      return new AppConfigurationEntry[] {
        new AppConfigurationEntry(MODULE, LoginModuleControlFlag.REQUIRED, options)
      };
    }
  }
}
