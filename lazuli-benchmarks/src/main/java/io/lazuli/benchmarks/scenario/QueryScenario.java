package io.lazuli.benchmarks.scenario;

import io.lazuli.benchmarks.protocol.Cycle;
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

/** A point and a range of a hundred entities, both as a filter, in a small and in a large table. */
final class QueryScenario implements Scenario {
  private static final int CONNECTIONS = 8;
  private static final int RANGE = 100;

  @Override
  public String name() {
    return "query";
  }

  @Override
  public Section run(Stage stage) throws IOException {
    ServerProcess lazuli = stage.lazuli();
    long large = stage.scale().largeEntities();
    List<Entrant> entrants =
        new ArrayList<>(
            List.of(
                points(stage, lazuli, Scale.SMALL_ENTITIES),
                points(stage, lazuli, large),
                ranges(stage, lazuli, Scale.SMALL_ENTITIES),
                ranges(stage, lazuli, large)));
    if (stage.azurite().isPresent()) {
      entrants.add(points(stage, stage.azurite().get(), stage.scale().azuriteEntities()));
      entrants.add(ranges(stage, stage.azurite().get(), stage.scale().azuriteEntities()));
    }
    List<Series> all = stage.inTurns(entrants);
    Section section =
        Section.ofSeries(
            "Queries by filter, " + CONNECTIONS + " connections", "CPU / lazuli in 10,000");
    for (int i = 0; i < all.size(); i++) {
      Series small = all.get(i < 4 ? i / 2 * 2 : i - 4 > 0 ? 2 : 0);
      section.row(all.get(i), Figures.ratio(all.get(i).ratioTo(small, Sample::cpuMicros)));
    }
    if (!stage.scale().full()) {
      section.remark("The aims apply to a million entities: --full.");
    }
    return section
        .aim(Aim.POINT_SIZE, all.get(1).ratioTo(all.get(0), Sample::cpuMicros))
        .aim(Aim.RANGE_SIZE, all.get(3).ratioTo(all.get(2), Sample::cpuMicros));
  }

  private static Entrant points(Stage stage, ServerProcess server, long entities)
      throws IOException {
    return queries(stage, server, entities, 1, "point");
  }

  static Entrant ranges(Stage stage, ServerProcess server, long entities) throws IOException {
    return queries(stage, server, entities, RANGE, "range of " + RANGE);
  }

  private static Entrant queries(
      Stage stage, ServerProcess server, long entities, int found, String what) throws IOException {
    String table = stage.table(server, entities);
    TableRequests check = TableRequests.signedNow(server.endpoint());
    stage.requireEntities(server, check.query(table, filter(0, 0, found), ""), found);
    return new Entrant(
        server.name() + " " + what + " in " + Figures.count(entities),
        nanos -> {
          TableRequests requests = TableRequests.signedNow(server.endpoint());
          Keys keys = new Keys(entities);
          List<Cycle> scripts =
              Cycle.of(
                  CONNECTIONS,
                  Keys.REQUESTS,
                  () ->
                      keys.pickRange(
                          found,
                          (partition, row) ->
                              requests.query(table, filter(partition, row, found), "")));
          return stage.load(server, scripts, nanos, found);
        });
  }

  private static String filter(long partition, long row, int found) {
    return found == 1
        ? TableRequests.pointFilter(partition, row)
        : TableRequests.rangeFilter(partition, row, row + found);
  }
}
