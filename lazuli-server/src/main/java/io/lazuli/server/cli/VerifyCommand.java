package io.lazuli.server.cli;

import io.lazuli.server.config.ServerStartException;
import io.lazuli.server.config.StoreConfig;
import io.lazuli.server.engine.Engines;
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
 * {@code lazuli verify}: reads everything that a server stores which does not run, and lists the
 * damage. The exit code is 0 if there is none, 1 if there is damage or the store cannot be read,
 * and 2 for a wrong command line.
 */
@Command(
    name = "verify",
    description = {
      "Read everything in the data folder, and list the damage. Nothing is changed.",
      "The server may not be running. The exit code is 1 if there is damage."
    },
    mixinStandardHelpOptions = true,
    versionProvider = Main.class)
final class VerifyCommand implements Callable<Integer> {
  @Mixin private ServerOptions server = new ServerOptions();

  @Parameters(
      arity = "0..1",
      paramLabel = "DIR",
      description = "The server's data folder, like --data DIR.")
  private @Nullable String folder;

  @Option(names = "--json", description = "Print one JSON object per line.")
  private boolean json;

  private final Map<String, String> environment;

  @Spec private CommandSpec spec;

  VerifyCommand(Map<String, String> environment) {
    this.environment = environment;
    spec = CommandSpec.create();
  }

  @Override
  public Integer call() {
    StoreConfig config = server.read(environment, folder).store();
    FindingLines lines = new FindingLines(spec, json);
    try {
      StoreReport report = Engines.verify(config);
      report.damage().forEach(lines::foundInFile);
      report.notes().forEach(lines::note);
      walk(config, report.damage().isEmpty(), lines);
    } catch (EngineOpenException | ServerStartException e) {
      lines.failed(String.valueOf(e.getMessage()));
    }
    return lines.end();
  }

  private static void walk(StoreConfig config, boolean intactLog, FindingLines lines) {
    try (StorageEngine engine = Engines.openToRead(config)) {
      StoreWalk walk = new StoreWalk(engine, lines::found);
      if (intactLog) {
        lines.follow(walk);
      } else {
        walk.checkFiles();
        lines.note("the log is damaged, so only files were checked, and no records");
      }
    }
  }
}
