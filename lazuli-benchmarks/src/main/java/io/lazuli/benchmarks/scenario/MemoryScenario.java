package io.lazuli.benchmarks.scenario;

import io.lazuli.benchmarks.report.Aim;
import io.lazuli.benchmarks.report.Figures;
import io.lazuli.benchmarks.report.Section;
import io.lazuli.benchmarks.server.ServerProcess;
import java.io.IOException;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

/** Resident memory while point GETs are served, after all other scenarios. */
final class MemoryScenario implements Scenario {
  private static final int CONNECTIONS = 32;

  @Override
  public String name() {
    return "memory";
  }

  @Override
  public Section run(Stage stage) throws IOException {
    Section section = new Section("Memory", "what", "MiB while serving", "MiB at most");
    ServerProcess lazuli = stage.lazuli();
    stage.table(lazuli, stage.scale().largeEntities());
    GetScenario.gets(stage, lazuli, CONNECTIONS)
        .take(TimeUnit.MILLISECONDS.toNanos(stage.scale().roundMillis()));
    OptionalLong resident = lazuli.residentBytes();
    row(section, lazuli);
    row(section, stage.echo());
    if (stage.azurite().isPresent()) {
      row(section, stage.azurite().get());
    }
    if (resident.isPresent()) {
      section.aim(Aim.MEMORY, mebibytes(resident));
    }
    if (!stage.scale().full()) {
      section.remark("The aim applies to a million entities: --full.");
    }
    return section.remark(
        "Lazuli has a table of "
            + Figures.count(stage.scale().largeEntities())
            + " entities and the data that the other scenarios left.");
  }

  private static void row(Section section, ServerProcess server) throws IOException {
    section.row(
        server.name(),
        Figures.number(mebibytes(server.residentBytes())),
        Figures.number(mebibytes(server.residentBytesPeak())));
  }

  private static double mebibytes(OptionalLong bytes) {
    return bytes.isPresent() ? bytes.getAsLong() / 1048576.0 : Double.NaN;
  }
}
