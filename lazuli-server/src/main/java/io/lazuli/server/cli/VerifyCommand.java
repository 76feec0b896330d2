package io.lazuli.server.cli;

import io.lazuli.server.engine.Engines;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/**
 * {@code lazuli verify}: lists the damage in the files of a server that does not run. The exit code
 * is 0 if there is none, 1 if there is damage or the files cannot be read, and 2 for a wrong
 * command line.
 */
@Command(
    name = "verify",
    description = {
      "Check the log in the data folder, and list the damage. Nothing is changed.",
      "The server may not be running. The exit code is 1 if there is damage."
    },
    mixinStandardHelpOptions = true,
    versionProvider = Main.class)
final class VerifyCommand implements Callable<Integer> {
  @Mixin private ServerOptions server = new ServerOptions();

  private final Map<String, String> environment;

  @Spec private CommandSpec spec;

  VerifyCommand(Map<String, String> environment) {
    this.environment = environment;
    spec = CommandSpec.create();
  }

  @Override
  public Integer call() {
    return StoreReportLines.print(spec, () -> Engines.verify(server.read(environment).store()));
  }
}
