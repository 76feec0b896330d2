package io.lazuli.benchmarks.scenario;

import io.lazuli.benchmarks.load.Exchange;
import io.lazuli.benchmarks.load.Load;
import io.lazuli.benchmarks.protocol.BlobRequests;
import io.lazuli.benchmarks.protocol.BlobUploads;
import io.lazuli.benchmarks.report.Aim;
import io.lazuli.benchmarks.report.Figures;
import io.lazuli.benchmarks.report.Sample;
import io.lazuli.benchmarks.report.Section;
import io.lazuli.benchmarks.report.Series;
import io.lazuli.benchmarks.server.AdminCommands;
import io.lazuli.benchmarks.server.Servers.TablesAndBlobs;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * Compares durable inserts during a backup at its default rate with inserts alone. Every measured
 * backup is a first one: it copies everything.
 */
final class InsertUnderBackupScenario implements Scenario {
  private static final int CONNECTIONS = 8;
  private static final int UPLOAD_CONNECTIONS = 4;
  private static final int RATE_MIB = 32;
  private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
  private static final String TABLE = "inserts";
  private static final String CONTAINER = "content";

  @Override
  public String name() {
    return "insert-under-backup";
  }

  @Override
  public Section run(Stage stage) throws IOException {
    Path data = stage.newFolder();
    try (TablesAndBlobs server = stage.servers().startTablesAndBlobs(data)) {
      stage.createTable(server.tables(), TABLE);
      stage.warmUp(server.tables());
      stage.table(server.tables(), stage.scale().largeEntities());
      upload(server, stage.scale().largeBlobMebibytes());
      return measure(stage, server, AdminCommands.of(data));
    }
  }

  private static void upload(TablesAndBlobs server, int mebibytes) throws IOException {
    BlobRequests requests = BlobRequests.signedNow(server.blobs());
    Exchange.require(server.blobAddress(), requests.createContainer(CONTAINER));
    int blocks = (mebibytes << 20) / BlobUploads.BLOCK_BYTES;
    Load.run(
            server.blobAddress(),
            BlobUploads.of(UPLOAD_CONNECTIONS, requests, CONTAINER, "large", blocks, 1),
            server.tables()::cpuNanos,
            () -> true)
        .requireNoErrors();
  }

  private static Section measure(Stage stage, TablesAndBlobs server, AdminCommands admin)
      throws IOException {
    Entrant.Measure inserts =
        InsertScenario.inserts(stage, server.tables(), TABLE, CONNECTIONS, new AtomicLong());
    AtomicInteger ended = new AtomicInteger();
    List<Series> all =
        stage.inTurns(
            List.of(
                new Entrant("alone", inserts),
                new Entrant(
                    "during a backup",
                    nanos -> underBackup(stage.newFolder(), admin, ended, inserts, nanos))));
    Series alone = all.get(0);
    Section section =
        Section.ofSeries(
            "Insert during a backup of " + RATE_MIB + " MiB/s, " + CONNECTIONS + " connections",
            "p50 / alone",
            "p99 / alone",
            "rate / alone");
    for (Series series : all) {
      section.row(
          series,
          Figures.ratio(series.ratioTo(alone, Sample::p50Millis)),
          Figures.ratio(series.ratioTo(alone, Sample::p99Millis)),
          Figures.ratio(series.ratioTo(alone, Sample::requestsPerSecond)));
    }
    return section
        .aim(Aim.INSERT_UNDER_BACKUP, all.get(1).ratioTo(alone, Sample::p99Millis))
        .remark("The CPU of the second row includes the backup.")
        .remark(ended + " backups ended before their round did; 0 makes the figures valid.");
  }

  /** Measures inserts from the start of a backup into a new folder, which is then cancelled. */
  private static Sample underBackup(
      Path target, AdminCommands admin, AtomicInteger ended, Entrant.Measure inserts, long nanos)
      throws IOException {
    String arguments =
        "{\"target\":\"%s\",\"accounts\":\"false\",\"rateMib\":\"%d\"}"
            .formatted(target.toAbsolutePath(), RATE_MIB);
    admin.call("backup", arguments);
    Sample sample = inserts.take(nanos);
    if (isRunning(admin)) {
      admin.call("backup-cancel", "{}");
    } else {
      ended.incrementAndGet();
    }
    while (isRunning(admin)) {
      LockSupport.parkNanos(POLL_NANOS);
    }
    return sample;
  }

  private static boolean isRunning(AdminCommands admin) throws IOException {
    return admin.call("backup-progress", "{}").contains("\"state\":\"running\"");
  }
}
