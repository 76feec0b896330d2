package io.lazuli.benchmarks.scenario;

import io.lazuli.benchmarks.protocol.BlobUploads;
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
import java.util.function.ToDoubleFunction;

/**
 * Puts blobs of several sizes, each synced to disk before the response, and gets them. The baseline
 * is a plain file that one thread writes, syncs and reads.
 */
final class BlobScenario implements Scenario {
  private static final int KIB = 1 << 10;
  private static final int MIB = 1 << 20;
  private static final int LARGE_CONNECTIONS = 4;

  @Override
  public String name() {
    return "blob";
  }

  @Override
  public Section run(Stage stage) throws IOException {
    Section section =
        new Section(
            "Blobs, and a plain file",
            "what",
            "MiB / s",
            "CPU ms / MiB",
            "p50 ms",
            "p99 ms",
            "rate / file",
            "CPU / file",
            "rate / azurite",
            "CPU / azurite");
    try (ServerProcess lazuli = stage.servers().startLazuli(Service.BLOB, stage.newFolder())) {
      Optional<ServerProcess> azurite =
          stage.servers().startAzurite(Service.BLOB, stage.newFolder());
      try {
        List<ServerProcess> servers = new ArrayList<>(List.of(lazuli));
        azurite.ifPresent(servers::add);
        new Comparison(stage, section, servers).run();
      } finally {
        azurite.ifPresent(ServerProcess::close);
      }
    }
    return section
        .remark(
            "Large blobs are put in blocks of 8 MiB, and read whole at c1, in ranges of 4 MiB at c"
                + LARGE_CONNECTIONS
                + "; latencies are those of the requests.")
        .remark("The CPU of a file is the CPU of the thread that writes or reads it.");
  }

  /**
   * Measures all sizes, one after another; the puts come first, because the gets read the blobs
   * that the puts stored.
   */
  private static final class Comparison {
    private final Stage stage;
    private final Section section;
    private final List<ServerProcess> servers;

    Comparison(Stage stage, Section section, List<ServerProcess> servers) {
      this.stage = stage;
      this.section = section;
      this.servers = servers;
    }

    void run() throws IOException {
      small("4 KiB", 4 * KIB, 200, 1);
      small("4 KiB", 4 * KIB, 200, 32);
      small("1 MiB", MIB, 32, 4);
      large(stage.scale().largeBlobMebibytes());
    }

    private void small(String size, int bytes, int blobs, int connections) throws IOException {
      String what = size + " c" + connections;
      PlainFile file = PlainFile.create(stage.newFolder(), blobs, bytes, 1);
      String container = "small" + bytes + "c" + connections;
      List<MeasuredContainer> containers = containers(container);
      for (MeasuredContainer one : containers) {
        one.fill(blobs, bytes);
      }
      compare(
          "put " + what,
          file::write,
          containers,
          (blob, nanos) -> blob.put(connections, blobs, bytes, nanos));
      compare(
          "get " + what,
          file::read,
          containers,
          (blob, nanos) -> blob.get(connections, blobs, bytes, nanos));
    }

    private void large(int mebibytes) throws IOException {
      int blocks = mebibytes * MIB / BlobUploads.BLOCK_BYTES;
      PlainFile file = PlainFile.create(stage.newFolder(), 1, BlobUploads.BLOCK_BYTES, blocks);
      List<MeasuredContainer> containers = containers("large");
      String size = mebibytes + " MiB c";
      List<Series> put =
          compare(
              "put " + size + LARGE_CONNECTIONS,
              file::write,
              containers,
              (blob, nanos) -> blob.upload(LARGE_CONNECTIONS, blocks));
      List<Series> get =
          compare(
              "get " + size + "1", file::read, containers, (blob, nanos) -> blob.download(nanos));
      compare(
          "get " + size + LARGE_CONNECTIONS,
          file::read,
          containers,
          (blob, nanos) -> blob.downloadRanges(LARGE_CONNECTIONS, nanos));
      section.aim(Aim.BLOB_PUT_CPU, put.get(1).ratioTo(put.get(0), BlobScenario::cpuPerMebibyte));
      section.aim(Aim.BLOB_GET_CPU, get.get(1).ratioTo(get.get(0), BlobScenario::cpuPerMebibyte));
      if (put.size() > 2) {
        section.aim(
            Aim.BLOB_PUT_AZURITE, put.get(1).ratioTo(put.get(2), Sample::entitiesPerSecond));
      }
    }

    private List<MeasuredContainer> containers(String name) throws IOException {
      List<MeasuredContainer> containers = new ArrayList<>();
      for (ServerProcess server : servers) {
        containers.add(MeasuredContainer.create(server, name));
      }
      return containers;
    }

    private List<Series> compare(
        String what, Entrant.Measure file, List<MeasuredContainer> containers, Work work)
        throws IOException {
      List<Entrant> entrants = new ArrayList<>(List.of(new Entrant("file " + what, file)));
      for (MeasuredContainer container : containers) {
        entrants.add(
            new Entrant(container.server() + " " + what, nanos -> work.take(container, nanos)));
      }
      List<Series> all = stage.inTurns(entrants);
      rows(section, all);
      return all;
    }
  }

  /** The operation on a container. */
  private interface Work {
    Sample take(MeasuredContainer container, long nanos) throws IOException;
  }

  /** Adds rows. The first series is the file; the third, if there is one, is Azurite. */
  private static void rows(Section section, List<Series> all) {
    Optional<Series> azurite = all.stream().skip(2).findFirst();
    for (Series series : all) {
      section.row(
          series.name(),
          Figures.number(series.median(Sample::entitiesPerSecond) / KIB),
          Figures.number(series.median(BlobScenario::cpuPerMebibyte)),
          Figures.number(series.median(Sample::p50Millis)),
          Figures.number(series.median(Sample::p99Millis)),
          ratio(series, Optional.of(all.get(0)), Sample::entitiesPerSecond),
          ratio(series, Optional.of(all.get(0)), BlobScenario::cpuPerMebibyte),
          ratio(series, azurite, Sample::entitiesPerSecond),
          ratio(series, azurite, BlobScenario::cpuPerMebibyte));
    }
  }

  private static String ratio(
      Series series, Optional<Series> baseline, ToDoubleFunction<Sample> figure) {
    return baseline.map(other -> Figures.ratio(series.ratioTo(other, figure))).orElse("-");
  }

  /** Returns milliseconds per MiB; the entities of a sample are KiB. */
  private static double cpuPerMebibyte(Sample sample) {
    return KIB * 1e3 / sample.entitiesPerCpuSecond();
  }
}
