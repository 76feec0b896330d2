package io.lazuli.benchmarks.scenario;

import io.lazuli.benchmarks.load.BackgroundLoad;
import io.lazuli.benchmarks.load.Exchange;
import io.lazuli.benchmarks.protocol.BlobRequests;
import io.lazuli.benchmarks.protocol.BlobUploads;
import io.lazuli.benchmarks.report.Aim;
import io.lazuli.benchmarks.report.Figures;
import io.lazuli.benchmarks.report.Sample;
import io.lazuli.benchmarks.report.Section;
import io.lazuli.benchmarks.report.Series;
import io.lazuli.benchmarks.server.Servers.TablesAndBlobs;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/** Compares durable inserts during uploads of large blobs to the same server with inserts alone. */
final class InsertUnderUploadsScenario implements Scenario {
  private static final int INSERT_CONNECTIONS = 8;
  private static final int UPLOAD_CONNECTIONS = 4;
  private static final String TABLE = "inserts";
  private static final String CONTAINER = "uploads";

  @Override
  public String name() {
    return "insert-under-uploads";
  }

  @Override
  public Section run(Stage stage) throws IOException {
    int mebibytes = stage.scale().largeBlobMebibytes();
    Section section =
        Section.ofSeries(
            "Insert during uploads of "
                + mebibytes
                + " MiB, "
                + INSERT_CONNECTIONS
                + " connections",
            "p50 / alone",
            "p99 / alone",
            "rate / alone");
    try (TablesAndBlobs server = stage.servers().startTablesAndBlobs(stage.newFolder())) {
      stage.createTable(server.tables(), TABLE);
      stage.warmUp(server.tables());
      Exchange.require(
          server.blobAddress(), BlobRequests.signedNow(server.blobs()).createContainer(CONTAINER));
      return measure(stage, server, mebibytes, section);
    }
  }

  private static Section measure(Stage stage, TablesAndBlobs server, int mebibytes, Section section)
      throws IOException {
    Entrant.Measure inserts =
        InsertScenario.inserts(stage, server.tables(), TABLE, INSERT_CONNECTIONS, new AtomicLong());
    AtomicLong blocks = new AtomicLong();
    List<Series> all =
        stage.inTurns(
            List.of(
                new Entrant("alone", inserts),
                new Entrant(
                    "during uploads",
                    nanos -> underUploads(server, mebibytes, blocks, inserts, nanos))));
    Series alone = all.get(0);
    for (Series series : all) {
      section.row(
          series,
          Figures.ratio(series.ratioTo(alone, Sample::p50Millis)),
          Figures.ratio(series.ratioTo(alone, Sample::p99Millis)),
          Figures.ratio(series.ratioTo(alone, Sample::requestsPerSecond)));
    }
    return section
        .aim(Aim.INSERT_UNDER_UPLOADS, all.get(1).ratioTo(alone, Sample::p99Millis))
        .remark("The CPU of the second row includes the uploads.")
        .remark(blocks + " blocks of 8 MiB and their lists were uploaded at the same time.");
  }

  /** Measures inserts while blobs are uploaded one after another, several blocks in parallel. */
  private static Sample underUploads(
      TablesAndBlobs server, int mebibytes, AtomicLong blocks, Entrant.Measure inserts, long nanos)
      throws IOException {
    BackgroundLoad load =
        BackgroundLoad.start(
            server.blobAddress(),
            BlobUploads.of(
                UPLOAD_CONNECTIONS,
                BlobRequests.signedNow(server.blobs()),
                CONTAINER,
                "large",
                (mebibytes << 20) / BlobUploads.BLOCK_BYTES,
                Long.MAX_VALUE));
    Sample sample = inserts.take(nanos);
    blocks.addAndGet(load.stop().requireNoErrors().requests());
    return sample;
  }
}
