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

/**
 * Compares signed point GETs with a constant response of the same length on the same HTTP stack.
 */
final class GetScenario implements Scenario {
  private static final int CONNECTIONS = 32;

  @Override
  public String name() {
    return "get";
  }

  @Override
  public Section run(Stage stage) throws IOException {
    List<Entrant> entrants = new ArrayList<>();
    entrants.add(new Entrant("echo", gets(stage, stage.echo(), "entities", CONNECTIONS)));
    entrants.add(new Entrant("lazuli", gets(stage, stage.lazuli(), CONNECTIONS)));
    if (stage.azurite().isPresent()) {
      entrants.add(new Entrant("azurite", gets(stage, stage.azurite().get(), CONNECTIONS)));
    }
    List<Series> all = stage.inTurns(entrants);
    Series echo = all.get(0);
    Series lazuli = all.get(1);
    Section section =
        Section.ofSeries("Point GET, " + CONNECTIONS + " connections", "rate / echo", "CPU / echo");
    for (Series series : all) {
      section.row(
          series,
          Figures.ratio(series.ratioTo(echo, Sample::requestsPerSecond)),
          Figures.ratio(series.ratioTo(echo, Sample::cpuMicros)));
    }
    section
        .aim(Aim.GET_CPU, lazuli.ratioTo(echo, Sample::cpuMicros))
        .aim(Aim.GET_RATE, lazuli.ratioTo(echo, Sample::requestsPerSecond));
    all.stream()
        .skip(2)
        .forEach(
            azurite ->
                section.aim(Aim.GET_AZURITE, lazuli.ratioTo(azurite, Sample::requestsPerSecond)));
    return section;
  }

  /** Returns a measurement of point GETs on the small table. */
  static Entrant.Measure gets(Stage stage, ServerProcess server, int connections)
      throws IOException {
    return gets(stage, server, stage.table(server, Scale.SMALL_ENTITIES), connections);
  }

  private static Entrant.Measure gets(
      Stage stage, ServerProcess server, String table, int connections) {
    return nanos -> stage.load(server, scripts(server, table, connections), nanos, 1);
  }

  /** Returns scripts of point GETs that are signed now. */
  static List<Cycle> scripts(ServerProcess server, String table, int connections) {
    TableRequests requests = TableRequests.signedNow(server.endpoint());
    Keys keys = new Keys(Scale.SMALL_ENTITIES);
    return Cycle.of(
        connections,
        Keys.REQUESTS,
        () -> keys.pick((partition, row) -> requests.get(table, partition, row)));
  }
}
