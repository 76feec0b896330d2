package io.lazuli.server;

import io.lazuli.server.account.Account;
import io.lazuli.server.account.AccountDrops;
import io.lazuli.server.account.AccountFile;
import io.lazuli.server.account.AccountRegistry;
import io.lazuli.server.account.AccountSet;
import io.lazuli.server.account.ProtectedData;
import io.lazuli.server.account.WatchedAccounts;
import io.lazuli.server.audit.AuditLog;
import io.lazuli.server.audit.AuditedFiles;
import io.lazuli.server.catalog.Catalog;
import io.lazuli.server.config.Limits;
import io.lazuli.server.config.ListenAddress;
import io.lazuli.server.config.ListenersConfig;
import io.lazuli.server.config.ServerConfig;
import io.lazuli.server.config.ServerStartException;
import io.lazuli.server.watch.FileWatch;
import io.lazuli.server.watch.WatchException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
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

  private ServerAccounts(@Nullable AccountFile file, List<Account> given, boolean allowsWeakKeys)
      throws WatchException {
    this.file = file;
    this.watch =
        file == null
            ? null
            : new FileWatch<>(
                WatchedAccounts.of(file, allowsWeakKeys), "the previous accounts stay in force");
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
              + ": the development account, whose key is public, is offered only on loopback; add"
              + " an account with lazuli account add NAME, or use --allow-development-account");
    }
    return accounts;
  }

  private static ServerAccounts read(ServerConfig config) {
    if (!config.accounts().givenOptions().isConsistent()) {
      throw new ServerStartException("--blob-immutability needs --blob-versioning");
    }
    try {
      boolean allowsWeakKeys = config.accounts().allowDevelopment() || isLoopback(config);
      if (!allowsWeakKeys) {
        refuseWeakKeys(config);
      }
      return new ServerAccounts(file(config), given(config), allowsWeakKeys);
    } catch (WatchException e) {
      throw new ServerStartException(e.getMessage());
    }
  }

  /** Throws if other machines could use an account of account-keys whose key they can guess. */
  private static void refuseWeakKeys(ServerConfig config) {
    for (Account account : config.accounts().given()) {
      String weakness = account.weakness();
      if (weakness != null) {
        throw new ServerStartException(
            "the account "
                + account.name()
                + " of account-keys "
                + weakness
                + ", and the server listens on "
                + String.join(", ", hosts(config))
                + ", where strangers could use it; choose another key, such as the output of"
                + " openssl rand -base64 64, or use --allow-development-account");
      }
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
  static List<Account> given(ServerConfig config) {
    return keysGiven(config).stream()
        .map(account -> account.withOptions(config.accounts().givenOptions()))
        .toList();
  }

  private static List<Account> keysGiven(ServerConfig config) {
    if (!config.accounts().given().isEmpty()) {
      return config.accounts().given();
    }
    boolean development = config.accounts().allowDevelopment() || isLoopback(config);
    return development ? List.of(Account.development()) : List.of();
  }

  /** Returns whether only this machine can reach the services. */
  static boolean isLoopback(ServerConfig config) {
    return addresses(config).allMatch(ListenAddress::isLoopback);
  }

  private static Set<String> hosts(ServerConfig config) {
    return addresses(config)
        .map(ListenAddress::host)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static Stream<ListenAddress> addresses(ServerConfig config) {
    ListenersConfig listeners = config.listeners();
    return Stream.concat(
        listeners.services().stream().map(listeners::of),
        listeners.hasSignpost() ? Stream.of(listeners.blob()) : Stream.empty());
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
    return enabled.stream().anyMatch(Account::hasPublicKey);
  }

  /** Returns the accounts that strangers could use, because a key is public or short. */
  List<Account> weak() {
    return enabled.stream().filter(account -> account.weakness() != null).toList();
  }

  /** Returns the enabled accounts, the development account first. */
  List<Account> enabled() {
    return enabled;
  }

  /** Returns the names of the enabled accounts, the development account first. */
  List<String> names() {
    return enabled.stream().map(Account::name).toList();
  }

  /** Returns the account that connection strings name. */
  Account first() {
    List<Account> now = enabled;
    if (now.isEmpty()) {
      throw new IllegalStateException("no account is enabled");
    }
    return now.get(0);
  }

  /**
   * Follows the accounts file, and drops the data of accounts that are marked for it.
   *
   * @param audit takes a line for each changed account
   * @return an action that ends both
   */
  Runnable follow(Catalog catalog, ProtectedData protectedData, AuditLog audit) {
    if (file == null || watch == null) {
      return () -> {};
    }
    AccountDrops drops =
        new AccountDrops(
            file, catalog, protectedData, Limits.ACCOUNT_SETTLE_TIME, System::nanoTime);
    watch.start(
        "accounts",
        fresh -> {
          AuditedFiles.accounts(audit, watch.content(), fresh);
          replace(fresh);
        },
        drops::step,
        Limits.ACCOUNTS_CHECK_PERIOD);
    return watch::close;
  }

  /** Returns the bytes of the accounts file; null if there is none. */
  byte @Nullable [] fileContent() {
    return file == null ? null : file.content();
  }

  /** Returns one line if the accounts file cannot be followed; empty otherwise. */
  String trouble() {
    return watch == null ? "" : watch.trouble();
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
}
