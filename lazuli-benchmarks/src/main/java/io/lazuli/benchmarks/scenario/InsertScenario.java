package io.lazuli.benchmarks.scenario;

import io.lazuli.benchmarks.protocol.Inserts;
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
import java.util.concurrent.atomic.AtomicLong;

/**
 * Compares inserts, each synced to disk before the response, with an echo server that reads the
 * body and responds with 204.
 */
final class InsertScenario implements Scenario {
  @Override
  public String name() {
    return "insert";
  }

  @Override
  public Section run(Stage stage) throws IOException {
    Section section = Section.ofSeries("Insert", "rate / echo", "CPU / echo");
    Entrants entrants = new Entrants(stage);
    rows(section, stage.inTurns(entrants.with(1)));
    rows(section, stage.inTurns(entrants.with(32)));
    List<Series> at64 = stage.inTurns(entrants.withAzurite(64));
    rows(section, at64);
    section.aim(Aim.INSERT_64, share(at64, 1));
    try (ServerProcess relaxed =
        stage.servers().startLazuli(stage.newFolder(), "--durability=relaxed")) {
      List<Series> at256 = stage.inTurns(entrants.withRelaxed(256, relaxed));
      rows(section, at256);
      section.aim(Aim.INSERT_256, share(at256, 1)).aim(Aim.INSERT_RELAXED, share(at256, 2));
    }
    return section;
  }

  /** Adds rows. The first series is the echo server. */
  private static void rows(Section section, List<Series> all) {
    for (Series series : all) {
      section.row(
          series,
          Figures.ratio(series.ratioTo(all.get(0), Sample::requestsPerSecond)),
          Figures.ratio(series.ratioTo(all.get(0), Sample::cpuMicros)));
    }
  }

  private static double share(List<Series> all, int index) {
    return all.get(index).ratioTo(all.get(0), Sample::requestsPerSecond);
  }

  static Entrant.Measure inserts(
      Stage stage, ServerProcess server, String table, int connections, AtomicLong rows) {
    return nanos ->
        stage.load(
            server,
            Inserts.of(connections, TableRequests.signedNow(server.endpoint()), table, rows),
            nanos,
            1);
  }

  /**
   * Creates the entrants for a number of connections. All of them share one counter of rows, so
   * that no row key is used twice.
   */
  private static final class Entrants {
    private static final String TABLE = "inserts";

    private final Stage stage;
    private final AtomicLong rows = new AtomicLong();

    Entrants(Stage stage) throws IOException {
      this.stage = stage;
      stage.createTable(stage.lazuli(), TABLE);
    }

    List<Entrant> with(int connections) {
      return new ArrayList<>(
          List.of(
              entrant("echo POST", stage.echo(), connections),
              entrant("lazuli", stage.lazuli(), connections)));
    }

    List<Entrant> withAzurite(int connections) throws IOException {
      List<Entrant> entrants = with(connections);
      if (stage.azurite().isPresent()) {
        stage.createTable(stage.azurite().get(), TABLE);
        entrants.add(entrant("azurite", stage.azurite().get(), connections));
      }
      return entrants;
    }

    List<Entrant> withRelaxed(int connections, ServerProcess relaxed) throws IOException {
      stage.createTable(relaxed, TABLE);
      stage.warmUp(relaxed);
      List<Entrant> entrants = with(connections);
      entrants.add(entrant("lazuli relaxed", relaxed, connections));
      return entrants;
    }

    private Entrant entrant(String name, ServerProcess server, int connections) {
      return new Entrant(
          name + " c" + connections, inserts(stage, server, TABLE, connections, rows));
    }
  }
}
