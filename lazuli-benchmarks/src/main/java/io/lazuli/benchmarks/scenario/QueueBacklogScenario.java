package io.lazuli.benchmarks.scenario;

import io.lazuli.benchmarks.report.Aim;
import io.lazuli.benchmarks.report.Figures;
import io.lazuli.benchmarks.report.Sample;
import io.lazuli.benchmarks.report.Section;
import io.lazuli.benchmarks.report.Series;
import io.lazuli.benchmarks.server.ServerProcess;
import io.lazuli.benchmarks.server.Servers.Service;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;

/** The cost of a get and delete with backlogs of several sizes, and while a queue is emptied. */
final class QueueBacklogScenario implements Scenario {
  private static final int CONNECTIONS = 32;
  private static final int PAIRS = 500;
  private static final int AZURITE_PAIRS = 50;
  private static final int TENTHS = 10;

  @Override
  public String name() {
    return "queue-backlog";
  }

  @Override
  public Section run(Stage stage) throws IOException {
    Section section = Section.ofSeries("Get and delete by backlog", "CPU / 1,000", "rate / 1,000");
    try (ServerProcess lazuli = stage.servers().startLazuli(Service.QUEUE, stage.newFolder())) {
      long large = stage.scale().largeEntities();
      List<Series> all = stage.inTurns(entrants(lazuli, PAIRS, 1_000, 10_000, large));
      rows(section, all);
      section.aim(
          Aim.QUEUE_BACKLOG, all.get(all.size() - 1).ratioTo(all.get(0), Sample::cpuMicros));
      drain(section, lazuli, large);
    }
    Optional<ServerProcess> azurite =
        stage.servers().startAzurite(Service.QUEUE, stage.newFolder());
    if (azurite.isPresent()) {
      try (ServerProcess server = azurite.get()) {
        rows(section, stage.inTurns(entrants(server, AZURITE_PAIRS, 1_000, 10_000)));
      }
    }
    return section;
  }

  private static List<Entrant> entrants(ServerProcess server, int pairs, long... backlogs)
      throws IOException {
    List<Entrant> entrants = new ArrayList<>();
    for (long backlog : LongStream.of(backlogs).distinct().toArray()) {
      MeasuredQueue queue = MeasuredQueue.create(server, "backlog" + backlog);
      entrants.add(
          new Entrant(
              server.name() + " " + Figures.count(backlog),
              nanos -> {
                queue.fillTo(backlog);
                return queue.getAndDeleteAll(CONNECTIONS, pairs);
              }));
    }
    return entrants;
  }

  private static void rows(Section section, List<Series> all) {
    for (Series series : all) {
      section.row(
          series,
          Figures.ratio(series.ratioTo(all.get(0), Sample::cpuMicros)),
          Figures.ratio(series.ratioTo(all.get(0), Sample::requestsPerSecond)));
    }
  }

  /**
   * Measures how a queue is emptied to the last message. The cost per message must not grow, so
   * deleted messages must not be scanned again.
   */
  private static void drain(Section section, ServerProcess server, long messages)
      throws IOException {
    MeasuredQueue queue = MeasuredQueue.create(server, "drained");
    queue.fillTo(messages / TENTHS);
    queue.getAndDeleteAll(CONNECTIONS, messages / TENTHS);
    queue.fillTo(messages);
    List<Series> tenths = new ArrayList<>();
    for (int i = 1; i <= TENTHS; i++) {
      Sample sample = queue.getAndDeleteAll(CONNECTIONS, messages / TENTHS);
      tenths.add(new Series("drained, tenth " + i, List.of(sample)));
    }
    rows(section, tenths);
    double[] cost = tenths.stream().mapToDouble(tenth -> tenth.median(Sample::cpuMicros)).toArray();
    Arrays.sort(cost);
    section.aim(Aim.QUEUE_DRAIN, cost[TENTHS - 1] / cost[TENTHS / 2]);
  }
}
