package io.lazuli.storage.rocksdb.log;

import java.io.IOException;
import java.nio.file.Path;
import java.util.NavigableMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Reads the logs of a closed database once and finds out whether acknowledged changes are missing.
 * Changes nothing. Mutable: one object for one check.
 *
 * <h2>Why RocksDB is not asked</h2>
 *
 * RocksDB reads a log up to the first fault, drops the rest and deletes the log. It does so after a
 * power cut, which is right, and after a flipped bit in the middle, which loses acknowledged
 * changes. It opens a database whose newest log was cut or removed as if nothing had happened.
 *
 * <h2>What tells damage from a torn end</h2>
 *
 * The engine syncs a batch before it writes the next one. So a crash can damage the last batch
 * only, and nobody was told that this batch is stored. Anything else is damage:
 *
 * <ul>
 *   <li>a fault that is followed by the beginning of another batch,
 *   <li>a fault, or an end, before the synced length that the {@link LogMark} names,
 *   <li>a log that the mark names and that is missing,
 *   <li>a gap in the sequence numbers, in a log, between logs, or between the tables and the first
 *       log.
 * </ul>
 *
 * An end that a crash has torn can be followed by a log that continues with the next sequence
 * number: RocksDB was opened after the crash, and crashed again before it removed the torn log.
 *
 * <p>With relaxed durability several batches may be unsynced, so a power cut can damage any of
 * them. RocksDB then drops everything from the first fault on, as that setting allows.
 */
final class LogCheck {
  private static final long UNKNOWN = -1;

  private final Path database;
  private final LogMark mark;
  private final LogReport report = new LogReport();
  private long tablesSequence;

  /** The sequence number that the next batch must have. */
  private long next = UNKNOWN;

  /** The end of an earlier log that a crash may have torn. */
  private @Nullable LogDamage torn;

  private LogCheck(Path database, LogMark mark) {
    this.database = database;
    this.mark = mark;
  }

  /**
   * Checks the logs of a database that is not open.
   *
   * @throws io.lazuli.storage.EngineOpenException if the manifest cannot be read, so that nothing
   *     says which logs are needed
   */
  static LogReport run(Path database, LogMark mark) throws IOException {
    LogCheck check = new LogCheck(database, mark);
    Manifest manifest = Manifest.read(database);
    if (manifest != null) {
      check.checkAll(manifest);
    }
    if (!mark.problem().isEmpty()) {
      check.report.addNote(mark.problem() + "; the logs were checked without it");
    }
    return check.report;
  }

  private void checkAll(Manifest manifest) throws IOException {
    tablesSequence = manifest.lastSequence();
    NavigableMap<Long, Path> files = LogFiles.in(database).tailMap(manifest.firstLog(), true);
    TreeSet<Long> numbers = new TreeSet<>(files.keySet());
    numbers.addAll(mark.extents().tailMap(manifest.firstLog(), true).keySet());
    for (long number : numbers) {
      Path file = files.get(number);
      if (file == null) {
        reportMissing(number);
      } else {
        checkLog(number, file);
      }
    }
    if (torn != null) {
      report.addNote(
          torn.line()
              + (mark.everyWriteSynced()
                  ? "; a crash tore the last write, which was not acknowledged"
                  : "; the unsynced writes after it are lost"));
    }
  }

  private void reportMissing(long number) {
    Extent synced = mark.extent(number);
    addDamage(
        new LogDamage(
            number,
            LogFiles.of(database, number),
            0,
            0,
            "the log is missing; " + syncedText(synced)));
    report.addLost(synced.lastSequence());
  }

  private void checkLog(long number, Path file) throws IOException {
    Extent synced = mark.extent(number);
    try (RecordReader reader = new RecordReader(file, 0, Batch.HEADER_BYTES)) {
      report.addBytes(reader.size());
      boolean goesOn = true;
      while (goesOn) {
        readBatches(number, file, reader, synced);
        goesOn = checkFault(number, file, reader, synced);
      }
    }
  }

