package io.lazuli.conformance.runner;

import java.io.PrintWriter;
import java.util.concurrent.TimeUnit;

/**
 * Prints the progress of a run: one line for each class of cases when it is done, and one line
 * every few seconds in between. Used by one thread.
 */
final class Progress {

  private static final long SILENCE_NANOS_MAX = TimeUnit.SECONDS.toNanos(5);

  private final PrintWriter to;
  private long classes;
  private long classesDone;
  private long cases;
  private Report.Score score = Report.Score.NONE;
  private long saidNanos = System.nanoTime();

  Progress(PrintWriter to) {
    this.to = to;
  }

  void begins(long count) {
    classes = count;
  }

  void at(String type) {
    if (System.nanoTime() - saidNanos > SILENCE_NANOS_MAX) {
      say("        … %d cases so far, now in %s".formatted(cases, type));
    }
  }

  void counted(CaseResult result) {
    cases++;
    score = score.plus(result.outcome());
  }

  void ended(String type) {
    classesDone++;
    say(
        "[%2d/%2d] %-20s %3d passed%s"
            .formatted(
                classesDone,
                classes,
                type,
                score.passed(),
                score.failed() == 0 ? "" : ", " + score.failed() + " failed"));
    score = Report.Score.NONE;
  }

  private void say(String line) {
    to.println(line);
    to.flush();
    saidNanos = System.nanoTime();
  }
}
