package io.lazuli.server.cli;

import io.lazuli.server.ServerAccounts;
import io.lazuli.server.config.ServerConfig;
import io.lazuli.server.config.ServerStartException;
import io.lazuli.server.engine.OfflineStore;
import io.lazuli.server.migration.AzuriteImport;
import io.lazuli.server.migration.ImportReport;
import io.lazuli.storage.EngineOpenException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.Consumer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * {@code lazuli import}: imports the data of another server. The exit code is 0 if everything was
 * imported, 1 if something was left out, which it reports, and 2 for a wrong command line.
 */
@Command(
    name = "import",
    description = "Import the data of another server.",
    mixinStandardHelpOptions = true,
    versionProvider = Main.class,
    footer = {
      "",
      "lazuli import table, queue and container (start script only) import exported files."
    })
final class ImportCommand implements Runnable {
  private final Map<String, String> environment;

  @Spec private CommandSpec spec;

  ImportCommand(Map<String, String> environment) {
    this.environment = environment;
    spec = CommandSpec.create();
  }

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "missing command: azurite");
  }

  @Command(
      name = "azurite",
      description = {
        "Import tables, queues and blobs from a data folder of Azurite.",
        "Neither server may be running. The exit code is 1 if something was left out."
      },
      mixinStandardHelpOptions = true)
  int azurite(
      @Mixin StoreOptions server,
      @Option(
              names = "--replace",
              description = "Replace tables, queues and containers that already exist.")
          boolean replace,
      @Parameters(paramLabel = "DIR", description = "The folder that Azurite calls its location.")
          Path folder) {
    PrintWriter out = spec.commandLine().getOut();
    PrintWriter err = spec.commandLine().getErr();
    if (!AzuriteImport.isAzurite(folder)) {
      err.println("lazuli: there is no data of Azurite in " + folder);
      return 1;
    }
    ServerConfig config = server.read(environment);
    if (config.store().isInMemory()) {
      err.println("lazuli: cannot import into memory: the data would be lost when the import ends");
      return 1;
    }
    ImportReport report = new ImportReport(line(out), line(err));
    try (OfflineStore store = OfflineStore.open(config.store())) {
      new AzuriteImport(
              folder, store, replace, account -> ServerAccounts.knows(config, account), report)
          .run();
    } catch (EngineOpenException | ServerStartException e) {
      err.println("lazuli: " + e.getMessage());
      return 1;
    }
    out.println("imported " + report.summary());
    out.flush();
    if (report.leftOut() > 0) {
      err.println("lazuli: " + report.leftOut() + " left out, see above");
      return 1;
    }
    return 0;
  }

  private static Consumer<String> line(PrintWriter to) {
    return text -> {
      to.println(text);
      to.flush();
    };
  }

  /** The options for the store, which may be a cluster. */
  static final class StoreOptions extends ServerOptions {
    StoreOptions() {}

    @Option(
        names = "--engine",
        paramLabel = "NAME",
        description = "rocksdb, or hbase for a cluster. Default: the configured engine, or rocksdb")
    void engine(String name) {
      put("engine", name);
    }

    @Option(
        names = "--engine-config",
        paramLabel = "FILE",
        description = "The cluster's hbase-site.xml, for hbase.")
    void engineConfig(String file) {
      put("engine-config", file);
    }
  }
}
