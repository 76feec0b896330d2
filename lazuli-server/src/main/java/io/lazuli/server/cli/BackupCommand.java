package io.lazuli.server.cli;

import io.lazuli.server.admin.AdminClient;
import io.lazuli.server.admin.ByteProgress;
import io.lazuli.server.backup.ArchiveRun;
import io.lazuli.server.backup.BackupCheck;
import io.lazuli.server.backup.BackupConfig;
import io.lazuli.server.backup.BackupException;
import io.lazuli.server.backup.BackupRecord;
import io.lazuli.server.backup.BackupTarget;
import io.lazuli.server.backup.Meter;
import io.lazuli.server.backup.Targets;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
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
 * {@code lazuli backup}: makes a backup of a running server, or lists, checks and removes backups,
 * which needs no server. The exit code is 1 if a backup was not made or is damaged.
 */
@Command(
    name = "backup",
    description = {
      "Back up the running server into TARGET, a folder or a container. After the first one, only"
          + " what is new is copied.",
      "--list, --verify and --prune work without a server."
    },
    mixinStandardHelpOptions = true,
    versionProvider = Main.class,
    sortOptions = false)
final class BackupCommand implements Callable<Integer> {
  static final String TARGET_HELP =
      "A folder, the URL of a container with a signature, or a connection string with"
          + " ;Container=NAME. env:NAME takes the text from a variable.";

  private static final Duration POLL_PERIOD = Duration.ofMillis(250);

  /** What to do instead of a backup. */
  static final class Instead {
    @Option(
        names = "--list",
        description = "List the backups in TARGET, and the moments that can be restored.")
    private boolean list;

    @Option(
        names = "--verify",
        description = "Read everything in TARGET and compare it with its checksums.")
    private boolean verify;

    @Option(names = "--prune", description = "Remove all backups but the newest ones, see --keep.")
    private boolean prune;

    @Option(names = "--cancel", description = "End the backup that the server is making.")
    private boolean cancel;

    Instead() {}
  }

  @Parameters(arity = "0..1", paramLabel = "TARGET", description = TARGET_HELP)
  private @Nullable String target;

  @ArgGroup private Instead instead = new Instead();

  @Option(
      names = "--accounts",
      description = "Include the accounts file, with its keys. Protect the backups like keys then.")
  private boolean accounts;

  @Option(
      names = "--rate",
      paramLabel = "MIB",
      description = "The most MiB per second to copy, 0 for no limit. Default: ${DEFAULT-VALUE}")
  private int rate = BackupConfig.RATE_MIB;

  @Option(
      names = "--keep",
      paramLabel = "N",
      description = "With --prune: the number of backups that stay.")
  private @Nullable Integer keep;

  @Option(names = "--json", description = "Print a JSON object in each line.")
  private boolean json;

  @Mixin private ServerOptions server = new ServerOptions();

  private final Map<String, String> environment;

  @Spec private CommandSpec spec;

  BackupCommand(Map<String, String> environment) {
    this.environment = environment;
    spec = CommandSpec.create();
  }

  @Override
  public Integer call() throws InterruptedException {
    if (instead.cancel) {
      AdminClient.of(server.read(environment).store().folder()).call("backup-cancel", Map.of());
      return 0;
    }
    if (target == null) {
      throw new ParameterException(spec.commandLine(), "TARGET is missing");
    }
    String place = Secrets.expanded(target, environment);
    if (!(instead.list || instead.verify || instead.prune)) {
      return backUp(Targets.absolute(place));
    }
    try (BackupTarget found = Targets.of(place)) {
      if (instead.list) {
        return list(found);
      }
      return instead.verify ? verify(found) : prune(found);
    } catch (IOException e) {
      throw new BackupException("the backups cannot be read: " + e, e);
    }
  }

  private int backUp(String place) throws InterruptedException {
    AdminClient client = AdminClient.of(server.read(environment).store().folder());
    Map<String, String> state =
        client.call(
            "backup",
            Map.of(
                "target",
                place,
                "accounts",
                String.valueOf(accounts),
                "rateMib",
                String.valueOf(rate)));
    ByteProgress progress = progress();
    while ("running".equals(state.get("state"))) {
      progress.show(
          number(state, "bytesDone"), number(state, "bytes"), number(state, "bytesPerSecond"));
      LockSupport.parkNanos(POLL_PERIOD.toNanos());
      state = client.call("backup-progress", Map.of());
    }
    boolean done = "done".equals(state.get("state"));
    progress.end(state, done ? sentence(state) : "no backup was made: " + state.get("error"));
    return done && number(state, "missing") == 0 ? 0 : 1;
  }

  private static String sentence(Map<String, String> state) {
    long missing = number(state, "missing");
    return "backup %s is complete: %s, of which %s were copied%s"
        .formatted(
            state.get("id"),
            ByteProgress.text(number(state, "storedBytes")),
            ByteProgress.text(number(state, "copiedBytes")),
            missing == 0 ? "" : "; " + missing + " files of blobs were missing in the store");
  }

  private static long number(Map<String, String> state, String name) {
    return Long.parseLong(state.getOrDefault(name, "0"));
  }

  private ByteProgress progress() {
    return new ByteProgress(
        spec.commandLine().getOut(), spec.commandLine().getErr(), json, Ansi.AUTO.enabled());
  }

  private int list(BackupTarget found) throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    for (String id : found.ids()) {
      BackupRecord record = found.record(id);
      Map<String, String> values = new LinkedHashMap<>();
      values.put("id", record.id());
      values.put("time", record.time().toString());
      values.put("bytes", String.valueOf(record.bytes()));
      values.put("copiedBytes", String.valueOf(record.copiedBytes()));
      values.put("files", String.valueOf(record.files()));
      values.put("accounts", String.valueOf(record.accounts()));
      values.put("store", record.store());
      String line =
          "%s  %10s  %10s copied%s"
              .formatted(
                  record.id(),
                  ByteProgress.text(record.bytes()),
                  ByteProgress.text(record.copiedBytes()),
                  record.accounts() ? "  with accounts" : "");
      new ByteProgress(out, spec.commandLine().getErr(), json, false).end(values, line);
    }
    for (ArchiveRun.Window window : ArchiveRun.windows(found)) {
      Map<String, String> values = new LinkedHashMap<>();
      values.put("from", window.from().toString());
      values.put("to", window.to().toString());
      values.put("store", window.store());
      new ByteProgress(out, spec.commandLine().getErr(), json, false)
          .end(values, "any moment from " + window);
    }
    return 0;
  }

  private int verify(BackupTarget found) throws IOException {
    found.lock();
    PrintWriter out = spec.commandLine().getOut();
    long problems =
        new BackupCheck(found)
            .verify(
                new Meter((long) rate << 20),
                line -> progress().end(Map.of("problem", line), line));
    if (problems == 0) {
      progress().end(Map.of("state", "intact"), "all backups in " + found.place() + " are intact");
    }
    out.flush();
    return problems == 0 ? 0 : 1;
  }

  private int prune(BackupTarget found) throws IOException {
    if (keep == null || keep < 1) {
      throw new ParameterException(spec.commandLine(), "--prune needs --keep with a number from 1");
    }
    found.lock();
    List<String> removed = new BackupCheck(found).prune(keep);
    removed.forEach(id -> progress().end(Map.of("removed", id), "removed " + id));
    return 0;
  }
}
