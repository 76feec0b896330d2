package io.lazuli.server.account;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A storage account.
 *
 * @param keys one or two keys, each with full access; none if the account was removed
 */
public record Account(String name, List<AccountKey> keys, State state, AccountOptions options) {
  /** The name of the account that every emulator has. */
  public static final String DEVELOPMENT_NAME = "devstoreaccount1";

  /**
   * The minimum length of a key in bytes on a server that other machines can reach. Keys of Azure
   * have 64 bytes.
   */
  public static final int KEY_LENGTH_MIN = 16;

  private static final AccountKey DEVELOPMENT_KEY =
      new AccountKey(
          "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==");

  /** The state of an account. */
  public enum State {
    /** The keys of the account are valid. */
    ENABLED,
    /**
     * Requests that are signed with a key are answered with an error that says that the account is
     * disabled.
     */
    DISABLED,
    /** The account has no keys; its data is kept. */
    REMOVED,
    /** The account has no keys, and its data is being dropped. */
    DROPPING
  }

  public Account {
    keys = List.copyOf(keys);
  }

  /** Creates an account without options. */
  public Account(String name, List<AccountKey> keys, State state) {
    this(name, keys, state, AccountOptions.NONE);
  }

  /** Creates an enabled account. */
  public Account(String name, List<AccountKey> keys) {
    this(name, keys, State.ENABLED);
  }

  /** Returns the account that every emulator has; its key is public. */
  public static Account development() {
    return new Account(DEVELOPMENT_NAME, List.of(DEVELOPMENT_KEY));
  }

  public Account withOptions(AccountOptions newOptions) {
    return new Account(name, keys, state, newOptions);
  }

  /** Returns whether one of the keys is the public key of the development account. */
  public boolean hasPublicKey() {
    return keys.stream().anyMatch(DEVELOPMENT_KEY::isSameAs);
  }

  /**
   * Returns why strangers could use the account if they could reach it; null if they could not.
   *
   * @return words that follow the name of the account
   */
  public @Nullable String weakness() {
    if (!isEnabled()) {
      return null;
    } else if (hasPublicKey()) {
      return "has the public key of the development account";
    }
    return keys.stream().anyMatch(key -> key.length() < KEY_LENGTH_MIN)
        ? "has a key that is shorter than " + KEY_LENGTH_MIN + " bytes"
        : null;
  }

  /** Returns whether Azure allows the name: 3 to 24 lower-case letters and digits. */
  public static boolean isName(String text) {
    return text.length() >= 3
        && text.length() <= 24
        && text.chars().allMatch(c -> (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'));
  }

  public boolean isEnabled() {
    return state == State.ENABLED;
  }

  /** Returns whether the account has keys, that is, was not removed. */
  public boolean isPresent() {
    return state == State.ENABLED || state == State.DISABLED;
  }
}
