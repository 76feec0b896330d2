package io.lazuli.storage.hbase.cluster;

import io.lazuli.storage.Bytes;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.LentBytes;
import io.lazuli.storage.hbase.balance.BalanceJournal;
import io.lazuli.storage.hbase.balance.BalanceJournal.Ending;
import io.lazuli.storage.hbase.balance.BalanceStep;
import io.lazuli.storage.hbase.balance.Heat;
import io.lazuli.storage.hbase.balance.HeatCodec;
import io.lazuli.storage.hbase.call.RegionScan;
import io.lazuli.storage.hbase.call.Rows;
import io.lazuli.storage.hbase.call.Steps;
import io.lazuli.storage.hbase.call.StoreTable;
import io.lazuli.storage.hbase.call.StoredCell;
import io.lazuli.storage.hbase.commit.Attempts;
import io.lazuli.storage.hbase.commit.ClusterClock;
import io.lazuli.storage.hbase.commit.OwnRows;
import io.lazuli.storage.keys.KeyCodec;
import io.lazuli.storage.keys.KeyInterval;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.jspecify.annotations.Nullable;

/**
 * The rows in the catalogue through which servers report load: each server reports the partitions
 * that it requests, and the leader keeps a journal of its steps. Blocks.
 */
public final class BalanceRows {
  private static final Duration TIMEOUT = Duration.ofSeconds(5);

  /** A server that has not reported for this long has ended, and its row is removed. */
  private static final Duration ENDED_AFTER = Duration.ofMinutes(10);

  /** The number of rows in a page. The rows are large, and a page must fit into one answer. */
  private static final int PAGE_ROWS = 8;

  /** The maximum number of reports that are read; others are ignored. */
  private static final int SERVERS_MAX = 1_000;

  private final Rows rows;
  private final RegionScan scan;
  private final Attempts attempts;
  private final ClusterClock clock;
  private final Bytes own = OwnRows.heat(ThreadLocalRandom.current().nextLong());

  public BalanceRows(Rows rows, RegionScan scan, Attempts attempts, ClusterClock clock) {
    this.rows = rows;
    this.scan = scan;
    this.attempts = attempts;
    this.clock = clock;
  }

  /** Reports the requests of this server. */
  void publish(Map<String, Heat> heat) {
    change(own, HeatCodec.encode(new HeatCodec.Report(clock.cellMillis(), heat)));
  }

  /** Removes the report of this server. */
  void withdraw() {
    change(own, null);
  }

  /**
   * Returns the recent requests of all servers, by table. Removes the rows of servers that have
   * ended.
   */
  Map<String, Heat> heat(Duration ageMax) {
    Map<String, List<Heat>> tables = new HashMap<>();
    for (Map.Entry<Bytes, HeatCodec.Report> row : reports().entrySet()) {
      long age = clock.cellMillis() - row.getValue().millis();
      if (age > ENDED_AFTER.toMillis()) {
        change(row.getKey(), null);
      } else if (age <= ageMax.toMillis()) {
        row.getValue()
            .tables()
            .forEach(
                (table, heat) -> tables.computeIfAbsent(table, t -> new ArrayList<>()).add(heat));
      }
    }
    return tables.entrySet().stream()
        .collect(Collectors.toMap(Map.Entry::getKey, entry -> Heat.sum(entry.getValue())));
  }

  BalanceJournal journal() {
    return journal(Steps.await(rows.read(OwnRows.STORE, OwnRows.BALANCE, timeout())));
  }

  /** Adds a step to the journal. Other servers may do so at the same time. */
  void note(BalanceStep step, Ending ending, String outcome) {
    Instant now = Instant.now();
    Steps.await(
        attempts.run(
            OwnRows.STORE,
            timeout(),
            view -> {
              BalanceJournal journal = journal(view.condition(OwnRows.BALANCE));
              view.putOwn(OwnRows.BALANCE, journal.with(now, step, ending, outcome).encode());
              return true;
            }));
  }

  private static BalanceJournal journal(StoredCell cell) {
    byte[] value = cell.value();
    return value == null ? BalanceJournal.EMPTY : BalanceJournal.decode(value);
  }

  private Map<Bytes, HeatCodec.Report> reports() {
    Map<Bytes, HeatCodec.Report> reports = new HashMap<>();
    KeyInterval all =
        new KeyInterval(key(OwnRows.heat(0)), key(Bytes.of(new byte[] {0, OwnRows.HEAT + 1})));
    for (Cell cell :
        Steps.await(scan.first(StoreTable.CATALOG, all, SERVERS_MAX, PAGE_ROWS, timeout()))) {
      byte[] value = StoredCell.of(cell).value();
      if (value != null) {
        HeatCodec.decode(value)
            .ifPresent(report -> reports.put(row(CellUtil.cloneRow(cell)), report));
      }
    }
    return reports;
  }

  private void change(Bytes row, byte @Nullable [] value) {
    Steps.await(
        attempts.run(
            OwnRows.STORE,
            timeout(),
            view -> {
              view.changeOwn(row, value);
              return true;
            }));
  }

  private static Bytes key(Bytes row) {
    return Bytes.of(KeyCodec.encode(OwnRows.STORE.row(row)));
  }

  private static Bytes row(byte[] key) {
    LentBytes partition = new LentBytes();
    LentBytes row = new LentBytes();
    KeyCodec.lend(key, key.length, partition, row);
    return Bytes.of(row.copy());
  }

  private static Deadline timeout() {
    return Deadline.after(TIMEOUT);
  }
}
