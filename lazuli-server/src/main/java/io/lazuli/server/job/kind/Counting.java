package io.lazuli.server.job.kind;

import io.lazuli.server.job.JobRun;
import io.lazuli.server.table.service.TableBrowser.Tally;
import io.lazuli.storage.Bytes;
import io.lazuli.storage.Position;
import java.time.Duration;

/** Counts what a job is about, as a job of its own or as the beginning of another one. */
final class Counting {
  private static final String AT = "count.at";
  private static final String LAST = "count.last";
  private static final String MATCHES = "count.n";
  private static final String PARTITIONS = "count.partitions";
  private static final String BYTES = "count.bytes";
  private static final String DONE = "counted";

  private final Tables tables;
  private final Pace pace;
  private final JobRun run;

  Counting(Tables tables, Pace pace, JobRun run) {
    this.tables = tables;
    this.pace = pace;
    this.run = run;
  }

  boolean isDone() {
    return run.cursor(DONE) != null;
  }

  long matches() {
    return run.number(MATCHES);
  }

  String sentence() {
    return Figures.entities(matches())
        + " in "
        + Figures.count(run.number(PARTITIONS), "partition", "partitions")
        + ", "
        + Figures.bytes(run.number(BYTES));
  }

  /** Counts for a short time. */
  Duration step() {
    long began = System.nanoTime();
    Position from = Positions.position(run.cursor(AT));
    if (from == null) {
      run.expect(tables.estimate(run), false);
    }
    Tally tally = tables.tally(run, from, Positions.bytes(run.cursor(LAST)));
    run.add(tally.matches());
    run.cursor(MATCHES, matches() + tally.matches());
    run.cursor(PARTITIONS, run.number(PARTITIONS) + tally.partitions());
    run.cursor(BYTES, run.number(BYTES) + tally.bytes());
    Bytes last = tally.last();
    run.cursor(LAST, last == null ? null : Positions.text(last));
    run.cursor(AT, Positions.text(tally.next()));
    if (tally.next() == null) {
      run.cursor(DONE, "yes");
      run.log("counted: " + sentence());
      tables.noteCount(run, matches(), run.number(BYTES));
    }
    return pace.afterReads(tally.matches(), began);
  }
}
