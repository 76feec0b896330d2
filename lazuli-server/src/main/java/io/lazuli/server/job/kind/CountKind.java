package io.lazuli.server.job.kind;

import io.lazuli.server.job.JobKind;
import io.lazuli.server.job.JobRun;
import io.lazuli.server.job.JobWork;
import java.time.Duration;
import java.util.Map;

/** Counts the entities that a filter finds. */
public final class CountKind implements JobKind {
  private final Tables tables;
  private final Pace pace;

  public CountKind(Tables tables, Pace pace) {
    this.tables = tables;
    this.pace = pace;
  }

  @Override
  public String name() {
    return "count";
  }

  @Override
  public void check(String account, Map<String, String> parameters) {
    tables.check(account, parameters);
  }

  @Override
  public JobWork open(JobRun run) {
    Counting counting = new Counting(tables, pace.of(run), run);
    return () -> {
      Duration pause = counting.step();
      if (counting.isDone()) {
        run.expect(counting.matches(), true);
        run.message(counting.sentence());
        return null;
      }
      return pause;
    };
  }
}
