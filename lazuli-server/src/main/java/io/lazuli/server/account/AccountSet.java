package io.lazuli.server.account;

import io.lazuli.server.watch.RefusedFileException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The content of an accounts file: accounts in the order in which they were added, including
 * removed ones. An edit returns a new set. An impossible edit throws a message for the operator.
 */
public record AccountSet(List<Account> accounts) {
  public static final AccountSet EMPTY = new AccountSet(List.of());

  public AccountSet {
    accounts = List.copyOf(accounts);
  }

  /** Returns the account of that name, removed or not; null if there is none. */
  public @Nullable Account find(String name) {
    return accounts.stream().filter(account -> account.name().equals(name)).findAny().orElse(null);
  }

  /** Returns an account that has keys; throws if there is none of that name. */
  public Account require(String name) {
    Account account = find(name);
    if (account == null) {
      throw new RefusedFileException("there is no account " + name);
    }
    if (!account.isPresent()) {
      throw new RefusedFileException("the account " + name + " was removed");
    }
    return account;
  }

  /** Adds an account. A removed account returns with its data, unless the data is being dropped. */
  public AccountSet add(String name, AccountKey key1, AccountKey key2) {
    requireName(name);
    Account before = find(name);
    if (before != null && before.isPresent()) {
      throw new RefusedFileException("the account " + name + " already exists");
    }
    if (before != null && before.state() == Account.State.DROPPING) {
      throw new RefusedFileException(
          "the data of the former account "
              + name
              + " is still being dropped; a running server finishes within a minute");
    }
    Account account = new Account(name, List.of(requireSecret(key1), requireSecret(key2)));
    return before == null ? appended(account) : replaced(name, old -> account);
  }

  /** Replaces the first or the second key. */
  public AccountSet rotate(String name, int number, AccountKey key) {
    List<AccountKey> keys = new ArrayList<>(require(name).keys());
    keys.set(number - 1, requireSecret(key));
    return replaced(name, account -> new Account(name, keys, account.state(), account.options()));
  }

  /** Switches features of an account on or off. Its data stays as it is. */
  public AccountSet configure(String name, UnaryOperator<AccountOptions> change) {
    Account account = require(name);
    return replaced(name, old -> old.withOptions(change.apply(account.options())));
  }

  public AccountSet enable(String name) {
    return inState(require(name), Account.State.ENABLED);
  }

  public AccountSet disable(String name) {
    return inState(require(name), Account.State.DISABLED);
  }

  /** Removes the keys and keeps the data. */
  public AccountSet remove(String name) {
    return inState(new Account(require(name).name(), List.of()), Account.State.REMOVED);
  }

  /** Removes the keys and marks the data for dropping. The account may have been removed before. */
  public AccountSet removeWithData(String name) {
    if (find(name) == null) {
      throw new RefusedFileException("there is no account " + name);
    }
    return inState(new Account(name, List.of()), Account.State.DROPPING);
  }

  /**
   * Forgets an account whose data was dropped. Returns the same set if the account is not marked.
   */
  AccountSet forgetDropped(String name) {
    Account account = find(name);
    if (account == null || account.state() != Account.State.DROPPING) {
      return this;
    }
    return new AccountSet(accounts.stream().filter(kept -> !kept.name().equals(name)).toList());
  }

  private AccountSet inState(Account account, Account.State state) {
    return replaced(
        account.name(),
        old -> new Account(account.name(), account.keys(), state, account.options()));
  }

  private AccountSet appended(Account account) {
    List<Account> more = new ArrayList<>(accounts);
    more.add(account);
    return new AccountSet(more);
  }

  private AccountSet replaced(String name, UnaryOperator<Account> change) {
    return new AccountSet(
        accounts.stream()
            .map(account -> account.name().equals(name) ? change.apply(account) : account)
            .toList());
  }

  static void requireName(String name) {
    if (!Account.isName(name)) {
      throw new RefusedFileException(
          "the name of an account must have 3 to 24 lower-case letters and digits");
    }
    if (name.equals(Account.DEVELOPMENT_NAME)) {
      throw new RefusedFileException(
          name + " is the development account: its key is public and not stored in a file");
    }
  }

  static AccountKey requireSecret(AccountKey key) {
    if (key.base64().equals(Account.development().keys().get(0).base64())) {
      throw new RefusedFileException("this is the key of the development account, which is public");
    }
    return key;
  }
}
