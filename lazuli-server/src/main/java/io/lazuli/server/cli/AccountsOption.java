package io.lazuli.server.cli;

import io.lazuli.server.account.AccountFile;
import io.lazuli.server.config.ServerConfig;
import java.nio.file.Path;
import java.util.Map;
import picocli.CommandLine.Option;

/**
 * The option that names the accounts file of a command. By default it is the configured server's
 * file.
 */
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
   * Returns the accounts file, which may not exist yet.
   *
   * @throws io.lazuli.server.config.ConfigException if a setting is invalid
   */
  final AccountFile file(Map<String, String> environment) {
    ServerConfig server = read(environment);
    Path named = server.accounts().file();
    return named == null ? AccountFile.inside(server.store().folder()) : new AccountFile(named);
  }

  /**
   * Returns the accounts file. Throws if it does not exist, so that a wrong folder does not look
   * like no accounts.
   */
  final AccountFile existingFile(Map<String, String> environment) {
    return file(environment).existing();
  }
}
