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
import java.util.List;
import java.util.Optional;

/** Lists the few blobs of a container that have a prefix, and all its blobs. */
final class BlobListScenario implements Scenario {
  /** The number of blobs with the same prefix. */
  static final int FOUND = 100;

  private static final long FEW = 1_000;
  private static final int CONNECTIONS = 4;

  @Override
  public String name() {
    return "blob-list";
  }

  @Override
  public Section run(Stage stage) throws IOException {
    Section section =
        Section.ofSeries("Listings of blobs", "blobs / s", "CPU us / blob", "CPU / first");
    long many = stage.scale().largeEntities();
    long azuriteMany = stage.scale().azuriteEntities();
    try (ServerProcess lazuli = stage.servers().startLazuli(Service.BLOB, stage.newFolder())) {
      Optional<ServerProcess> azurite =
          stage.servers().startAzurite(Service.BLOB, stage.newFolder());
      try {
        List<Listed> few = new ArrayList<>(List.of(Listed.fill(lazuli, FEW)));
        List<Listed> large = new ArrayList<>(List.of(Listed.fill(lazuli, many)));
        if (azurite.isPresent()) {
          few.add(Listed.fill(azurite.get(), FEW));
          large.add(Listed.fill(azurite.get(), azuriteMany));
        }
        byPrefix(stage, section, few, large);
        whole(stage, section, large);
      } finally {
        azurite.ifPresent(ServerProcess::close);
      }
    }
    return section.remark(
        "Azurite has "
            + Figures.count(azuriteMany)
            + " blobs where Lazuli has "
            + Figures.count(many)
            + ", because it fills slowly.");
  }

  private static void byPrefix(Stage stage, Section section, List<Listed> few, List<Listed> large)
      throws IOException {
    List<Entrant> entrants = new ArrayList<>();
    for (int i = 0; i < few.size(); i++) {
      entrants.add(few.get(i).byPrefix());
      entrants.add(large.get(i).byPrefix());
    }
    List<Series> all = stage.inTurns(entrants);
    rows(section, all);
    section.aim(Aim.BLOB_LIST, all.get(1).ratioTo(all.get(0), Sample::cpuMicros));
  }

  private static void whole(Stage stage, Section section, List<Listed> listed) throws IOException {
    List<Entrant> entrants = new ArrayList<>();
    for (Listed one : listed) {
      entrants.add(one.whole());
    }
    rows(section, stage.inTurns(entrants));
  }

  private static void rows(Section section, List<Series> all) {
    for (Series series : all) {
      section.row(
          series,
          Figures.number(series.median(Sample::entitiesPerSecond)),
          Figures.number(series.median(BlobListScenario::cpuPerBlob)),
          Figures.ratio(series.ratioTo(all.get(0), BlobListScenario::cpuPerBlob)));
    }
  }

  private static double cpuPerBlob(Sample sample) {
    return 1e6 / sample.entitiesPerCpuSecond();
  }

  /** A container with a number of blobs. */
  private record Listed(MeasuredContainer container, long blobs) {
    static Listed fill(ServerProcess server, long blobs) throws IOException {
      MeasuredContainer container = MeasuredContainer.create(server, "listed" + blobs);
      container.fillFolders(blobs);
      return new Listed(container, blobs);
    }

    Entrant byPrefix() {
      return new Entrant(
          container.server() + " " + FOUND + " in " + Figures.count(blobs),
          nanos -> container.listByPrefix(CONNECTIONS, blobs / FOUND, nanos));
    }

    Entrant whole() throws IOException {
      List<String> markers = container.markers(blobs);
      return new Entrant(
          container.server() + " all of " + Figures.count(blobs),
          nanos -> container.listAll(markers, blobs, nanos));
    }
  }
}
