package io.lazuli.server.cli;

import io.lazuli.server.Version;
import io.lazuli.server.admin.RefusedCommandException;
import io.lazuli.server.backup.BackupException;
import io.lazuli.server.config.ConfigException;
import io.lazuli.server.watch.RefusedFileException;
import io.lazuli.storage.thread.OutOfMemory;
import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;

/**
 * The command {@code lazuli}. The exit code is 1 if something failed, 2 for a wrong command line,
 * and one of {@link LastResort} if the process could not end in order.
 */
@Command(
    name = "lazuli",
    description = "A storage server that speaks the Azure Table, Queue and Blob storage protocols.",
    mixinStandardHelpOptions = true,
    versionProvider = Main.class,
    footer = {
      "",
      "lazuli serve stores its data in ./lazuli-data and prints a connection string for any SDK.",
      "lazuli export, lazuli import and lazuli table (start script only) move data of any"
          + " endpoint.",
      "lazuli conformance (start script only) tests how well an endpoint speaks the protocol.",
      "lazuli tour (start script only) shows in a minute what the server and the client can do.",
      "lazuli works-with (start script only) runs the tools of other people against the server.",
      "lazuli cluster-demo (start script only) runs several servers on an HBase cluster.",
      "lazuli COMMAND --help lists the options of a command."
    })
public final class Main implements Runnable, IVersionProvider {
  /** The commands that the start script runs itself. The server does not contain them. */
  static final List<String> PROGRAMS =
      List.of("export", "table", "conformance", "tour", "works-with", "cluster-demo");

  @Spec private CommandSpec spec;

  /** Called by {@link #commandLine} and, for the version provider, by picocli. */
  Main() {
    spec = CommandSpec.create();
  }

  public static void main(String[] args) {
    Logging.begin();
    LastResort.arm();
    endWithParent();
    int code = 1;
    try {
      code = commandLine().execute(args);
    } catch (Error e) {
      OutOfMemory.check(e);
      e.printStackTrace();
    }
    System.exit(code);
  }

  /**
   * Stops the server when the process ends that the npm package names, which is the Node.js that
   * started this one. A Node.js that is killed cannot pass that on, and Windows has no signals that
   * it could pass on.
   */
  private static void endWithParent() {
    Long parent = Long.getLong("lazuli.parent");
    if (parent != null) {
      Optional<?> unused =
          ProcessHandle.of(parent).map(it -> it.onExit().thenRun(() -> System.exit(1)));
    }
  }

  /** Returns the command line; executing it returns the exit code. */
  static CommandLine commandLine() {
    return commandLine(new Secrets(System.in, System.getenv()), System.getenv());
  }

  static CommandLine commandLine(Secrets secrets, Map<String, String> environment) {
    CommandLine main =
        new CommandLine(new Main())
            .addSubcommand(withSettings(new ServeCommand(environment)))
            .addSubcommand(withSettings(new ConfigCommand(environment)))
            .addSubcommand(new AccountCommand(secrets, environment))
            .addSubcommand(new RoleCommand(environment))
            .addSubcommand(new DevCertCommand())
            .addSubcommand(new ImportCommand(environment))
            .addSubcommand(new BackupCommand(environment))
            .addSubcommand(new RestoreCommand(environment))
            .addSubcommand(new VerifyCommand(environment))
            .addSubcommand(new RepairCommand(environment))
            .addSubcommand(new ScrubCommand(environment))
            .addSubcommand(new ConsoleCommand(secrets, environment))
            .addSubcommand(new ExplainSignatureCommand(secrets, environment));
    AdminPageCommand.addTo(main, environment);
    AzuriteCommand.addTo(main, environment);
    return main.setCaseInsensitiveEnumValuesAllowed(true)
        .setParameterExceptionHandler(Main::misused)
        .setExecutionExceptionHandler(Main::refused);
  }

  private static CommandLine withSettings(Object command) {
    CommandLine line = new CommandLine(command);
    SettingOptions.addTo(line.getCommandSpec());
    return line;
  }

  /**
   * Prints the mistake and where to find help. A list of all options would push the mistake off the
   * screen.
   */
  private static int misused(ParameterException failure, String[] args) {
    CommandLine asked = failure.getCommandLine();
    PrintWriter err = asked.getErr();
    err.println("lazuli: " + Misuse.message(failure, List.of(args)));
    String listed = asked.getSubcommands().isEmpty() ? "options" : "commands";
    err.println(asked.getCommandSpec().qualifiedName() + " --help lists the " + listed);
    return asked.getCommandSpec().exitCodeOnInvalidInput();
  }

  /**
   * Prints one line, not a stack trace, for a file that cannot be read or edited, for a command
   * that the server refuses, and for a backup that cannot be used.
   */
  private static int refused(Exception failure, CommandLine asked, ParseResult parsed)
      throws Exception {
    if (!(failure instanceof RefusedFileException
        || failure instanceof ConfigException
        || failure instanceof RefusedCommandException
        || failure instanceof BackupException)) {
      throw failure;
    }
    asked.getErr().println("lazuli: " + failure.getMessage());
    return 1;
  }

  @Override
  public void run() {
    Stream<String> shown =
        spec.subcommands().entrySet().stream()
            .filter(command -> !command.getValue().getCommandSpec().usageMessage().hidden())
            .map(Map.Entry::getKey);
    throw new ParameterException(
        spec.commandLine(),
        "missing command: "
            + Stream.concat(shown, PROGRAMS.stream()).collect(Collectors.joining(", ")));
  }

  @Override
  public String[] getVersion() {
    return new String[] {"lazuli " + Version.current()};
  }
}
