package io.lazuli.benchmarks.scenario;

import io.lazuli.benchmarks.protocol.Cycle;
import io.lazuli.benchmarks.protocol.TableRequests;
import io.lazuli.benchmarks.report.Figures;
import io.lazuli.benchmarks.report.Sample;
import io.lazuli.benchmarks.report.Section;
import io.lazuli.benchmarks.report.Series;
import io.lazuli.benchmarks.server.ServerProcess;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** The first page of a table: a thousand entities. */
final class PageScenario implements Scenario {
  private static final int CONNECTIONS = 2;
  private static final int PAGE = 1_000;

  @Override
  public String name() {
    return "page";
  }

  @Override
  public Section run(Stage stage) throws IOException {
    List<Entrant> entrants = new ArrayList<>();
    entrants.add(pages(stage, stage.lazuli()));
    if (stage.azurite().isPresent()) {
      entrants.add(pages(stage, stage.azurite().get()));
    }
    List<Series> all = stage.inTurns(entrants);
    Section section =
        Section.ofSeries(
            "Page of 1,000 entities, " + CONNECTIONS + " connections",
            "entities / s",
            "CPU us / entity",
            "CPU / lazuli");
    for (Series series : all) {
      section.row(
          series,
          Figures.number(series.median(Sample::entitiesPerSecond)),
          Figures.number(1e6 / series.median(Sample::entitiesPerCpuSecond)),
          Figures.ratio(series.ratioTo(all.get(0), Sample::cpuMicros)));
    }
    return section;
  }

  private static Entrant pages(Stage stage, ServerProcess server) throws IOException {
    String table = stage.table(server, Scale.SMALL_ENTITIES);
    TableRequests check = TableRequests.signedNow(server.endpoint());
    stage.requireEntities(server, check.page(table), PAGE);
    return new Entrant(
        server.name(),
        nanos -> {
          TableRequests requests = TableRequests.signedNow(server.endpoint());
          List<Cycle> scripts = Cycle.of(CONNECTIONS, CONNECTIONS, () -> requests.page(table));
          return stage.load(server, scripts, nanos, PAGE);
        });
  }
}
