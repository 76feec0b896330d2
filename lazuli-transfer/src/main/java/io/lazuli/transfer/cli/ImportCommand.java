package io.lazuli.transfer.cli;

import io.lazuli.transfer.blob.ContainerImport;
import io.lazuli.transfer.blob.Containers;
import io.lazuli.transfer.http.StorageKind;
import io.lazuli.transfer.progress.Progress;
import io.lazuli.transfer.queue.QueueImport;
import io.lazuli.transfer.queue.Queues;
import io.lazuli.transfer.table.FileFormat;
import io.lazuli.transfer.table.TableImport;
import io.lazuli.transfer.table.Tables;
import java.io.IOException;
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

/** {@code lazuli import}: the reverse of {@code lazuli export}. */
@Command(
    name = "import",
    description = "Import a table, a queue or a container. A killed import continues if repeated.",
    mixinStandardHelpOptions = true)
final class ImportCommand implements Runnable {
  private final Map<String, String> environment;

  @Spec private CommandSpec spec = CommandSpec.create();

  ImportCommand(Map<String, String> environment) {
    this.environment = environment;
  }

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(), "missing command: table, queue, container, azurite");
  }

  @Command(
      name = "table",
      description = "Write the entities of a file into a table, which is created if it is missing.",
      mixinStandardHelpOptions = true)
  int table(
      @Mixin ConnectionOptions connection,
      @Option(
              names = "--format",
              description = "jsonl, csv or parquet. Default: as the name of the file ends.")
          @Nullable FileFormat format,
      @Option(
              names = "--mode",
              defaultValue = "replace",
              description =
                  "replace, or merge to keep other properties of existing entities."
                      + " Default: ${DEFAULT-VALUE}")
          Tables.WriteMode mode,
      @Parameters(paramLabel = "TABLE") String name,
      @Parameters(paramLabel = "FILE") Path file)
      throws IOException {
    Tables table = new Tables(connection.client(StorageKind.TABLE, environment), name);
    try (Progress progress = connection.progress("entities", spec.commandLine().getOut())) {
      FileFormat chosen = format == null ? FileFormat.of(file) : format;
      new TableImport(table, file.toAbsolutePath(), chosen, mode, connection.parallel(), progress)
          .run();
      progress.finish("imported " + file + " into " + name);
    }
    return 0;
  }

  @Command(
      name = "queue",
      description = "Send the messages of a file to a queue, which is created if it is missing.",
      mixinStandardHelpOptions = true)
  int queue(
      @Mixin ConnectionOptions connection,
      @Parameters(paramLabel = "QUEUE") String name,
      @Parameters(paramLabel = "FILE") Path file)
      throws IOException {
    Queues queue = new Queues(connection.client(StorageKind.QUEUE, environment), name);
    try (Progress progress = connection.progress("messages", spec.commandLine().getOut())) {
      new QueueImport(queue, file.toAbsolutePath(), progress).run();
      progress.finish("imported " + file + " into " + name);
    }
    return 0;
  }

  @Command(
      name = "container",
      description = "Upload an exported folder to a container, which is created if it is missing.",
      mixinStandardHelpOptions = true)
  int container(
      @Mixin ConnectionOptions connection,
      @Parameters(paramLabel = "CONTAINER") String name,
      @Parameters(paramLabel = "FOLDER") Path folder)
      throws IOException {
    Containers container = new Containers(connection.client(StorageKind.BLOB, environment), name);
    try (Progress progress = connection.progress("blobs", spec.commandLine().getOut())) {
      new ContainerImport(container, folder.toAbsolutePath(), connection.parallel(), progress)
          .run();
      progress.finish("imported " + folder + " into " + name);
    }
    return 0;
  }
}
