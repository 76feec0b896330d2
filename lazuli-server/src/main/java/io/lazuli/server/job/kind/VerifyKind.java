package io.lazuli.server.job.kind;

import io.lazuli.server.job.JobFailure;
import io.lazuli.server.job.JobKind;
import io.lazuli.server.job.JobRun;
import io.lazuli.server.job.JobState;
import io.lazuli.server.job.JobWork;
import io.lazuli.server.scrub.Scrub;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads everything that is stored, with the scrub of the server, which keeps its own position. A
 * round that is under way counts. A cancelled job leaves the round to the scrub.
 */
public final class VerifyKind implements JobKind {
  private static final Duration LOOK = Duration.ofMillis(500);
  private static final String BEFORE = "before";

  private final @Nullable Scrub scrub;

  /**
   * @param scrub null if the engine has none
   */
  public VerifyKind(@Nullable Scrub scrub) {
    this.scrub = scrub;
  }

  @Override
  public String name() {
    return "verify";
  }

  @Override
  public String unavailable() {
    return scrub == null ? "Only servers with the engine rocksdb verify what they store." : "";
  }

  @Override
  public void check(String account, Map<String, String> parameters) {}

  @Override
  public JobWork open(JobRun run) {
    Scrub known = scrub;
    if (known == null) {
      throw new JobFailure(unavailable());
    }
    Map<String, String> status = known.status();
    if (run.cursor(BEFORE) == null) {
      run.cursor(BEFORE, status.get("completed"));
    }
    if (status.containsKey("began")) {
      known.pause(false);
    } else if (isNew(run, status)) {
      known.request();
    }
    return new Work(run, known);
  }

  private static boolean isNew(JobRun run, Map<String, String> status) {
    return String.valueOf(status.get("completed")).equals(run.cursor(BEFORE));
  }

  private static final class Work implements JobWork {
    private final JobRun run;
    private final Scrub scrub;

    Work(JobRun run, Scrub scrub) {
      this.run = run;
      this.scrub = scrub;
    }

    @Override
    public @Nullable Duration step() {
      Map<String, String> status = scrub.status();
      String damaged = status.getOrDefault("damaged", "0");
      String found =
          damaged.equals("0") ? "Nothing is damaged" : damaged + " things are damaged; see the log";
      if (!isNew(run, status)) {
        for (int i = 1; status.containsKey("damage " + i); i++) {
          run.log("damaged: " + status.get("damage " + i));
        }
        run.message(found + ".");
        return null;
      }
      run.message(found + " so far. Read: " + status.getOrDefault("read", "nothing yet") + ".");
      return LOOK;
    }

    @Override
    public void stop(JobState next) {
      if (next == JobState.PAUSED) {
        scrub.pause(true);
      }
    }
  }
}
