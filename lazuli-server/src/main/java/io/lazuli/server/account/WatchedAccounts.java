package io.lazuli.server.account;

import io.lazuli.server.watch.WatchException;
import io.lazuli.server.watch.WatchedFiles;

/** The accounts file of a running server. If the file disappears, that is reported as a problem. */
public final class WatchedAccounts implements WatchedFiles<AccountSet> {
  private final AccountFile file;
  private final boolean allowsWeakKeys;
  private boolean present;

  /**
   * @param allowsWeakKeys false to refuse a file in which an account has a weakness
   */
  public WatchedAccounts(AccountFile file, boolean allowsWeakKeys) {
    this.file = file;
    this.allowsWeakKeys = allowsWeakKeys;
  }

  @Override
  public Object stamp() {
    return file.stamp();
  }

  @Override
  public AccountSet read() throws WatchException {
    try {
      AccountSet read = file.readIfThere();
      if (present && read == null) {
        throw new WatchException("the accounts file " + file.path() + " no longer exists");
      }
      if (read != null && !allowsWeakKeys) {
        refuseWeakKeys(read);
      }
      present = read != null;
      return read == null ? AccountSet.EMPTY : read;
    } catch (AccountFileException e) {
      throw new WatchException(String.valueOf(e.getMessage()), e);
    }
  }

  private void refuseWeakKeys(AccountSet set) throws WatchException {
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
