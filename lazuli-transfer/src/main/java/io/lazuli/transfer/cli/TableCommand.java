package io.lazuli.transfer.cli;

import io.lazuli.transfer.http.Endpoint;
import io.lazuli.transfer.http.StorageClient;
import io.lazuli.transfer.http.StorageKind;
import io.lazuli.transfer.http.TransferException;
import io.lazuli.transfer.progress.Progress;
import io.lazuli.transfer.table.FileConversion;
import io.lazuli.transfer.table.FileFormat;
import io.lazuli.transfer.table.TableWork;
import io.lazuli.transfer.table.Tables;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code lazuli table}: work on whole tables, and on files of them without a server. */
@Command(
    name = "table",
    description = "Count, copy or purge a table, or convert a file of one.",
    mixinStandardHelpOptions = true)
final class TableCommand implements Runnable {
  private static final String FILTER = "Only entities that an OData filter finds: \"Age gt 30\"";

  private final Map<String, String> environment;

  @Spec private CommandSpec spec = CommandSpec.create();

  TableCommand(Map<String, String> environment) {
    this.environment = environment;
  }

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(), "missing command: count, copy, purge, convert");
  }

  @Command(
      name = "count",
      description = "Count the entities of a table, which reads all their keys.",
      mixinStandardHelpOptions = true)
  int count(
      @Mixin ConnectionOptions connection,
      @Option(names = "--filter", defaultValue = "", description = FILTER) String filter,
      @Parameters(paramLabel = "TABLE") String name) {
    try (Progress progress = connection.progress("entities", spec.commandLine().getOut())) {
      work(connection, name, filter, progress).count();
      progress.finish(name);
    }
    return 0;
  }

  @Command(
      name = "copy",
      description = "Copy the entities of a table to another one, also on another server.",
      mixinStandardHelpOptions = true)
  int copy(
      @Mixin ConnectionOptions connection,
      @Option(names = "--filter", defaultValue = "", description = FILTER) String filter,
      @Option(
              names = "--to-connection-string",
              paramLabel = "TEXT",
              description = "The account of the target. Default: that of the source.")
          @Nullable String toConnection,
      @Option(
              names = "--to-url",
              paramLabel = "URL",
              description = "The table service of the target, with its SAS.")
          @Nullable String toUrl,
      @Option(
              names = "--mode",
              defaultValue = "replace",
              description = "replace or merge. Default: ${DEFAULT-VALUE}")
          Tables.WriteMode mode,
      @Parameters(paramLabel = "TABLE") String name,
      @Parameters(paramLabel = "TARGET") String target) {
    StorageClient client = connection.client(StorageKind.TABLE, environment);
    if (toConnection != null) {
      client = new StorageClient(Endpoint.ofConnectionString(toConnection, StorageKind.TABLE));
    } else if (toUrl != null) {
      client = new StorageClient(Endpoint.ofUrl(toUrl, StorageKind.TABLE));
    }
    Tables copy = new Tables(client, target);
    try (Progress progress = connection.progress("entities", spec.commandLine().getOut())) {
      work(connection, name, filter, progress).copyTo(copy, mode);
      progress.finish("copied " + name + " to " + target);
    }
    return 0;
  }

  @Command(
      name = "purge",
      description = "Delete the entities of a table. The table itself stays.",
      mixinStandardHelpOptions = true)
  int purge(
      @Mixin ConnectionOptions connection,
      @Option(names = "--filter", defaultValue = "", description = FILTER) String filter,
      @Option(names = "--yes", description = "Really delete.") boolean yes,
      @Parameters(paramLabel = "TABLE") String name) {
    if (!yes) {
      throw new TransferException("purge deletes entities of " + name + "; repeat it with --yes");
    }
    try (Progress progress = connection.progress("entities", spec.commandLine().getOut())) {
      work(connection, name, filter, progress).purge();
      progress.finish("purged " + name);
    }
    return 0;
  }

  @Command(
      name = "convert",
      description = "Write the entities of an exported file to a file of another format.",
      mixinStandardHelpOptions = true)
  int convert(
      @Parameters(paramLabel = "FROM", description = "A file .jsonl, .csv or .parquet.") Path from,
      @Parameters(paramLabel = "TO", description = "Another one, which is replaced.") Path to)
      throws IOException {
    Files.deleteIfExists(to);
    long count = FileConversion.run(from, FileFormat.of(from), to, FileFormat.of(to));
    spec.commandLine().getOut().println("converted " + count + " entities");
    return 0;
  }

  private TableWork work(
      ConnectionOptions connection, String name, String filter, Progress progress) {
    return new TableWork(
        new Tables(connection.client(StorageKind.TABLE, environment), name),
        filter,
        connection.parallel(),
        progress);
  }
}
