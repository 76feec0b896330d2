package io.lazuli.transfer.cli;

import io.lazuli.transfer.blob.ContainerExport;
import io.lazuli.transfer.blob.Containers;
import io.lazuli.transfer.http.StorageKind;
import io.lazuli.transfer.progress.Progress;
import io.lazuli.transfer.queue.QueueExport;
import io.lazuli.transfer.queue.Queues;
import io.lazuli.transfer.table.FileFormat;
import io.lazuli.transfer.table.TableExport;
import io.lazuli.transfer.table.TableWork;
import io.lazuli.transfer.table.Tables;
import java.io.IOException;
import java.io.PrintWriter;
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

/** {@code lazuli export}: tables and queues to files, containers to folders. */
@Command(
    name = "export",
    description = "Export a table, a queue or a container. A killed export continues if repeated.",
    mixinStandardHelpOptions = true)
final class ExportCommand implements Runnable {
  private final Map<String, String> environment;

  @Spec private CommandSpec spec = CommandSpec.create();

  ExportCommand(Map<String, String> environment) {
    this.environment = environment;
  }

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "missing command: table, queue, container");
  }

  @Command(
      name = "table",
      description = "Write the entities of a table to a file.",
      mixinStandardHelpOptions = true)
  int table(
      @Mixin ConnectionOptions connection,
      @Option(
              names = "--format",
              description = "jsonl, csv or parquet. Default: as the name of the file ends.")
          @Nullable FileFormat format,
      @Option(
              names = "--filter",
              paramLabel = "FILTER",
              defaultValue = "",
              description = "Only entities that an OData filter finds: \"Age gt 30\"")
          String filter,
      @Option(
              names = "--count-first",
              description = "Count the entities before, for a progress bar and the time left.")
          boolean countFirst,
      @Option(names = "--overwrite", description = "Replace the file if it exists.")
          boolean overwrite,
      @Parameters(paramLabel = "TABLE") String name,
      @Parameters(paramLabel = "FILE") Path file)
      throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    Tables table = new Tables(connection.client(StorageKind.TABLE, environment), name);
    long total = 0;
    if (countFirst) {
      try (Progress counting = connection.progress("entities", out)) {
        total = new TableWork(table, filter, connection.parallel(), counting).count();
      }
    }
    try (Progress progress = connection.progress("entities", out)) {
      progress.expect(total);
      FileFormat chosen = format == null ? FileFormat.of(file) : format;
      new TableExport(table, file.toAbsolutePath(), chosen, filter, connection.parallel(), progress)
          .run(overwrite);
      progress.finish("exported " + name + " to " + file);
    }
    return 0;
  }

  @Command(
      name = "queue",
      description = {
        "Write the messages of a queue to a file.",
        "Messages stay in the queue. Up to 32 are read without a change. More can only be received:"
            + " --receive hides them for a while and counts a delivery."
      },
      mixinStandardHelpOptions = true)
  int queue(
      @Mixin ConnectionOptions connection,
      @Option(
              names = "--receive",
              description = "Receive the messages of a queue that has more than 32.")
          boolean receive,
      @Option(names = "--overwrite", description = "Replace the file if it exists.")
          boolean overwrite,
      @Parameters(paramLabel = "QUEUE") String name,
      @Parameters(paramLabel = "FILE") Path file)
      throws IOException {
    Queues queue = new Queues(connection.client(StorageKind.QUEUE, environment), name);
    try (Progress progress = connection.progress("messages", spec.commandLine().getOut())) {
      new QueueExport(queue, file.toAbsolutePath(), progress).run(receive, overwrite);
      progress.finish("exported " + name + " to " + file);
    }
    return 0;
  }

  @Command(
      name = "container",
      description = "Write the blobs of a container to a folder, with their properties.",
      mixinStandardHelpOptions = true)
  int container(
      @Mixin ConnectionOptions connection,
      @Option(
              names = "--prefix",
              defaultValue = "",
              description = "Only blobs whose names start with this text.")
          String prefix,
      @Parameters(paramLabel = "CONTAINER") String name,
      @Parameters(paramLabel = "FOLDER") Path folder)
      throws IOException {
    Containers container = new Containers(connection.client(StorageKind.BLOB, environment), name);
    try (Progress progress = connection.progress("blobs", spec.commandLine().getOut())) {
      new ContainerExport(
              container, folder.toAbsolutePath(), prefix, connection.parallel(), progress)
          .run();
      progress.finish("exported " + name + " to " + folder);
    }
    return 0;
  }
}
