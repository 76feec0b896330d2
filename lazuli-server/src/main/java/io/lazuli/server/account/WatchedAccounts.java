package io.lazuli.server.account;

import io.lazuli.server.watch.WatchException;
import io.lazuli.server.watch.WatchedFiles;

/** The accounts file of a running server. If the file disappears, that is reported as a problem. */
public final class WatchedAccounts implements WatchedFiles<AccountSet> {
  private final AccountFile file;
  private boolean present;

  public WatchedAccounts(AccountFile file) {
    this.file = file;
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
      present = read != null;
      return read == null ? AccountSet.EMPTY : read;
    } catch (AccountFileException e) {
      throw new WatchException(String.valueOf(e.getMessage()), e);
    }
  }
}
