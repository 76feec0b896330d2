package io.lazuli.benchmarks.scenario;

import io.lazuli.benchmarks.load.Exchange;
import io.lazuli.benchmarks.protocol.Cycle;
import io.lazuli.benchmarks.protocol.TableRequests;
import io.lazuli.benchmarks.report.Aim;
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
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Point GETs without Storage Analytics, with the request log, with metrics and, if an earlier
 * server is named, on that server. The server is started several times, because two processes of
 * one server differ by more than the target: the JVM compiles each of them differently at run time.
 */
final class LogsScenario implements Scenario {
  private static final int CONNECTIONS = 32;
  private static final int STARTS = 3;

  @Override
  public String name() {
    return "logs";
  }

  @Override
  public Section run(Stage stage) throws IOException {
    List<Series> all = oneStart(stage);
    for (int start = 1; start < STARTS; start++) {
      List<Series> sum = all;
      List<Series> more = oneStart(stage);
      all =
          IntStream.range(0, sum.size())
              .mapToObj(i -> sum.get(i).and(more.get(i)))
              .collect(Collectors.toList());
    }
    return section(all);
  }

  private static List<Series> oneStart(Stage stage) throws IOException {
    try (ServerProcess server = stage.servers().startLazuli(stage.newFolder())) {
      List<Entrant> entrants = new ArrayList<>();
      entrants.add(new Entrant("logging off", gets(stage, server, false, false)));
      entrants.add(new Entrant("logging on", gets(stage, server, true, false)));
      entrants.add(new Entrant("metrics on", gets(stage, server, false, true)));
      Optional<ServerProcess> before =
          stage.servers().startBefore(Service.TABLE, stage.newFolder());
      if (before.isEmpty()) {
        return stage.inShortTurns(entrants);
      }
      try (ServerProcess earlier = before.get()) {
        entrants.add(new Entrant("before", gets(stage, earlier)));
        return stage.inShortTurns(entrants);
      }
    }
  }

  private static Section section(List<Series> all) {
    Series off = all.get(0);
    Section section =
        Section.ofSeries(
            "Point GET and Storage Analytics, " + CONNECTIONS + " connections",
            "rate / off",
            "CPU / off");
    for (Series series : all) {
      section.row(
          series,
          Figures.ratio(series.ratioTo(off, Sample::requestsPerSecond)),
          Figures.ratio(series.ratioTo(off, Sample::cpuMicros)));
    }
    all.stream()
        .skip(3)
        .forEach(before -> section.aim(Aim.LOGS_OFF_CPU, off.ratioTo(before, Sample::cpuMicros)));
    return section
        .remark("The server's CPU includes creating, storing and syncing the log lines.")
        .aim(Aim.LOGS_CPU, all.get(1).ratioTo(off, Sample::cpuMicros));
  }

  private static Entrant.Measure gets(
      Stage stage, ServerProcess server, boolean logged, boolean counted) throws IOException {
    set(server, logged, counted);
    Entrant.Measure gets = gets(stage, server);
    return nanos -> {
      set(server, logged, counted);
      return gets.take(nanos);
    };
  }

  private static void set(ServerProcess server, boolean logged, boolean counted)
      throws IOException {
    TableRequests requests = TableRequests.signedNow(server.endpoint());
    Exchange.require(server.address(), requests.setAnalytics(logged, counted));
  }

  /**
   * Returns a measurement of point GETs. The requests are signed only once: rounds are short, and a
   * signature is valid for longer than all of them together.
   */
  private static Entrant.Measure gets(Stage stage, ServerProcess server) throws IOException {
    String table = stage.table(server, Scale.SMALL_ENTITIES);
    List<Cycle> scripts = GetScenario.scripts(server, table, CONNECTIONS);
    stage.warmUp(server, scripts);
    return nanos -> stage.load(server, scripts, nanos, 1);
  }
}
