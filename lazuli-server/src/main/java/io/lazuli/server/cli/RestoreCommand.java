package io.lazuli.server.cli;

import io.lazuli.server.backup.BackupException;
import io.lazuli.server.backup.BackupRecord;
import io.lazuli.server.backup.BackupTarget;
import io.lazuli.server.backup.Meter;
import io.lazuli.server.backup.Restore;
import io.lazuli.server.backup.Targets;
import io.lazuli.storage.thread.Threads;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code lazuli restore}: writes a backup into an empty data folder. */
@Command(
    name = "restore",
    description = {
      "Restore a backup of TARGET into the data folder, which must be empty or not exist.",
      "A server refuses the folder of a restore that has not finished."
    },
    mixinStandardHelpOptions = true,
    versionProvider = Main.class,
    sortOptions = false)
final class RestoreCommand implements Callable<Integer> {
  private static final Duration SHOW_PERIOD = Duration.ofMillis(250);

  @Parameters(paramLabel = "TARGET", description = BackupCommand.TARGET_HELP)
  private String target = "";

  @Option(
      names = "--backup",
      paramLabel = "ID",
      description = "The backup, as lazuli backup --list shows it. Default: the newest one")
  private @Nullable String id;

  @Option(
      names = "--rate",
      paramLabel = "MIB",
      description = "The most MiB per second to copy. Default: no limit")
  private int rate;

  @Option(names = "--json", description = "Print a JSON object in each line.")
  private boolean json;

  @Mixin private ServerOptions server = new ServerOptions();

  private final Map<String, String> environment;

  @Spec private CommandSpec spec;

  RestoreCommand(Map<String, String> environment) {
    this.environment = environment;
    spec = CommandSpec.create();
  }

  @Override
  public Integer call() {
    Path folder = server.read(environment).store().folder().toAbsolutePath().normalize();
    ByteProgress progress =
        new ByteProgress(
            spec.commandLine().getOut(),
            spec.commandLine().getErr(),
            json,
            System.console() != null);
    Meter meter = new Meter((long) rate << 20);
    try (BackupTarget found = Targets.of(Secrets.expanded(target, environment))) {
      BackupRecord backup = Restore.find(found, id);
      Thread shower = Threads.daemon(() -> show(progress, meter), "progress");
      shower.start();
      try {
        new Restore(found, meter).into(folder, backup);
      } finally {
        shower.interrupt();
        Threads.join(shower);
      }
      Map<String, String> values = new LinkedHashMap<>();
      values.put("state", "done");
      values.put("id", backup.id());
      values.put("bytes", String.valueOf(backup.bytes()));
      progress.end(
          values,
          "backup %s was restored into %s: %s"
              .formatted(backup.id(), folder, ByteProgress.text(backup.bytes())));
      return 0;
    } catch (IOException e) {
      throw new BackupException("the backup cannot be restored: " + e, e);
    }
  }

  private static void show(ByteProgress progress, Meter meter) {
    try {
      while (!Thread.currentThread().isInterrupted()) {
        progress.show(meter.doneBytes(), meter.totalBytes(), meter.bytesPerSecond());
        Thread.sleep(SHOW_PERIOD.toMillis());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
