package io.lazuli.server.cli;

import io.lazuli.server.Version;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command {@code lazuli}. Exit codes: 1 if something failed, 2 if it was called wrongly. */
@Command(
    name = "lazuli",
    description = "A storage server that speaks the Azure Table and Queue storage protocols.",
    mixinStandardHelpOptions = true,
    versionProvider = Main.class,
    subcommands = ServeCommand.class,
    footer = {
      "",
      "lazuli serve keeps its data in ./lazuli-data and prints a connection string for any SDK.",
      "lazuli serve --help lists its options."
    })
public final class Main implements Runnable, IVersionProvider {
  @Spec private CommandSpec spec;

  /** Made by {@link #commandLine} and, as a version provider, by picocli. */
  Main() {
    spec = CommandSpec.create();
  }

  public static void main(String[] args) {
    System.exit(commandLine().execute(args));
  }

  /** Executing it gives the exit code. */
  static CommandLine commandLine() {
    return new CommandLine(new Main()).setCaseInsensitiveEnumValuesAllowed(true);
  }

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "say what to do");
  }

  @Override
  public String[] getVersion() {
    return new String[] {"lazuli " + Version.current()};
  }
}
