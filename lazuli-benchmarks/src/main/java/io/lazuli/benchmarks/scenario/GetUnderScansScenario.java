package io.lazuli.benchmarks.scenario;

import io.lazuli.benchmarks.load.BackgroundLoad;
import io.lazuli.benchmarks.protocol.PagedScan;
import io.lazuli.benchmarks.protocol.TableRequests;
import io.lazuli.benchmarks.report.Figures;
import io.lazuli.benchmarks.report.Sample;
import io.lazuli.benchmarks.report.Section;
import io.lazuli.benchmarks.report.Series;
import io.lazuli.benchmarks.server.ServerProcess;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

/** Compares point GETs during 64 table scans with the same GETs alone. */
final class GetUnderScansScenario implements Scenario {
  private static final int CONNECTIONS = 8;
  private static final int SCANS = 64;

  @Override
  public String name() {
    return "get-under-scans";
  }

  @Override
  public Section run(Stage stage) throws IOException {
    Entrant.Measure gets = GetScenario.gets(stage, stage.lazuli(), CONNECTIONS);
    AtomicLong pages = new AtomicLong();
    AtomicLong refused = new AtomicLong();
    Entrant.Measure underScans = underScans(stage, gets, pages, refused);
    List<Series> all =
        stage.inTurns(
            List.of(
                new Entrant("alone", gets),
                new Entrant("while " + SCANS + " scans run", underScans)));
    Section section =
        Section.ofSeries(
            "Point GET during table scans, " + CONNECTIONS + " connections",
            "p99 / alone",
            "rate / alone");
    for (Series series : all) {
      section.row(
          series,
          Figures.ratio(series.ratioTo(all.get(0), Sample::p99Millis)),
          Figures.ratio(series.ratioTo(all.get(0), Sample::requestsPerSecond)));
    }
    return section
        .remark("The CPU of the second row includes the scans.")
        .remark(
            pages
                + " pages were scanned at the same time, "
                + refused
                + " requests were rejected as busy.");
  }

  private static Entrant.Measure underScans(
      Stage stage, Entrant.Measure gets, AtomicLong pages, AtomicLong refused) throws IOException {
    ServerProcess server = stage.lazuli();
    String table = stage.table(server, Scale.SMALL_ENTITIES);
    return nanos -> {
      TableRequests requests = TableRequests.signedNow(server.endpoint());
      List<PagedScan> scans =
          IntStream.range(0, SCANS)
              .mapToObj(
                  i -> new PagedScan(requests, table, TableRequests.numberFilter(i), () -> true))
              .toList();
      BackgroundLoad load = BackgroundLoad.start(server.address(), scans);
      Sample sample = gets.take(nanos);
      pages.addAndGet(load.stop().requireNoErrors().requests());
      scans.forEach(scan -> refused.addAndGet(scan.refused()));
      return sample;
    };
  }
}
