package io.lazuli.benchmarks.scenario;

import io.lazuli.benchmarks.protocol.Cycle;
import io.lazuli.benchmarks.protocol.Partitions;
import io.lazuli.benchmarks.protocol.TableRequests;
import io.lazuli.benchmarks.report.Figures;
import io.lazuli.benchmarks.report.Sample;
import io.lazuli.benchmarks.report.Section;
import io.lazuli.benchmarks.report.Series;
import io.lazuli.benchmarks.server.ServerProcess;
import java.io.IOException;
import java.util.List;
import java.util.SplittableRandom;

/** Point GETs where every entity has the same RowKey and its own partition. */
final class ConstantRowKeyScenario implements Scenario {
  private static final int CONNECTIONS = 32;
  private static final int FILLING_CONNECTIONS = 256;
  private static final long FEW = 1_000;
  private static final long MANY = 100_000;
  private static final long SEED = 1;

  @Override
  public String name() {
    return "constant";
  }

  @Override
  public Section run(Stage stage) throws IOException {
    long many = Math.min(MANY, stage.scale().largeEntities());
    List<Series> all =
        stage.inTurns(List.of(gets(stage, stage.lazuli(), FEW), gets(stage, stage.lazuli(), many)));
    Section section =
        Section.ofSeries(
            "Point GET with a constant RowKey, " + CONNECTIONS + " connections",
            "rate / few",
            "CPU / few");
    for (Series series : all) {
      section.row(
          series,
          Figures.ratio(series.ratioTo(all.get(0), Sample::requestsPerSecond)),
          Figures.ratio(series.ratioTo(all.get(0), Sample::cpuMicros)));
    }
    return section;
  }

  private static Entrant gets(Stage stage, ServerProcess server, long partitions)
      throws IOException {
    String table = "constant" + partitions;
    stage.createTable(server, table);
    TableRequests filling = TableRequests.signedNow(server.endpoint());
    stage.finish(server, Partitions.of(FILLING_CONNECTIONS, filling, table, partitions));
    return new Entrant(
        server.name() + ", " + Figures.count(partitions) + " partitions",
        nanos -> {
          TableRequests requests = TableRequests.signedNow(server.endpoint());
          SplittableRandom random = new SplittableRandom(SEED);
          List<Cycle> scripts =
              Cycle.of(
                  CONNECTIONS,
                  Keys.REQUESTS,
                  () -> requests.get(table, random.nextLong(partitions), 0));
          return stage.load(server, scripts, nanos, 1);
        });
  }
}
