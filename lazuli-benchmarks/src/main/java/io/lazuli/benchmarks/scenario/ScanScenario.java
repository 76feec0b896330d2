package io.lazuli.benchmarks.scenario;

import io.lazuli.benchmarks.load.Load;
import io.lazuli.benchmarks.load.LoadResult;
import io.lazuli.benchmarks.protocol.PagedScan;
import io.lazuli.benchmarks.protocol.TableRequests;
import io.lazuli.benchmarks.report.Aim;
import io.lazuli.benchmarks.report.Figures;
import io.lazuli.benchmarks.report.Sample;
import io.lazuli.benchmarks.report.Section;
import io.lazuli.benchmarks.report.Series;
import io.lazuli.benchmarks.server.ServerProcess;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Reads whole tables for the few entities that a filter on a property finds. */
final class ScanScenario implements Scenario {
  @Override
  public String name() {
    return "scan";
  }

  @Override
  public Section run(Stage stage) throws IOException {
    List<Entrant> entrants = new ArrayList<>();
    entrants.add(scans(stage, stage.lazuli(), stage.scale().largeEntities()));
    if (stage.azurite().isPresent()) {
      entrants.add(scans(stage, stage.azurite().get(), stage.scale().azuriteEntities()));
    }
    List<Series> all = stage.inTurns(entrants);
    Section section =
        Section.ofSeries(
            "Filtered table scan, one at a time", "entities / s", "entities / CPU s", "/ lazuli");
    for (Series series : all) {
      section.row(
          series,
          Figures.number(series.median(Sample::entitiesPerSecond)),
          Figures.number(series.median(Sample::entitiesPerCpuSecond)),
          Figures.ratio(series.ratioTo(all.get(0), Sample::entitiesPerCpuSecond)));
    }
    return section
        .remark("A request is a pass over the whole table; the latencies are those of its pages.")
        .aim(Aim.SCAN, all.get(0).median(Sample::entitiesPerCpuSecond));
  }

  private static Entrant scans(Stage stage, ServerProcess server, long entities)
      throws IOException {
    String table = stage.table(server, entities);
    return new Entrant(
        server.name() + ", " + Figures.count(entities) + " entities",
        nanos -> {
          long start = System.nanoTime();
          PagedScan scan =
              new PagedScan(
                  TableRequests.signedNow(server.endpoint()),
                  table,
                  TableRequests.numberFilter(7),
                  () -> System.nanoTime() - start < nanos);
          LoadResult result =
              Load.run(server.address(), List.of(scan), server::cpuNanos, () -> true);
          return Sample.of(result.requireNoErrors(), scan.passes(), entities);
        });
  }
}
