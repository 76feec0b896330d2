package io.lazuli.conformance.runner;

import java.io.PrintWriter;
import org.jspecify.annotations.Nullable;

/** Prints a report to the terminal: the failed cases, and then the scores by area. */
final class ScoreCard {

  private ScoreCard() {}

  static void print(Report report, PrintWriter to) {
    for (CaseResult one : report.with(Outcome.FAILED)) {
      printFailure(one, to);
    }
    to.printf("%s at %s, %s%n", report.label(), report.endpoint(), report.date());
    report
        .scores()
        .forEach(
            (service, areas) -> {
              to.printf("%n%-14s %7s %7s %7s%n", service.word(), "passed", "failed", "n/a");
              areas.forEach((area, score) -> printLine(area.word(), score, to));
              printLine("all", report.score(service), to);
            });
    to.println();
    printNotApplicable(report, to);
    to.flush();
  }

  private static void printFailure(CaseResult one, PrintWriter to) {
    to.printf("FAILED %s%n", one.name());
    String differs = one.marks().differs();
    to.printf(
        "  evidence: %s%s%n",
        one.marks().evidence(), differs.isEmpty() ? "" : "; known: " + differs);
    to.printf("  %s%n%n", one.detail());
  }

  private static void printLine(String name, Report.Score score, PrintWriter to) {
    to.printf(
        "%-14s %7d %7d %7d %7s%n",
        name, score.passed(), score.failed(), score.notApplicable(), score.percent());
  }

  private static void printNotApplicable(Report report, PrintWriter to) {
    @Nullable String group = null;
    for (CaseResult one : report.with(Outcome.NOT_APPLICABLE)) {
      if (!one.group().equals(group)) {
        group = one.group();
        to.printf("not applicable: %s (%s)%n", group, one.detail());
      }
    }
  }
}
