package io.lazuli.server.account;

import io.lazuli.server.watch.WatchException;
import io.lazuli.server.watch.WatchedFiles;
import io.lazuli.server.watch.WatchedOwnerFile;

/** The accounts file of a running server. */
public final class WatchedAccounts {
  private WatchedAccounts() {}

  /**
   * Returns the file as a watch reads it.
   *
   * @param allowsWeakKeys false to refuse a file in which an account has a weakness
   */
  public static WatchedFiles<AccountSet> of(AccountFile file, boolean allowsWeakKeys) {
    return new WatchedOwnerFile<>(
        file,
        set -> {
          if (!allowsWeakKeys) {
            refuseWeakKeys(file, set);
          }
        });
  }

  private static void refuseWeakKeys(AccountFile file, AccountSet set) throws WatchException {
    for (Account account : set.accounts()) {
      String weakness = account.weakness();
      if (weakness != null) {
        throw new WatchException(
            "the accounts file "
                + file.path()
                + " is refused: the server listens beyond loopback, and the account "
                + account.name()
                + " "
                + weakness
                + "; lazuli account rotate replaces it");
      }
    }
  }
}
