package io.lazuli.storage.hbase.cluster;

import io.lazuli.storage.Bytes;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.LentBytes;
import io.lazuli.storage.Partition;
import io.lazuli.storage.hbase.balance.BalanceJournal;
import io.lazuli.storage.hbase.balance.BalanceJournal.Ending;
import io.lazuli.storage.hbase.balance.BalanceStep;
import io.lazuli.storage.hbase.balance.Heat;
import io.lazuli.storage.hbase.balance.HeatCodec;
import io.lazuli.storage.hbase.balance.KeptBoundaries;
import io.lazuli.storage.hbase.call.RegionCalls;
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
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Put;

/**
 * The rows in the catalogue through which servers report load: each server reports the partitions
 * that it requests, and the leader keeps a journal of its steps. A report is a plain write without
 * a log, in a region that holds only reports: it is replaced in the next round, and expires if its
 * server ends. Blocks.
 */
public final class BalanceRows {
  private static final Duration TIMEOUT = Duration.ofSeconds(5);

  /** A server that has not reported for this long has ended, and its row expires. */
  private static final Duration ENDED_AFTER = Duration.ofMinutes(10);

  /** The number of rows in a page. The rows are large, and a page must fit into one answer. */
  private static final int PAGE_ROWS = 8;

  /** The maximum number of reports that are read; others are ignored. */
  private static final int SERVERS_MAX = 1_000;

  private final RegionCalls calls;
  private final Rows rows;
  private final RegionScan scan;
  private final Attempts attempts;
  private final ClusterClock clock;
  private final byte[] own =
      KeyCodec.encode(OwnRows.REPORTS.row(OwnRows.heat(ThreadLocalRandom.current().nextLong())));

  /** Used by the balancer's thread and by operators: false once no older server reports. */
  private volatile boolean hasOlderReports = true;

  public BalanceRows(
      RegionCalls calls, Rows rows, RegionScan scan, Attempts attempts, ClusterClock clock) {
    this.calls = calls;
    this.rows = rows;
    this.scan = scan;
    this.attempts = attempts;
    this.clock = clock;
  }

  /** Reports the requests of this server. */
  void publish(Map<String, Heat> heat) {
    long millis = clock.cellMillis();
    byte[] report = HeatCodec.encode(new HeatCodec.Report(millis, heat));
    Put put =
        new Put(own)
            .addColumn(
                StoreTable.FAMILY, StoreTable.QUALIFIER, millis, StoredCell.encode(0, 0, report));
    put.setTTL(ENDED_AFTER.toMillis());
    put.setDurability(Durability.SKIP_WAL);
    Steps.await(
        calls.repeat(
            StoreTable.CATALOG,
            own,
            timeout(),
            (remote, region) -> remote.put(put).thenApply(nothing -> true)));
  }

  /** Removes the report of this server. */
  void withdraw() {
    Delete delete =
        new Delete(own)
            .addColumns(StoreTable.FAMILY, StoreTable.QUALIFIER, clock.cellMillis())
            .setDurability(Durability.SKIP_WAL);
    Steps.await(
        calls.repeat(
            StoreTable.CATALOG,
            own,
            timeout(),
            (remote, region) -> remote.delete(delete).thenApply(nothing -> true)));
  }

  /** Returns the recent requests of all servers, by table. */
  Map<String, Heat> heat(Duration ageMax) {
    Map<String, List<Heat>> tables = new HashMap<>();
    List<HeatCodec.Report> reports = new ArrayList<>(reports(OwnRows.REPORTS).values());
    if (hasOlderReports) {
      reports.addAll(olderReports());
    }
    for (HeatCodec.Report report : reports) {
      if (clock.cellMillis() - report.millis() <= ageMax.toMillis()) {
        report
            .tables()
            .forEach(
                (table, heat) -> tables.computeIfAbsent(table, t -> new ArrayList<>()).add(heat));
      }
    }
    return tables.entrySet().stream()
        .collect(Collectors.toMap(Map.Entry::getKey, entry -> Heat.sum(entry.getValue())));
  }

  /**
   * Returns the reports of servers of an older version, which do not expire, and removes those of
   * servers that have ended.
   */
  private List<HeatCodec.Report> olderReports() {
    Map<Bytes, HeatCodec.Report> reports = reports(OwnRows.STORE);
    hasOlderReports = !reports.isEmpty();
    reports.forEach(
        (row, report) -> {
          if (clock.cellMillis() - report.millis() > ENDED_AFTER.toMillis()) {
            remove(row);
          }
        });
    return List.copyOf(reports.values());
  }

  BalanceJournal journal() {
    return journal(Steps.await(rows.read(OwnRows.STORE, OwnRows.BALANCE, timeout())));
  }

  /** Notes in the journal that steps begin. */
  void begin(Map<BalanceStep, String> steps) {
    Instant now = Instant.now();
    change(
        journal -> {
          BalanceJournal changed = journal;
          for (Map.Entry<BalanceStep, String> step : steps.entrySet()) {
            changed = changed.begun(now, step.getKey(), step.getValue());
          }
          return changed;
        });
  }

  /**
   * Adds a step that has ended to the journal.
   *
   * @param what the description of the step
   */
  void note(BalanceStep step, String what, Ending ending, String outcome) {
    Instant now = Instant.now();
    change(journal -> journal.with(now, step, what, ending, outcome));
  }

  /** Changes the journal. Other servers may do so at the same time. */
  private void change(UnaryOperator<BalanceJournal> change) {
    Steps.await(
        attempts.run(
            OwnRows.STORE,
            timeout(),
            view -> {
              BalanceJournal journal = journal(view.condition(OwnRows.BALANCE));
              view.putOwn(OwnRows.BALANCE, change.apply(journal).encode());
              return true;
            }));
  }

  /** Returns the boundaries that an operator made. */
  KeptBoundaries kept() {
    return kept(Steps.await(rows.read(OwnRows.STORE, OwnRows.KEPT, timeout())));
  }

  /** Notes boundaries that an operator makes. */
  void keep(Collection<Bytes> boundaries) {
    Instant now = Instant.now();
    Steps.await(
        attempts.run(
            OwnRows.STORE,
            timeout(),
            view -> {
              KeptBoundaries old = kept(view.condition(OwnRows.KEPT));
              view.putOwn(OwnRows.KEPT, old.with(now, boundaries).encode());
              return true;
            }));
  }

  private static KeptBoundaries kept(StoredCell cell) {
    byte[] value = cell.value();
    return value == null ? KeptBoundaries.NONE : KeptBoundaries.decode(value);
  }

  private static BalanceJournal journal(StoredCell cell) {
    byte[] value = cell.value();
    return value == null ? BalanceJournal.EMPTY : BalanceJournal.decode(value);
  }

  private Map<Bytes, HeatCodec.Report> reports(Partition partition) {
    Map<Bytes, HeatCodec.Report> reports = new HashMap<>();
    KeyInterval all =
        new KeyInterval(
            key(partition, OwnRows.heat(0)),
            key(partition, Bytes.of(new byte[] {0, OwnRows.HEAT + 1})));
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

  private void remove(Bytes row) {
    Steps.await(
        attempts.run(
            OwnRows.STORE,
            timeout(),
            view -> {
              view.changeOwn(row, null);
              return true;
            }));
  }

  private static Bytes key(Partition partition, Bytes row) {
    return Bytes.of(KeyCodec.encode(partition.row(row)));
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
