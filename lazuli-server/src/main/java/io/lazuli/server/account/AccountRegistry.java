package io.lazuli.server.account;

import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The accounts that the server knows. */
public final class AccountRegistry {
  private final Map<String, Account> byName;

  public AccountRegistry(List<Account> accounts) {
    byName = accounts.stream().collect(Collectors.toMap(Account::name, Function.identity()));
  }

  /** The account of that name; null if there is none. */
  public @Nullable Account find(String name) {
    return byName.get(name);
  }

  public boolean exists(String name) {
    return byName.containsKey(name);
  }
}
