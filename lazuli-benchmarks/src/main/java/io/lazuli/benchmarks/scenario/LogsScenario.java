package io.lazuli.benchmarks.scenario;

import io.lazuli.benchmarks.load.Exchange;
import io.lazuli.benchmarks.protocol.TableRequests;
import io.lazuli.benchmarks.report.Aim;
import io.lazuli.benchmarks.report.Figures;
import io.lazuli.benchmarks.report.Sample;
import io.lazuli.benchmarks.report.Section;
import io.lazuli.benchmarks.report.Series;
import io.lazuli.benchmarks.server.ServerProcess;
import java.io.IOException;
import java.util.List;

/** Point GETs while the request log is off, and while every one of them is a line in it. */
final class LogsScenario implements Scenario {
  private static final int CONNECTIONS = 32;

  @Override
  public String name() {
    return "logs";
  }

  @Override
  public Section run(Stage stage) throws IOException {
    try (ServerProcess server = stage.servers().startLazuli(stage.newFolder())) {
      stage.warmUp(server);
      List<Series> all =
          stage.inTurns(
              List.of(
                  new Entrant("logging off", gets(stage, server, false)),
                  new Entrant("logging on", gets(stage, server, true))));
      return section(all);
    }
  }

  private static Section section(List<Series> all) {
    Series off = all.get(0);
    Section section =
        Section.ofSeries(
            "Point GET and the request log, " + CONNECTIONS + " connections",
            "rate / off",
            "CPU / off");
    for (Series series : all) {
      section.row(
          series,
          Figures.ratio(series.ratioTo(off, Sample::requestsPerSecond)),
          Figures.ratio(series.ratioTo(off, Sample::cpuMicros)));
    }
    return section
        .remark("The server's CPU includes that of making, storing and syncing the lines.")
        .aim(Aim.LOGS_CPU, all.get(1).ratioTo(off, Sample::cpuMicros));
  }

  private static Entrant.Measure gets(Stage stage, ServerProcess server, boolean logged)
      throws IOException {
    Entrant.Measure gets = GetScenario.gets(stage, server, CONNECTIONS);
    return nanos -> {
      TableRequests requests = TableRequests.signedNow(server.endpoint());
      Exchange.require(server.address(), requests.setLogging(logged));
      return gets.take(nanos);
    };
  }
}
