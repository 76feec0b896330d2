package io.lazuli.benchmarks.scenario;

import io.lazuli.benchmarks.report.Figures;
import io.lazuli.benchmarks.report.Sample;
import io.lazuli.benchmarks.report.Section;
import io.lazuli.benchmarks.report.Series;
import io.lazuli.benchmarks.report.Spread;
import io.lazuli.benchmarks.server.ServerProcess;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Compares the server's CPU per request with an earlier server: point GETs, durable inserts and
 * range queries. A second process of the earlier server takes part: the difference between two
 * processes of one program is the smallest difference that is significant. All processes are
 * started several times, because the JVM compiles each of them differently at run time.
 */
final class BeforeScenario implements Scenario {
  private static final int STARTS = 3;
  private static final int GET_CONNECTIONS = 32;
  private static final int INSERT_CONNECTIONS = 64;
  private static final String INSERT_TABLE = "inserts";

  private final AtomicLong insertedRows = new AtomicLong();

  @Override
  public String name() {
    return "before";
  }

  @Override
  public Section run(Stage stage) throws IOException {
    Section section =
        new Section(
            "CPU per request, against an earlier server",
            "request",
            "rounds",
            "before us",
            "now us",
            "now / before",
            "middle half",
            "before / before",
            "middle half");
    if (!stage.servers().hasBefore()) {
      return section.remark("Not measured; pass the jar of an earlier server with --before.");
    }
    row(section, "point GET", stage, (entrant, server) -> gets(entrant, stage, server));
    row(section, "insert", stage, (entrant, server) -> inserts(entrant, stage, server));
    row(section, "query of 100", stage, (entrant, server) -> queries(entrant, stage, server));
    return section.remark(
        "\"before / before\" compares two processes of the earlier server: differences of that size"
            + " are noise.");
  }

  /** Creates the measurement of one process. */
  @FunctionalInterface
  private interface Kind {
    Entrant of(String entrant, ServerProcess server) throws IOException;
  }

  private static void row(Section section, String name, Stage stage, Kind kind) throws IOException {
    List<Series> all = oneStart(stage, kind);
    for (int start = 1; start < STARTS; start++) {
      List<Series> more = oneStart(stage, kind);
      for (int i = 0; i < all.size(); i++) {
        all.set(i, all.get(i).and(more.get(i)));
      }
    }
    Series now = all.get(0);
    Series before = all.get(1);
    Spread change = now.ratiosTo(before, Sample::cpuMicros);
    Spread noise = all.get(2).ratiosTo(before, Sample::cpuMicros);
    section.row(
        name,
        Figures.count(now.rounds().size()),
        Figures.number(before.median(Sample::cpuMicros)),
        Figures.number(now.median(Sample::cpuMicros)),
        Figures.ratio(change.median()),
        change.middleHalf(),
        Figures.ratio(noise.median()),
        noise.middleHalf());
  }

  private static List<Series> oneStart(Stage stage, Kind kind) throws IOException {
    try (ServerProcess now = stage.servers().startLazuli(stage.newFolder());
        ServerProcess before = stage.servers().startBefore(stage.newFolder()).orElseThrow();
        ServerProcess again = stage.servers().startBefore(stage.newFolder()).orElseThrow()) {
      List<Entrant> entrants = new ArrayList<>();
      entrants.add(kind.of("now", now));
      entrants.add(kind.of("before", before));
      entrants.add(kind.of("before, again", again));
      return new ArrayList<>(stage.inShortTurns(entrants));
    }
  }

  private static Entrant gets(String entrant, Stage stage, ServerProcess server)
      throws IOException {
    stage.warmUp(server);
    return new Entrant(entrant, GetScenario.gets(stage, server, GET_CONNECTIONS));
  }

  private Entrant inserts(String entrant, Stage stage, ServerProcess server) throws IOException {
    stage.createTable(server, INSERT_TABLE);
    stage.warmUp(server);
    return new Entrant(
        entrant,
        InsertScenario.inserts(stage, server, INSERT_TABLE, INSERT_CONNECTIONS, insertedRows));
  }

  private static Entrant queries(String entrant, Stage stage, ServerProcess server)
      throws IOException {
    stage.warmUp(server);
    return new Entrant(
        entrant, QueryScenario.ranges(stage, server, Scale.SMALL_ENTITIES).measure());
  }
}
