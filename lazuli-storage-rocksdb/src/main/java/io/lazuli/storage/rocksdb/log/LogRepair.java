package io.lazuli.storage.rocksdb.log;

import io.lazuli.storage.StoreReport;
import io.lazuli.storage.rocksdb.disk.DataFolder;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;

/**
 * Cuts a damaged log before its first damage, after it has copied everything. A crash in the middle
 * leaves a log that is still refused, so the repair can be repeated.
 */
final class LogRepair {
  private final Path root;
  private final Path database;
  private final List<String> lines = new ArrayList<>();

  LogRepair(Path root, Path database) {
    this.root = root;
    this.database = database;
  }

  StoreReport run(boolean salvage) throws IOException {
    LogReport report = LogCheck.run(database, LogMark.read(database));
    lines.addAll(report.notes());
    Manifest manifest = Manifest.read(database);
    if (report.damage().isEmpty() || manifest == null) {
      lines.add("the log is not damaged");
      return new StoreReport(List.of(), lines);
    }
    Path copies = copyAside(manifest);
    lines.add("the log was copied to " + copies);
    describe(report, manifest, copies);
    LogReport left = report;
    if (salvage) {
      cut(report);
      left = LogCheck.run(database, LogMark.read(database));
      lines.add("the log was cut before the damage; the server can start");
    } else {
      lines.add("nothing was changed; --salvage cuts the log before the damage");
    }
    return new StoreReport(left.damage().stream().map(DatabaseLog::stored).toList(), lines);
  }

  private void describe(LogReport report, Manifest manifest, Path copies) {
    lines.add(
        "before the damage: %s, up to sequence number %d"
            .formatted(LogReport.batches(report.keptBatches()), keptSequence(report, manifest)));
    lines.add(
        report.lostSequence() > keptSequence(report, manifest)
            ? "lost: sequence numbers %d to %d, of which %s can be read in %s"
                .formatted(
                    keptSequence(report, manifest) + 1,
                    report.lostSequence(),
                    LogReport.batches(report.lostBatches()),
                    copies)
            : "lost: nothing that is known");
    if (manifest.lastFlushedLog() > report.damage().get(0).log()) {
      lines.add(
          "some tables already hold later writes, so names and data can disagree after a salvage;"
              + " prefer a back-up");
    }
  }

  private static long keptSequence(LogReport report, Manifest manifest) {
    return report.keptBatches() == 0 ? manifest.lastSequence() : report.keptSequence();
  }

  /** Copies the needed logs and the files that describe them, and syncs the copies. */
  private Path copyAside(Manifest manifest) throws IOException {
    int number = 1;
    while (Files.exists(root.resolve("damaged-log-" + number))) {
      number++;
    }
    Path copies = Files.createDirectory(root.resolve("damaged-log-" + number));
    List<Path> files = new ArrayList<>();
    files.addAll(LogFiles.in(database).tailMap(manifest.firstLog(), true).values());
    files.addAll(List.of(manifest.file(), database.resolve("CURRENT")));
    if (Files.exists(database.resolve(LogMark.FILE))) {
      files.add(database.resolve(LogMark.FILE));
    }
    for (Path file : files) {
      Path copy = Files.copy(file, copies.resolve(file.getFileName()));
      sync(copy);
    }
    DataFolder.sync(copies);
    DataFolder.sync(root);
    return copies;
  }

  /** Removes everything from the first damage on: the last log first, the mark at the end. */
  private void cut(LogReport report) throws IOException {
    LogDamage first = report.damage().get(0);
    NavigableMap<Long, Path> files = LogFiles.in(database);
    for (Path file : files.tailMap(first.log(), false).descendingMap().values()) {
      Files.delete(file);
    }
    if (files.containsKey(first.log())) {
      try (FileChannel channel = FileChannel.open(first.file(), StandardOpenOption.WRITE)) {
        channel.truncate(first.goodBytes());
        channel.force(true);
      }
    }
    DataFolder.sync(database);
    new LogMark(true, report.kept()).write(database);
  }

  private static void sync(Path file) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      channel.force(true);
    }
  }
}
