package io.lazuli.server.cli;

import io.lazuli.server.admin.AdminClient;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code lazuli scrub}: controls the scrub of the running server. */
@Command(
    name = "scrub",
    description = {
      "Control the scrub of the running server, which reads everything slowly and finds damage.",
      "The exit code is 1 if the server refuses the command or does not run."
    },
    mixinStandardHelpOptions = true,
    versionProvider = Main.class)
final class ScrubCommand implements Callable<Integer> {
  /** What an operator can do. */
  enum Action {
    STATUS,
    NOW,
    PAUSE,
    RESUME
  }

  @Mixin private ServerOptions server = new ServerOptions();

  @Parameters(
      arity = "0..1",
      paramLabel = "ACTION",
      defaultValue = "status",
      description = "status, now (begin a round), pause or resume. Default: status")
  private Action action = Action.STATUS;

  private final Map<String, String> environment;

  @Spec private CommandSpec spec;

  ScrubCommand(Map<String, String> environment) {
    this.environment = environment;
    spec = CommandSpec.create();
  }

  @Override
  public Integer call() throws InterruptedException {
    String word = action.name().toLowerCase(Locale.ROOT);
    AdminClient.of(server.read(environment).store().folder())
        .call("scrub", Map.of("action", word))
        .forEach((name, value) -> spec.commandLine().getOut().println(name + ": " + value));
    spec.commandLine().getOut().flush();
    return 0;
  }
}
