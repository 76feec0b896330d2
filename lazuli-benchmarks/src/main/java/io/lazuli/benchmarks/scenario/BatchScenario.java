package io.lazuli.benchmarks.scenario;

import io.lazuli.benchmarks.protocol.Batches;
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

/** Compares transactions that insert a hundred entities with single inserts. */
final class BatchScenario implements Scenario {
  private static final String BATCHES = "batches";
  private static final String SINGLES = "singles";
  private static final int BATCH_CONNECTIONS = 8;
  private static final int SINGLE_CONNECTIONS = 64;

  @Override
  public String name() {
    return "batch";
  }

  @Override
  public Section run(Stage stage) throws IOException {
    List<Entrant> entrants = new ArrayList<>();
    stage.createTable(stage.lazuli(), SINGLES);
    entrants.add(
        new Entrant(
            "lazuli single c" + SINGLE_CONNECTIONS,
            InsertScenario.inserts(
                stage, stage.lazuli(), SINGLES, SINGLE_CONNECTIONS, new AtomicLong())));
    entrants.add(batches(stage, stage.lazuli(), 1));
    entrants.add(batches(stage, stage.lazuli(), BATCH_CONNECTIONS));
    if (stage.azurite().isPresent()) {
      entrants.add(batches(stage, stage.azurite().get(), BATCH_CONNECTIONS));
    }
    List<Series> all = stage.inTurns(entrants);
    Series single = all.get(0);
    Section section =
        Section.ofSeries("Transactions of 100 inserts", "entities / s", "entities / single");
    for (Series series : all) {
      section.row(
          series,
          Figures.number(series.median(Sample::entitiesPerSecond)),
          Figures.ratio(series.ratioTo(single, Sample::entitiesPerSecond)));
    }
    return section.aim(Aim.BATCH, all.get(2).ratioTo(single, Sample::entitiesPerSecond));
  }

  private static Entrant batches(Stage stage, ServerProcess server, int connections)
      throws IOException {
    String table = BATCHES + connections;
    stage.createTable(server, table);
    AtomicLong next = new AtomicLong();
    return new Entrant(
        server.name() + " batch c" + connections,
        nanos -> {
          TableRequests requests = TableRequests.signedNow(server.endpoint());
          return stage.load(
              server,
              Batches.endless(() -> requests.insertBatch(table), connections, next, Long.MAX_VALUE),
              nanos,
              TableRequests.BATCH_ENTITIES);
        });
  }
}
