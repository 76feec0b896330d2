package io.lazuli.server.account;

import java.util.List;

/**
 * A storage account.
 *
 * @param keys one or two, each good for everything; none if the account was removed
 */
public record Account(String name, List<AccountKey> keys, State state) {
  /** The name of the account that every emulator has. */
  public static final String DEVELOPMENT_NAME = "devstoreaccount1";

  private static final AccountKey DEVELOPMENT_KEY =
      new AccountKey(
          "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==");

  /** What may be done with an account. */
  public enum State {
    /** Its keys are good. */
    ENABLED,
    /** Who holds a key is told that the account is disabled. */
    DISABLED,
    /** No key is good; the data is kept. */
    REMOVED,
    /** As removed, and the data goes. */
    DROPPING
  }

  public Account {
    keys = List.copyOf(keys);
  }

  /** An account that can be used. */
  public Account(String name, List<AccountKey> keys) {
    this(name, keys, State.ENABLED);
  }

  /** The account that every emulator has; its key is public. */
  public static Account development() {
    return new Account(DEVELOPMENT_NAME, List.of(DEVELOPMENT_KEY));
  }

  /** True if the name is one that Azure allows: 3 to 24 lower-case letters and digits. */
  public static boolean isName(String text) {
    return text.length() >= 3
        && text.length() <= 24
        && text.chars().allMatch(c -> (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'));
  }

  public boolean isEnabled() {
    return state == State.ENABLED;
  }

  /** True if it has keys: it was not removed. */
  public boolean isPresent() {
    return state == State.ENABLED || state == State.DISABLED;
  }
}
