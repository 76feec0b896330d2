package io.lazuli.server.account;

import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The accounts that the server knows now. The whole set can be replaced while requests run. */
public final class AccountRegistry {
  private volatile Map<String, Account> byName;

  public AccountRegistry(List<Account> accounts) {
    byName = byName(accounts);
  }

  /** Replaces all accounts. */
  public void replace(List<Account> accounts) {
    byName = byName(accounts);
  }

  /** Returns the account of that name; null if there is none. */
  public @Nullable Account find(String name) {
    return byName.get(name);
  }

  public boolean exists(String name) {
    return byName.containsKey(name);
  }

  /** Returns whether the account exists and was not removed. */
  public boolean isPresent(String name) {
    Account account = byName.get(name);
    return account != null && account.isPresent();
  }

  private static Map<String, Account> byName(List<Account> accounts) {
    return accounts.stream()
        .collect(Collectors.toUnmodifiableMap(Account::name, Function.identity()));
  }
}
