package io.lazuli.server.cli;

import io.lazuli.server.admin.AdminClient;
import io.lazuli.server.admin.ByteProgress;
import io.lazuli.server.backup.BackupException;
import io.lazuli.server.backup.BackupRecord;
import io.lazuli.server.backup.BackupTarget;
import io.lazuli.server.backup.Meter;
import io.lazuli.server.backup.Restore;
import io.lazuli.server.backup.RestorePoint;
import io.lazuli.server.backup.Targets;
import io.lazuli.server.config.StoreConfig;
import io.lazuli.server.engine.Engines;
import io.lazuli.storage.EngineOpenException;
import io.lazuli.storage.StorageException;
import io.lazuli.storage.StoreRestore;
import io.lazuli.storage.thread.Threads;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * {@code lazuli restore}: writes a backup into an empty data folder, or brings one item of it back
 * into a running server.
 */
@Command(
    name = "restore",
    description = {
      "Restore a backup of TARGET into the data folder, which must be empty or not exist, or with"
          + " the engine hbase into a namespace without tables.",
      "A server refuses the store of a restore that has not finished.",
      "With --table, --queue or --container, one of them comes back into the running server of the"
          + " data folder, under a new name."
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
      names = "--at",
      paramLabel = "INSTANT",
      description = {
        "Restore this moment, for example 2026-11-16T04:00:00Z, from the newest backup before it and"
            + " the archive (setting backup-archive).",
        "lazuli backup --list shows the moments that can be restored."
      })
  private @Nullable String at;

  /** One item of the backup, instead of everything. */
  static final class One {
    @Option(
        names = "--table",
        paramLabel = "ACCOUNT/NAME",
        description = "Restore only this table into the running server, see --as.")
    private @Nullable String table;

    @Option(names = "--queue", paramLabel = "ACCOUNT/NAME", description = "The same for a queue.")
    private @Nullable String queue;

    @Option(
        names = "--container",
        paramLabel = "ACCOUNT/NAME",
        description = "The same for a container.")
    private @Nullable String container;

    One() {}

    String kind() {
      return table != null ? "table" : queue != null ? "queue" : "container";
    }

    /** Returns the account and the name; null if no item is named. */
    @Nullable String item() {
      return table != null ? table : queue != null ? queue : container;
    }
  }

  @ArgGroup private One one = new One();

  @Option(
      names = "--as",
      paramLabel = "NAME",
      description = "The new name of the table, queue or container; it must not exist.")
  private @Nullable String newName;

  @Option(
      names = "--rate",
      paramLabel = "MIB",
      description = "The most MiB per second to copy. Default: no limit")
  private int rate;

  @Option(names = "--json", description = "Print a JSON object in each line.")
  private boolean json;

  @Mixin private ImportCommand.StoreOptions server = new ImportCommand.StoreOptions();

  private final Map<String, String> environment;

  @Spec private CommandSpec spec;

  RestoreCommand(Map<String, String> environment) {
    this.environment = environment;
    spec = CommandSpec.create();
  }

  @Override
  public Integer call() throws InterruptedException {
    String item = one.item();
    if (item != null || newName != null) {
      return restoreOne(item);
    }
    return restoreAll();
  }

  /** Lets the running server restore one item. */
  private int restoreOne(@Nullable String item) throws InterruptedException {
    int slash = item == null ? -1 : item.indexOf('/');
    if (item == null || newName == null || slash < 1) {
      throw new ParameterException(
          spec.commandLine(),
          "--table, --queue or --container ACCOUNT/NAME and --as belong together");
    }
    Map<String, String> arguments = new LinkedHashMap<>();
    arguments.put("target", Targets.absolute(Secrets.expanded(target, environment)));
    arguments.put("kind", one.kind());
    arguments.put("account", item.substring(0, slash));
    arguments.put("name", item.substring(slash + 1));
    arguments.put("as", newName);
    arguments.put("rateMib", String.valueOf(rate));
    if (id != null) {
      arguments.put("backup", id);
    }
    Instant moment = moment();
    if (moment != null) {
      arguments.put("at", moment.toString());
    }
    AdminClient client = AdminClient.of(server.read(environment).store().folder());
    Map<String, String> state = client.call("restore", arguments);
    while ("running".equals(state.get("state"))) {
      LockSupport.parkNanos(SHOW_PERIOD.toNanos());
      state = client.call("backup-progress", Map.of());
    }
    boolean done = "done".equals(state.get("state"));
    new ByteProgress(spec.commandLine().getOut(), spec.commandLine().getErr(), json, false)
        .end(
            state,
            done
                ? "%s %s of %s was restored as %s"
                    .formatted(
                        one.kind(),
                        item,
                        moment == null ? "backup " + state.get("id") : moment,
                        newName)
                : "nothing was restored: " + state.get("error"));
    return done ? 0 : 1;
  }

  /** Returns the moment to restore; null if none is named. */
  private @Nullable Instant moment() {
    if (at == null) {
      return null;
    }
    try {
      return OffsetDateTime.parse(at).toInstant();
    } catch (DateTimeParseException e) {
      throw new ParameterException(
          spec.commandLine(), "--at needs an instant like 2026-11-16T04:00:00Z, not " + at, e);
    }
  }

  private int restoreAll() {
    StoreConfig store = server.read(environment).store();
    Path folder = store.folder().toAbsolutePath().normalize();
    Instant moment = moment();
    if (moment != null && !store.engine().equals("rocksdb")) {
      throw new BackupException(
          "the engine " + store.engine() + " cannot restore a point in time; rocksdb can");
    }
    ByteProgress progress =
        new ByteProgress(
            spec.commandLine().getOut(), spec.commandLine().getErr(), json, Ansi.AUTO.enabled());
    Meter meter = new Meter((long) rate << 20);
    try (BackupTarget found = Targets.of(Secrets.expanded(target, environment))) {
      RestorePoint point = moment == null ? null : RestorePoint.find(found, moment, id);
      BackupRecord backup = point == null ? Restore.find(found, id) : point.backup();
      Restore.Result result = new Restore.Result(0, 0);
      Thread shower = Threads.daemon(() -> show(progress, meter), "progress");
      shower.start();
      String place = folder.toString();
      try {
        Restore restore = new Restore(found, meter);
        if (point == null) {
          place = restore(restore, backup, store);
        } else {
          result = restore.into(folder, point, each -> Engines.openToReplay(store));
        }
      } finally {
        shower.interrupt();
        Threads.join(shower);
      }
      Map<String, String> values = new LinkedHashMap<>();
      values.put("state", "done");
      values.put("id", backup.id());
      values.put("bytes", String.valueOf(backup.bytes()));
      values.put("changes", String.valueOf(result.changes()));
      values.put("missing", String.valueOf(result.missing()));
      progress.end(values, sentence(moment, backup, result, place));
      return result.missing() == 0 ? 0 : 1;
    } catch (IOException | StorageException | EngineOpenException e) {
      throw new BackupException("the backup cannot be restored: " + message(e), e);
    }
  }

  private static String message(Exception e) {
    return e instanceof IOException ? e.toString() : String.valueOf(e.getMessage());
  }

  /** Restores everything into the store of the engine; returns its place. */
  private static String restore(Restore restore, BackupRecord backup, StoreConfig config)
      throws IOException {
    Path folder = config.folder().toAbsolutePath().normalize();
    if (!backup.engine().equals(config.engine())) {
      throw new BackupException(
          "backup %s is of the engine %s, and this server has the engine %s"
              .formatted(backup.id(), backup.engine(), config.engine()));
    }
    Restore.requireNoAccounts(folder, backup);
    try (StoreRestore store = Engines.restore(config)) {
      if (store == null) {
        restore.into(folder, backup);
        return folder.toString();
      }
      restore.into(store, folder, backup);
      return store.place();
    }
  }

  private static String sentence(
      @Nullable Instant moment, BackupRecord backup, Restore.Result result, String place) {
    String source =
        moment == null
            ? "backup " + backup.id()
            : "%s (backup %s and %,d changes)".formatted(moment, backup.id(), result.changes());
    String missing =
        result.missing() == 0
            ? ""
            : "; " + result.missing() + " files of blobs are missing in the archive";
    return "%s was restored into %s: %s%s"
        .formatted(source, place, ByteProgress.text(backup.bytes()), missing);
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
