package io.lazuli.server.cli;

import io.lazuli.server.account.AccountFile;
import io.lazuli.server.config.ServerConfig;
import java.nio.file.Path;
import java.util.Map;
import picocli.CommandLine.Option;

/** Which accounts file a command works on: the one of the server that is configured so. */
class AccountsOption extends ServerOptions {
  AccountsOption() {}

  @Option(
      names = "--accounts",
      paramLabel = "FILE",
      description = "The accounts file. Default: accounts in the data folder")
  final void accounts(String named) {
    put("accounts", named);
  }

  /**
   * There may be none yet.
   *
   * @throws io.lazuli.server.config.ConfigException if something is set wrongly
   */
  final AccountFile file(Map<String, String> environment) {
    ServerConfig server = read(environment);
    Path named = server.accounts().file();
    return named == null ? AccountFile.inside(server.store().folder()) : new AccountFile(named);
  }

  /** With the wrong folder named, a command that needs accounts shall not find none. */
  final AccountFile existingFile(Map<String, String> environment) {
    return file(environment).existing();
  }
}
