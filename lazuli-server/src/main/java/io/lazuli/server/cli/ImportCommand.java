package io.lazuli.server.cli;

import io.lazuli.server.OfflineStore;
import io.lazuli.server.ServerConfig;
import io.lazuli.server.migration.AzuriteImport;
import io.lazuli.server.migration.ImportReport;
import io.lazuli.storage.EngineOpenException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.function.Consumer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * {@code lazuli import}: takes over what another server has stored. Exit codes: 0 if all of it was,
 * 1 if something was left out, which is named, 2 if it was called wrongly.
 */
@Command(
    name = "import",
    description = "Take over the data of another server.",
    mixinStandardHelpOptions = true,
    versionProvider = Main.class)
final class ImportCommand implements Runnable {
  @Spec private CommandSpec spec;

  ImportCommand() {
    spec = CommandSpec.create();
  }

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "say from what: azurite");
  }

  @Command(
      name = "azurite",
      description = {
        "Take over tables, queues and blobs from a data folder of Azurite.",
        "Neither server may run meanwhile. Ends with 1 if something was left out."
      },
      mixinStandardHelpOptions = true)
  int azurite(
      @Option(
              names = "--data",
              paramLabel = "DIR",
              defaultValue = "lazuli-data",
              description = "Where Lazuli keeps its data. Default: ./${DEFAULT-VALUE}")
          Path data,
      @Option(
              names = "--replace",
              description = "Replace tables, queues and containers that are there already.")
          boolean replace,
      @Parameters(paramLabel = "DIR", description = "What Azurite calls its location.")
          Path folder) {
    PrintWriter out = spec.commandLine().getOut();
    PrintWriter err = spec.commandLine().getErr();
    if (!AzuriteImport.isAzurite(folder)) {
      err.println("lazuli: there is no data of Azurite in " + folder);
      return 1;
    }
    ImportReport report = new ImportReport(line(out), line(err));
    try (OfflineStore store = OfflineStore.open(ServerConfig.builder().dataFolder(data).build())) {
      new AzuriteImport(folder, store, replace, report).run();
    } catch (EngineOpenException e) {
      err.println("lazuli: " + e.getMessage());
      return 1;
    }
    out.println("imported " + report.summary());
    out.flush();
    if (report.leftOut() > 0) {
      err.println("lazuli: " + report.leftOut() + " left out, named above");
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
}
