package io.lazuli.transfer.cli;

import io.lazuli.transfer.http.TransferException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * The commands {@code lazuli export}, {@code lazuli import} and {@code lazuli table}. The exit code
 * is 1 if a transfer failed, and 2 for a wrong command line.
 */
@Command(
    name = "lazuli",
    description = "Moves data between files and tables, queues and blobs of any server.",
    mixinStandardHelpOptions = true,
    versionProvider = Transfer.class)
public final class Transfer implements Runnable, IVersionProvider {
  @Spec private CommandSpec spec = CommandSpec.create();

  Transfer() {}

  public static void main(String[] args) {
    System.exit(commandLine(System.getenv()).execute(args));
  }

  /** Returns the command line; executing it returns the exit code. */
  static CommandLine commandLine(Map<String, String> environment) {
    return new CommandLine(new Transfer())
        .addSubcommand(new ExportCommand(environment))
        .addSubcommand(new ImportCommand(environment))
        .addSubcommand(new TableCommand(environment))
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setParameterExceptionHandler(Transfer::misused)
        .setExecutionExceptionHandler(Transfer::failed);
  }

  private static int misused(ParameterException failure, String[] args) {
    CommandLine asked = failure.getCommandLine();
    asked.getErr().println("lazuli: " + mistake(failure));
    asked.getErr().println(asked.getCommandSpec().qualifiedName() + " --help shows the usage");
    return asked.getCommandSpec().exitCodeOnInvalidInput();
  }

  /** Describes a mistake without values: one of them may be a key. */
  private static String mistake(ParameterException failure) {
    if (failure instanceof UnmatchedArgumentException unmatched) {
      String word = unmatched.getUnmatched().get(0);
      return word.startsWith("-") ? "unknown option " + word.split("=", 2)[0] : "too many words";
    }
    String value = failure.getValue();
    String message = String.valueOf(failure.getMessage());
    return value == null || value.isEmpty() ? message : message.replace(value, "the value");
  }

  private static int failed(Exception failure, CommandLine asked, ParseResult parsed)
      throws Exception {
    if (failure instanceof IOException || failure instanceof UncheckedIOException) {
      asked.getErr().println("lazuli: " + failure);
    } else if (failure instanceof TransferException) {
      asked.getErr().println("lazuli: " + failure.getMessage());
    } else {
      throw failure;
    }
    return 1;
  }

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "missing command: export, import, table");
  }

  @Override
  public String[] getVersion() {
    String version = Transfer.class.getPackage().getImplementationVersion();
    return new String[] {"lazuli " + (version == null ? "(not packed)" : version)};
  }
}
