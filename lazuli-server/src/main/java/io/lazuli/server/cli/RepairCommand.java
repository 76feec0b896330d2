package io.lazuli.server.cli;

import io.lazuli.server.engine.Engines;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * {@code lazuli repair}: copies a damaged log aside and, with {@code --salvage}, cuts it before the
 * damage. The exit code is 0 if the server can start afterwards, 1 if there is damage left or the
 * files cannot be read, and 2 for a wrong command line.
 */
@Command(
    name = "repair",
    description = {
      "Copy a damaged log aside, and say what --salvage would keep and lose.",
      "The server may not be running. The exit code is 1 if damage is left."
    },
    mixinStandardHelpOptions = true,
    versionProvider = Main.class)
final class RepairCommand implements Callable<Integer> {
  @Mixin private ServerOptions server = new ServerOptions();

  @Option(
      names = "--salvage",
      description =
          "Cut the log before the first damage, so that the server starts. The writes after the"
              + " damage are lost; they stay in the copy.")
  private boolean salvage;

  private final Map<String, String> environment;

  @Spec private CommandSpec spec;

  RepairCommand(Map<String, String> environment) {
    this.environment = environment;
    spec = CommandSpec.create();
  }

  @Override
  public Integer call() {
    return StoreReportLines.print(
        spec, () -> Engines.repair(server.read(environment).store(), salvage));
  }
}
