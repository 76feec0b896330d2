package io.lazuli.server.config;

import io.lazuli.server.account.Account;
import io.lazuli.server.account.AccountOptions;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The accounts of a server.
 *
 * @param file the accounts file; null for the file in the data folder; the in-memory engine then
 *     has none
 * @param given accounts that are not in the file; if there are any, the development account is
 *     offered only if it is one of them
 * @param givenOptions the options of the accounts that are not in the file
 * @param roles the roles file; null for the file in the data folder; the in-memory engine then has
 *     none
 * @param allowDevelopment true to offer the account with the public key beyond loopback too
 */
public record AccountsConfig(
    @Nullable Path file,
    List<Account> given,
    AccountOptions givenOptions,
    @Nullable Path roles,
    boolean allowDevelopment) {
  public AccountsConfig(@Nullable Path file, List<Account> given, boolean allowDevelopment) {
    this(file, given, AccountOptions.NONE, null, allowDevelopment);
  }

  public AccountsConfig {
    given = List.copyOf(given);
  }
}
