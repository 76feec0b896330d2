package io.lazuli.server.config;

import io.lazuli.server.account.Account;
import io.lazuli.server.account.AccountKey;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Parses and writes accounts in one line: {@code name:key[:key];name:key…}. */
final class AccountKeys {
  /**
   * Accepts more names than Azure does, because Azurite accepts any name and people use such names.
   */
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,62}");

  private AccountKeys() {}

  /** Parses accounts; returns null if the text does not have this form. */
  static @Nullable List<Account> parse(String text) {
    List<Account> accounts = new ArrayList<>();
    Set<String> names = new HashSet<>();
    for (String part : text.split(";", -1)) {
      Account account = part.isBlank() ? null : parseOne(part.strip());
      if (account != null && names.add(account.name())) {
        accounts.add(account);
      } else if (!part.isBlank()) {
        return null;
      }
    }
    return accounts.isEmpty() ? null : accounts;
  }

  private static @Nullable Account parseOne(String text) {
    String[] parts = text.split(":", -1);
    boolean isName = NAME.matcher(parts[0]).matches() && !parts[0].endsWith("-secondary");
    if (!isName || parts.length < 2 || parts.length > 3) {
      return null;
    }
    try {
      List<AccountKey> keys = new ArrayList<>();
      for (int i = 1; i < parts.length; i++) {
        keys.add(new AccountKey(parts[i]));
      }
      return new Account(parts[0], keys);
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  static String text(List<Account> accounts) {
    return accounts.stream()
        .map(
            account ->
                account.name()
                    + account.keys().stream()
                        .map(key -> ":" + key.base64())
                        .collect(Collectors.joining()))
        .collect(Collectors.joining(";"));
  }
}