  private void readBatches(long number, Path file, RecordReader reader, Extent synced)
      throws IOException {
    for (RecordReader.Found record = reader.next(); record != null; record = reader.next()) {
      Batch batch = Batch.in(record);
      if (batch == null) {
        addDamage(
            new LogDamage(
                number,
                file,
                record.offset(),
                record.offset(),
                "a record is too short for a batch"));
      } else {
        checkSequence(number, file, batch);
        checkMark(number, file, batch, synced);
        next = batch.next();
        report.addBatch(number, batch);
      }
    }
  }

  private void checkSequence(long number, Path file, Batch batch) {
    LogDamage earlier = torn;
    torn = null;
    if (next == UNKNOWN) {
      if (report.damage().isEmpty() && batch.sequence() > tablesSequence + 1) {
        addGap(number, file, batch, tablesSequence + 1);
      }
    } else if (batch.sequence() != next) {
      if (earlier != null && !mark.everyWriteSynced()) {
        report.addNote(earlier.line() + "; the unsynced writes after it are lost");
      } else if (earlier != null) {
        addDamage(earlier);
        report.addLost(batch.sequence() - 1);
      } else {
        addGap(number, file, batch, next);
      }
    }
  }

  private void addGap(long number, Path file, Batch batch, long expected) {
    addDamage(
        new LogDamage(
            number,
            file,
            batch.offset(),
            batch.offset(),
            "a batch has sequence number %d instead of %d".formatted(batch.sequence(), expected)));
    report.addLost(batch.sequence() - 1);
  }

  private void checkMark(long number, Path file, Batch batch, Extent synced) {
    boolean ends = batch.end() == synced.length();
    boolean crosses = batch.offset() < synced.length() && batch.end() > synced.length();
    if (report.damage().isEmpty()
        && (crosses || (ends && batch.next() - 1 != synced.lastSequence()))) {
      addDamage(
          new LogDamage(
              number,
              file,
              batch.offset(),
              batch.offset(),
              "the batch is not the one that the mark describes; " + syncedText(synced)));
      report.addLost(synced.lastSequence());
    }
  }

  /**
   * Judges the place where the reader stopped.
   *
   * @return true if the reader goes on after it
   */
  private boolean checkFault(long number, Path file, RecordReader reader, Extent synced)
      throws IOException {
    Fault fault = reader.fault();
    long good = reader.end();
    boolean covered = good < synced.length();
    if (covered) {
      report.addLost(synced.lastSequence());
    }
    if (fault == null) {
      if (covered) {
        addDamage(
            new LogDamage(number, file, good, good, "the log ends here; " + syncedText(synced)));
      }
      return false;
    }
    LogDamage found = new LogDamage(number, file, fault.offset(), good, fault.kind().text());
    boolean mayBeTorn = !covered && !mark.everyWriteSynced();
    boolean goesOn = !mayBeTorn && reader.skipFault(record -> mayFollow(record, good));
    if (covered || goesOn) {
      addDamage(found);
    } else {
      torn = found;
    }
    return goesOn;
  }

  /**
   * Tells whether a record can be a batch after a fault. The contents of a damaged batch can look
   * like a record. But each change takes several bytes, so the sequence numbers of a later batch
   * cannot be far ahead.
   */
  private boolean mayFollow(RecordReader.Found record, long good) {
    Batch batch = Batch.in(record);
    return batch == null
        || next == UNKNOWN
        || (batch.sequence() >= next && batch.sequence() - next <= record.offset() - good);
  }

  private void addDamage(LogDamage found) {
    report.addDamage(found);
    next = UNKNOWN;
  }

  private static String syncedText(Extent synced) {
    return "%d bytes of it were synced, up to sequence number %d"
        .formatted(synced.length(), synced.lastSequence());
  }
}
