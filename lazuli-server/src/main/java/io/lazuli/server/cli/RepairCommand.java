package io.lazuli.server.cli;

import io.lazuli.server.config.ServerStartException;
import io.lazuli.server.config.StoreConfig;
import io.lazuli.server.engine.Engines;
import io.lazuli.server.scrub.RecordRepair;
import io.lazuli.server.scrub.StoreWalk;
import io.lazuli.storage.EngineOpenException;
import io.lazuli.storage.StorageEngine;
import io.lazuli.storage.StoreReport;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * {@code lazuli repair}: lists what a repair would give up and, with {@code --salvage}, gives it up
 * and keeps everything else. The exit code is 0 if no damage is left, 1 if there is damage left or
 * the files cannot be read, and 2 for a wrong command line.
 */
@Command(
    name = "repair",
    description = {
      "Copy damaged files aside, and say what --salvage would keep and lose.",
      "The server may not be running. The exit code is 1 if damage is left."
    },
    mixinStandardHelpOptions = true,
    versionProvider = Main.class)
final class RepairCommand implements Callable<Integer> {
  @Mixin private ServerOptions server = new ServerOptions();

  @Parameters(
      arity = "0..1",
      paramLabel = "DIR",
      description = "The server's data folder, like --data DIR.")
  private @Nullable String folder;

  @Option(
      names = "--salvage",
      description =
          "Make the store readable again: cut the log before its first damage, keep what can be"
              + " read of damaged files, and move damaged records to a file.")
  private boolean salvage;

  @Option(names = "--json", description = "Print one JSON object per line.")
  private boolean json;

  private final Map<String, String> environment;

  @Spec private CommandSpec spec;

  RepairCommand(Map<String, String> environment) {
    this.environment = environment;
    spec = CommandSpec.create();
  }

  @Override
  public Integer call() {
    StoreConfig config = server.read(environment, folder).store();
    FindingLines lines = new FindingLines(spec, json);
    try {
      StoreReport report = Engines.repair(config, salvage);
      report.damage().forEach(lines::foundInFile);
      report.notes().forEach(lines::note);
      if (report.damage().isEmpty()) {
        repairRecords(config, lines);
      }
    } catch (EngineOpenException | ServerStartException e) {
      lines.failed(String.valueOf(e.getMessage()));
    }
    return lines.end();
  }

  private void repairRecords(StoreConfig config, FindingLines lines) {
    if (!salvage) {
      try (StorageEngine engine = Engines.openToRead(config)) {
        lines.follow(StoreWalk.ofRecords(engine, lines::found));
      }
      return;
    }
    try (StorageEngine engine = Engines.open(config)) {
      new RecordRepair(engine, config.folder(), lines::repaired, lines::found)
          .run()
          .forEach(lines::note);
    }
  }
}
