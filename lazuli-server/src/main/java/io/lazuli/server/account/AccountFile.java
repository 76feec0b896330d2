package io.lazuli.server.account;

import io.lazuli.server.watch.OwnerFile;
import java.nio.file.Path;

/** The file of accounts and their keys. Anybody who can read it has full access to the accounts. */
public final class AccountFile extends OwnerFile<AccountSet> {
  public AccountFile(Path path) {
    super("accounts", path, AccountSet.EMPTY, AccountFileText::parse, AccountFileText::write);
  }

  /** Returns the file at its default location in the data folder. */
  public static AccountFile inside(Path dataFolder) {
    return new AccountFile(dataFolder.resolve("accounts"));
  }

  /**
   * Returns this file if it exists.
   *
   * @throws io.lazuli.server.watch.RefusedFileException if there is no file
   */
  public AccountFile existing() {
    requireExisting();
    return this;
  }
}
