package io.lazuli.benchmarks.scenario;

import io.lazuli.benchmarks.load.Exchange;
import io.lazuli.benchmarks.protocol.TableRequests;
import io.lazuli.benchmarks.report.Aim;
import io.lazuli.benchmarks.report.Figures;
import io.lazuli.benchmarks.report.Section;
import io.lazuli.benchmarks.server.ServerProcess;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/** The time from the start of the process, on an empty folder, to the first response. */
final class StartScenario implements Scenario {
  private static final int STARTS = 3;

  @Override
  public String name() {
    return "start";
  }

  private interface Start {
    ServerProcess start() throws IOException;
  }

  @Override
  public Section run(Stage stage) throws IOException {
    Section section = new Section("Start", "what", "seconds", "MiB resident");
    double lazuli =
        measure(section, "lazuli", () -> stage.servers().startLazuli(stage.newFolder()));
    measure(section, "echo", () -> stage.servers().startEcho());
    if (stage.azurite().isPresent()) {
      measure(
          section, "azurite", () -> stage.servers().startAzurite(stage.newFolder()).orElseThrow());
    }
    return section.remark("Median of " + STARTS + " starts.").aim(Aim.START, lazuli);
  }

  private static double measure(Section section, String name, Start start) throws IOException {
    List<Double> seconds = new ArrayList<>();
    List<Double> mebibytes = new ArrayList<>();
    for (int i = 0; i < STARTS; i++) {
      try (ServerProcess server = start.start()) {
        TableRequests requests = TableRequests.signedNow(server.endpoint());
        Exchange.require(server.address(), requests.createTable("first"));
        seconds.add(server.age().toMillis() / 1e3);
        OptionalLong resident = server.residentBytes();
        mebibytes.add(resident.isPresent() ? resident.getAsLong() / 1048576.0 : Double.NaN);
      }
    }
    section.row(name, Figures.number(median(seconds)), Figures.number(median(mebibytes)));
    return median(seconds);
  }

  private static double median(List<Double> values) {
    return values.stream().sorted().toList().get(values.size() / 2);
  }
}
