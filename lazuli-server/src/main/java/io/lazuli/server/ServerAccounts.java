package io.lazuli.server;

import io.lazuli.server.account.Account;
import io.lazuli.server.account.AccountDrops;
import io.lazuli.server.account.AccountFile;
import io.lazuli.server.account.AccountRegistry;
import io.lazuli.server.account.AccountSet;
import io.lazuli.server.account.WatchedAccounts;
import io.lazuli.server.catalog.Catalog;
import io.lazuli.server.config.Limits;
import io.lazuli.server.config.ServerConfig;
import io.lazuli.server.config.ServerStartException;
import io.lazuli.server.watch.FileWatch;
import io.lazuli.server.watch.WatchException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The accounts of one server: those of its accounts file, and those that need no file, such as the
 * development account where it is allowed. A server without any usable account is refused.
 */
public final class ServerAccounts {
  private final AccountRegistry registry = new AccountRegistry(List.of());
  private final @Nullable AccountFile file;
  private final @Nullable FileWatch<AccountSet> watch;
  private final List<Account> given;
  private volatile List<Account> enabled = List.of();

  private ServerAccounts(@Nullable AccountFile file, List<Account> given) throws WatchException {
    this.file = file;
    this.watch =
        file == null
            ? null
            : new FileWatch<>(new WatchedAccounts(file), "the previous accounts stay in force");
    this.given = given;
    replace(watch == null ? AccountSet.EMPTY : watch.content());
  }

  /**
   * Reads the accounts of a configuration.
   *
   * @throws ServerStartException if the accounts file is refused, or no account can be used
   */
  static ServerAccounts of(ServerConfig config) {
    ServerAccounts accounts = read(config);
    if (accounts.enabled.isEmpty()) {
      throw new ServerStartException(
          "no account is available on "
              + String.join(", ", hosts(config))
              + ": the development account, whose key is public, is offered only on loopback; add an"
              + " account with lazuli account add NAME, or use --allow-development-account");
    }
    return accounts;
  }

  private static ServerAccounts read(ServerConfig config) {
    try {
      return new ServerAccounts(file(config), given(config));
    } catch (WatchException e) {
      throw new ServerStartException(e.getMessage());
    }
  }

  /**
   * Returns whether a server with this configuration knows the account, so that its data can be
   * used.
   */
  public static boolean knows(ServerConfig config, String account) {
    try {
      return of(config).registry.isPresent(account);
    } catch (ServerStartException e) {
      return false;
    }
  }

  /** Returns the accounts that need no file. */
  private static List<Account> given(ServerConfig config) {
    if (!config.accounts().given().isEmpty()) {
      return config.accounts().given();
    }
    boolean development = config.accounts().allowDevelopment() || isLoopback(config);
    return development ? List.of(Account.development()) : List.of();
  }

  /** Returns whether only this machine can reach the services. */
  static boolean isLoopback(ServerConfig config) {
    return hosts(config).stream().allMatch(ServerAccounts::isLoopback);
  }

  private static Set<String> hosts(ServerConfig config) {
    Set<String> hosts =
        config.listeners().services().stream()
            .map(service -> config.listeners().of(service).host())
            .collect(Collectors.toCollection(TreeSet::new));
    if (config.listeners().hasSignpost()) {
      hosts.add(config.listeners().blob().host());
    }
    return hosts;
  }

  /** Returns the accounts file; null with the in-memory engine, unless a file is configured. */
  private static @Nullable AccountFile file(ServerConfig config) {
    Path named = config.accounts().file();
    if (named == null) {
      return config.store().isInMemory() ? null : AccountFile.inside(config.store().folder());
    }
    AccountFile file = new AccountFile(named);
    if (!file.exists()) {
      throw new ServerStartException(
          "there is no accounts file "
              + named
              + "; lazuli account add NAME --accounts FILE creates one");
    }
    return file;
  }

  AccountRegistry registry() {
    return registry;
  }

  /** Returns whether the development account can be used now, with its public key. */
  boolean offersPublicKey() {
    String known = Account.development().keys().get(0).base64();
    return enabled.stream()
        .flatMap(account -> account.keys().stream())
        .anyMatch(key -> key.base64().equals(known));
  }

  /** Returns the enabled accounts, the development account first. */
  List<Account> enabled() {
    return enabled;
  }

  /**
   * Follows the accounts file, and drops the data of accounts that are marked for it.
   *
   * @return an action that ends both
   */
  Runnable follow(Catalog catalog) {
    if (file == null || watch == null) {
      return () -> {};
    }
    AccountDrops drops =
        new AccountDrops(file, catalog, Limits.ACCOUNT_SETTLE_TIME, System::nanoTime);
    watch.start("accounts", this::replace, drops::step, Limits.ACCOUNTS_CHECK_PERIOD);
    return watch::close;
  }

  /**
   * Combines both kinds of accounts. The file takes precedence, because it can change while the
   * server runs.
   */
  private void replace(AccountSet set) {
    List<Account> all = new ArrayList<>(given);
    all.removeIf(account -> set.find(account.name()) != null);
    all.addAll(set.accounts());
    registry.replace(all);
    enabled = all.stream().filter(Account::isEnabled).toList();
  }

  private static boolean isLoopback(String host) {
    try {
      return InetAddress.getByName(host).isLoopbackAddress();
    } catch (UnknownHostException e) {
      throw new ServerStartException("unknown host " + host);
    }
  }
}
