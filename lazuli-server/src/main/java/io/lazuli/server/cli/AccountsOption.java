package io.lazuli.server.cli;

import io.lazuli.server.ServerConfig;
import io.lazuli.server.account.AccountFile;
import io.lazuli.server.config.Configuration;
import io.lazuli.server.config.Given;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import picocli.CommandLine.Option;

/** Which accounts file a command works on: the one of the server that is configured so. */
final class AccountsOption {
  private final Map<String, Given> options = new HashMap<>();

  AccountsOption() {}

  @Option(
      names = "--data",
      paramLabel = "DIR",
      description = "The server's data; the file is DIR/accounts. Default: ./lazuli-data")
  void data(String folder) {
    options.put("data", new Given(folder, "--data"));
  }

  @Option(
      names = "--accounts",
      paramLabel = "FILE",
      description = "The accounts file, if it is kept elsewhere.")
  void accounts(String file) {
    options.put("accounts", new Given(file, "--accounts"));
  }

  /**
   * There may be none yet.
   *
   * @throws io.lazuli.server.config.ConfigException if something is set wrongly
   */
  AccountFile file() {
    ServerConfig server =
        Configuration.read(options, null, System.getenv(), Map.of()).launch().server();
    Path named = server.accountsFile();
    return named == null ? AccountFile.inside(server.dataFolder()) : new AccountFile(named);
  }

  /** With the wrong folder named, a command that needs accounts shall not find none. */
  AccountFile existingFile() {
    return file().existing();
  }
}
