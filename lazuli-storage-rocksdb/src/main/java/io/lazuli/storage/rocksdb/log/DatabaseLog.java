package io.lazuli.storage.rocksdb.log;

import io.lazuli.storage.EngineOpenException;
import io.lazuli.storage.StoreReport;
import io.lazuli.storage.StoredDamage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The log of a database that is not open: checks it, and saves what can be read of it. The caller
 * holds the lock of the data folder.
 */
public final class DatabaseLog {
  private static final Logger LOG = LoggerFactory.getLogger(DatabaseLog.class);

  private final Path root;
  private final Path database;

  /**
   * Names a log.
   *
   * @param root the data folder
   * @param database the folder of RocksDB's files in it
   */
  public DatabaseLog(Path root, Path database) {
    this.root = root;
    this.database = database;
  }

  /**
   * Checks the log before RocksDB opens it, because RocksDB drops what comes after damage.
   *
   * @throws EngineOpenException if acknowledged writes are missing; nothing has changed then
   */
  public void requireIntact() {
    LogReport report = check();
    report.notes().forEach(LOG::info);
    if (!report.damage().isEmpty()) {
      throw new EngineOpenException(
          ("the log is damaged: %s; nothing was changed; lazuli verify --data %s lists the damage,"
                  + " and lazuli repair can save the writes before it")
              .formatted(report.damage().get(0).line(), root),
          null);
    }
  }

  /** Lists the damage. */
  public StoreReport verify() {
    LogReport report = check();
    List<String> notes = new ArrayList<>(report.notes());
    notes.add(
        "log: %,d bytes, %s"
            .formatted(
                report.bytes(), LogReport.batches(report.keptBatches() + report.lostBatches())));
    return new StoreReport(report.damage().stream().map(DatabaseLog::stored).toList(), notes);
  }

  /**
   * Copies a damaged log to a new folder in the data folder.
   *
   * @param salvage true to cut the log before its first damage, so that the server starts
   */
  public StoreReport repair(boolean salvage) {
    try {
      return new LogRepair(root, database).run(salvage);
    } catch (IOException e) {
      throw new EngineOpenException("cannot repair the log in " + database + ": " + e, e);
    }
  }

  static StoredDamage stored(LogDamage damage) {
    return new StoredDamage(damage.file(), damage.offset(), damage.problem());
  }

  private LogReport check() {
    try {
      return LogCheck.run(database, LogMark.read(database));
    } catch (IOException e) {
      throw new EngineOpenException("cannot read the log in " + database + ": " + e, e);
    }
  }
}
