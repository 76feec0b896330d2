package io.lazuli.server.cli;

import io.lazuli.server.account.AccountFile;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which accounts file a command works on. */
final class AccountsOption {
  private Path data = Path.of("lazuli-data");
  private @Nullable Path accounts;

  AccountsOption() {}

  @Option(
      names = "--data",
      paramLabel = "DIR",
      description = "The server's data; the file is DIR/accounts. Default: ./lazuli-data")
  void data(Path folder) {
    data = folder;
  }

  @Option(
      names = "--accounts",
      paramLabel = "FILE",
      description = "The accounts file, if it is kept elsewhere.")
  void accounts(Path file) {
    accounts = file;
  }

  /** There may be none yet. */
  AccountFile file() {
    return accounts == null ? AccountFile.inside(data) : new AccountFile(accounts);
  }

  /** With the wrong folder named, a command that needs accounts shall not find none. */
  AccountFile existingFile() {
    return file().existing();
  }
}
