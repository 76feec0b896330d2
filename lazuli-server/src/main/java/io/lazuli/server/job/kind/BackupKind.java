package io.lazuli.server.job.kind;

import io.lazuli.server.backup.BackupException;
import io.lazuli.server.backup.Backups;
import io.lazuli.server.job.JobFailure;
import io.lazuli.server.job.JobKind;
import io.lazuli.server.job.JobRun;
import io.lazuli.server.job.JobState;
import io.lazuli.server.job.JobWork;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Makes a backup in the place that the configuration names: the console cannot choose where the
 * server writes. A backup that was stopped begins again, and copies only what the target lacks.
 */
public final class BackupKind implements JobKind {
  private static final Duration LOOK = Duration.ofMillis(500);
  private static final Duration OTHER = Duration.ofSeconds(5);

  private final Backups backups;
  private final Backups.@Nullable Order order;
  private final boolean isPossible;

  /**
   * @param order null if the configuration names no place
   * @param isPossible whether the engine has backups
   */
  public BackupKind(Backups backups, Backups.@Nullable Order order, boolean isPossible) {
    this.backups = backups;
    this.order = order;
    this.isPossible = isPossible;
  }

  @Override
  public String name() {
    return "backup";
  }

  @Override
  public String unavailable() {
    return !isPossible
        ? "This engine has no backups of its own."
        : order == null ? "The setting backup-target names no place for backups." : "";
  }

  @Override
  public void check(String account, Map<String, String> parameters) {}

  @Override
  public JobWork open(JobRun run) {
    Backups.Order known = order;
    if (known == null) {
      throw new JobFailure(unavailable());
    }
    return new Work(run, known);
  }

  private final class Work implements JobWork {
    private final JobRun run;
    private final Backups.Order known;
    private boolean isBegun;

    Work(JobRun run, Backups.Order known) {
      this.run = run;
      this.known = known;
    }

    @Override
    public @Nullable Duration step() {
      if (!isBegun) {
        return begin();
      }
      Map<String, String> progress = backups.progress();
      run.reach("bytes", Long.parseLong(progress.getOrDefault("bytesDone", "0")));
      run.expect(Long.parseLong(progress.getOrDefault("bytes", "0")), true);
      return switch (progress.getOrDefault("state", "")) {
        case "done" -> {
          long stored = Long.parseLong(progress.getOrDefault("storedBytes", "0"));
          long copied = Long.parseLong(progress.getOrDefault("copiedBytes", "0"));
          run.message(
              "Backup %s: %s, of which %s were copied."
                  .formatted(progress.get("id"), Figures.bytes(stored), Figures.bytes(copied)));
          yield null;
        }
        case "failed" -> throw new JobFailure("The backup failed: " + progress.get("error"));
        default -> LOOK;
      };
    }

    private Duration begin() {
      try {
        backups.begin(known);
        isBegun = true;
        run.message("");
        return LOOK;
      } catch (BackupException e) {
        run.message("It waits for another backup.");
        return OTHER;
      }
    }

    @Override
    public void stop(JobState next) {
      if (isBegun) {
        try {
          backups.cancel();
        } catch (BackupException e) {
          run.log("the backup was over already");
        }
      }
    }
  }
}
