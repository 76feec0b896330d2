package io.lazuli.benchmarks.scenario;

import io.lazuli.benchmarks.load.LoadResult;
import io.lazuli.benchmarks.protocol.TableRequests;
import io.lazuli.benchmarks.protocol.TableTurnover;
import io.lazuli.benchmarks.report.Figures;
import io.lazuli.benchmarks.report.Sample;
import io.lazuli.benchmarks.report.Section;
import io.lazuli.benchmarks.report.Series;
import java.io.IOException;
import java.util.List;

/** Point GETs before and after many tables were created and dropped. */
final class DropScenario implements Scenario {
  private static final int CONNECTIONS = 32;

  @Override
  public String name() {
    return "drops";
  }

  @Override
  public Section run(Stage stage) throws IOException {
    Entrant.Measure gets = GetScenario.gets(stage, stage.lazuli(), CONNECTIONS);
    int drops = stage.scale().drops();
    Series before = stage.inTurns(List.of(new Entrant("before", gets))).get(0);
    TableRequests requests = TableRequests.signedNow(stage.lazuli().endpoint());
    LoadResult turnover =
        stage.finish(stage.lazuli(), TableTurnover.of(CONNECTIONS, requests, drops));
    String after = "after " + Figures.count(drops) + " drops";
    Series afterwards = stage.inTurns(List.of(new Entrant(after, gets))).get(0);
    Section section =
        Section.ofSeries(
            "Point GET after table drops, " + CONNECTIONS + " connections",
            "rate / before",
            "CPU / before");
    for (Series series : List.of(before, afterwards)) {
      section.row(
          series,
          Figures.ratio(series.ratioTo(before, Sample::requestsPerSecond)),
          Figures.ratio(series.ratioTo(before, Sample::cpuMicros)));
    }
    double perSecond = drops / (turnover.elapsedNanos() / 1e9);
    return section.remark(
        Figures.number(perSecond)
            + " tables per second were created, filled with one entity and dropped.");
  }
}
