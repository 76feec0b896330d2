package io.lazuli.benchmarks.scenario;

import io.lazuli.benchmarks.report.Figures;
import io.lazuli.benchmarks.report.Sample;
import io.lazuli.benchmarks.report.Section;
import io.lazuli.benchmarks.report.Series;
import io.lazuli.benchmarks.server.ServerProcess;
import io.lazuli.benchmarks.server.Servers.Service;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Puts messages, and gets and deletes messages, each synced to disk before the response. */
final class QueueScenario implements Scenario {
  private static final int BACKLOG = 20_000;

  /**
   * The backlog for Azurite is small, because Azurite searches the whole queue for each message.
   */
  private static final int AZURITE_BACKLOG = 1_000;

  /** With more connections, Azurite needs half a minute for a get and a delete. */
  private static final int AZURITE_CONNECTIONS_MAX = 32;

  @Override
  public String name() {
    return "queue";
  }

  @Override
  public Section run(Stage stage) throws IOException {
    Section section = Section.ofSeries("Queue", "rate / azurite");
    try (ServerProcess lazuli = stage.servers().startLazuli(Service.QUEUE, stage.newFolder())) {
      Optional<ServerProcess> azurite =
          stage.servers().startAzurite(Service.QUEUE, stage.newFolder());
      try {
        for (int connections : new int[] {1, 32, 256}) {
          rows(section, stage.inTurns(puts(lazuli, azurite, connections)));
          rows(section, stage.inTurns(pairs(lazuli, azurite, connections)));
        }
      } finally {
        azurite.ifPresent(ServerProcess::close);
      }
    }
    return section.remark(
        "A pair is a get and the delete that follows it, with a backlog of "
            + Figures.count(BACKLOG)
            + " messages ("
            + Figures.count(AZURITE_BACKLOG)
            + " on Azurite).");
  }

  private static List<Entrant> puts(
      ServerProcess lazuli, Optional<ServerProcess> azurite, int connections) throws IOException {
    List<Entrant> entrants = new ArrayList<>(List.of(put(lazuli, connections)));
    if (azurite.isPresent()) {
      entrants.add(put(azurite.get(), connections));
    }
    return entrants;
  }

  private static List<Entrant> pairs(
      ServerProcess lazuli, Optional<ServerProcess> azurite, int connections) throws IOException {
    List<Entrant> entrants = new ArrayList<>(List.of(pair(lazuli, connections, BACKLOG)));
    if (azurite.isPresent() && connections <= AZURITE_CONNECTIONS_MAX) {
      entrants.add(pair(azurite.get(), connections, AZURITE_BACKLOG));
    }
    return entrants;
  }

  private static Entrant put(ServerProcess server, int connections) throws IOException {
    MeasuredQueue queue = MeasuredQueue.create(server, "puts" + connections);
    return new Entrant(
        server.name() + " put c" + connections, nanos -> queue.put(connections, nanos));
  }

  private static Entrant pair(ServerProcess server, int connections, int backlog)
      throws IOException {
    MeasuredQueue queue = MeasuredQueue.create(server, "pairs" + connections);
    return new Entrant(
        server.name() + " pair c" + connections,
        nanos -> {
          queue.fillTo(backlog);
          return queue.getAndDelete(connections, nanos);
        });
  }

  /** Adds rows; the last series is Azurite, if it takes part. */
  private static void rows(Section section, List<Series> all) {
    Series baseline = all.get(all.size() - 1);
    for (Series series : all) {
      section.row(
          series,
          all.size() == 1
              ? "-"
              : Figures.ratio(series.ratioTo(baseline, Sample::requestsPerSecond)));
    }
  }
}
