package io.lazuli.storage.hbase;

import io.lazuli.storage.Bytes;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.Direction;
import io.lazuli.storage.EngineConfig;
import io.lazuli.storage.EngineOpenException;
import io.lazuli.storage.EngineState;
import io.lazuli.storage.KeyRange;
import io.lazuli.storage.Partition;
import io.lazuli.storage.PartitionMap;
import io.lazuli.storage.RecordKey;
import io.lazuli.storage.RecordVisitor;
import io.lazuli.storage.Space;
import io.lazuli.storage.SpaceKind;
import io.lazuli.storage.StorageEngine;
import io.lazuli.storage.StorageException;
import io.lazuli.storage.TransactionBody;
import io.lazuli.storage.engine.LocalCall;
import io.lazuli.storage.engine.ViewRules;
import io.lazuli.storage.hbase.balance.BalanceSettings;
import io.lazuli.storage.hbase.call.RegionCalls;
import io.lazuli.storage.hbase.call.RegionScan;
import io.lazuli.storage.hbase.call.RegionServers;
import io.lazuli.storage.hbase.call.RequestSamples;
import io.lazuli.storage.hbase.call.Rows;
import io.lazuli.storage.hbase.call.StoreTable;
import io.lazuli.storage.hbase.call.StoredCell;
import io.lazuli.storage.hbase.chunk.HBaseChunkStore;
import io.lazuli.storage.hbase.cluster.BalanceRows;
import io.lazuli.storage.hbase.cluster.Balancer;
import io.lazuli.storage.hbase.cluster.ClockCells;
import io.lazuli.storage.hbase.cluster.ClockMeasurement;
import io.lazuli.storage.hbase.cluster.ClusterConnection;
import io.lazuli.storage.hbase.cluster.DropRows;
import io.lazuli.storage.hbase.cluster.DroppedRows;
import io.lazuli.storage.hbase.cluster.Housekeeping;
import io.lazuli.storage.hbase.cluster.Leadership;
import io.lazuli.storage.hbase.cluster.RegionAdmin;
import io.lazuli.storage.hbase.cluster.TableSetup;
import io.lazuli.storage.hbase.commit.Attempts;
import io.lazuli.storage.hbase.commit.ClusterClock;
import io.lazuli.storage.hbase.commit.Committer;
import io.lazuli.storage.hbase.commit.Homes;
import io.lazuli.storage.hbase.commit.OwnRows;
import io.lazuli.storage.hbase.commit.SpaceNumbers;
import io.lazuli.storage.hbase.commit.StartCheck;
import io.lazuli.storage.hbase.commit.Transactions;
import io.lazuli.storage.hbase.reclaim.Reclaimer;
import io.lazuli.storage.keys.KeyCodec;
import io.lazuli.storage.keys.KeyInterval;
import io.lazuli.storage.keys.ScanCursor;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.Durability;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stores records in an HBase cluster, which any number of servers may use at the same time. A
 * transaction is one conditional batch on the region of its partition; a partition never spans two
 * regions. Every answer is checked against an epoch that changes when a space is dropped.
 */
final class HBaseEngine implements StorageEngine {
  private static final Logger log = LoggerFactory.getLogger(HBaseEngine.class);
  private static final Duration START_TIMEOUT = Duration.ofSeconds(60);

  private static final int FIRST_PAGE_RECORDS = 128;

  /**
   * The time for which data must outlive its space so that checks may run in parallel; longer than
   * any request takes.
   */
  private static final Duration DATA_STAYS_MIN = Duration.ofMinutes(5);

  private final ClusterConnection connection;
  private final RegionCalls calls;
  private final Rows rows;
  private final RegionScan scan;
  private final ClusterClock clock;
  private final Attempts attempts;
  private final Homes homes;
  private final SpaceNumbers numbers;
  private final Transactions transactions;
  private final Housekeeping housekeeping;
  private final Balancer balancer;
  private final HBaseChunkStore chunks;

  /**
   * True if the engine checks that a space exists while it reads the data. That is safe if the data
   * of a dropped space is kept long enough.
   */
  private final boolean checksInParallel;

  private HBaseEngine(
      ClusterConnection connection,
      EngineConfig config,
      HBaseSettings settings,
      LongSupplier millis) {
    this.connection = connection;
    checksInParallel = settings.reclaim().after().compareTo(DATA_STAYS_MIN) >= 0;
    RequestSamples samples = new RequestSamples();
    RegionServers servers =
        new RegionServers(
            settings.silence(), settings.threads(), config.callers(), System::nanoTime);
    calls = new RegionCalls(connection.data(), settings.namespace(), servers, samples);
    rows = new Rows(calls);
    scan = new RegionScan(calls);
    ClockMeasurement measurement = new ClockMeasurement(new ClockCells(calls, rows), millis);
    clock = clock(measurement, config, millis);
    Committer committer = new Committer(calls, rows);
    attempts = new Attempts(rows, scan, committer, clock, durability(settings));
    new StartCheck(rows, scan, committer, clock).run(attempts, Deadline.after(START_TIMEOUT));
    homes = new Homes(rows);
    numbers = new SpaceNumbers(attempts);
    transactions = new Transactions(attempts, homes, config, settings.threads());
    chunks =
        new HBaseChunkStore(
            calls,
            rows,
            scan,
            attempts,
            numbers,
            clock,
            durability(settings),
            settings.chunkGrace());
    RegionAdmin regions = new RegionAdmin(connection.admin(), settings.namespace());
    BalanceRows balanceRows = new BalanceRows(rows, scan, attempts, clock);
    Reclaimer reclaimer =
        new Reclaimer(
            new DropRows(scan, attempts),
            new DroppedRows(calls, regions, balanceRows),
            settings.reclaim(),
            settings.balance().mode() == BalanceSettings.Mode.ON,
            clock::cellMillis);
    Leadership leadership = new Leadership(attempts, System::nanoTime);
    housekeeping =
        new Housekeeping(
            leadership, measurement, clock, reclaimer, settings.reclaim().after(), chunks::reclaim);
    balancer =
        new Balancer(leadership::isLeader, regions, balanceRows, samples, settings.balance());
    housekeeping.start();
    balancer.start();
  }

  /** Opens the engine on a cluster and creates missing tables. */
  static HBaseEngine open(EngineConfig config, Configuration site, HBaseSettings settings) {
    return open(config, site, settings, System::currentTimeMillis);
  }

  /**
   * Opens the engine with another clock for the timestamps of cells.
   *
   * @param millis a clock that is near the cluster's, at least at the start
   */
  static HBaseEngine open(
      EngineConfig config, Configuration site, HBaseSettings settings, LongSupplier millis) {
    settings.warning(site).ifPresent(log::warn);
    ClusterConnection connection = ClusterConnection.open(site, settings.user());
    try {
      new TableSetup(connection.admin(), settings.namespace()).run();
      return new HBaseEngine(connection, config, settings, millis);
    } catch (EngineOpenException e) {
      connection.close();
      throw e;
    } catch (StorageException e) {
      connection.close();
      throw new EngineOpenException("the cluster does not work: " + e.getMessage(), e);
    }
  }

  @Override
  public <R> CompletableFuture<R> transact(
      Partition partition, List<Bytes> touch, Deadline deadline, TransactionBody<R> body) {
    return transactions.submit(partition, touch, deadline, body);
  }

  @Override
  public CompletableFuture<byte @Nullable []> read(RecordKey key, Deadline deadline) {
    return LocalCall.<byte @Nullable []>run(() -> find(key, deadline));
  }

  private byte @Nullable [] find(RecordKey key, Deadline deadline) {
    calls.requireOpen();
    Space space = key.partition().space();
    if (ViewRules.isHidden(space, key.row())) {
      return null;
    }
    if (checksInParallel) {
      return rows.read(key.partition(), key.row(), deadline, () -> homes.check(space, deadline))
          .value();
    }
    StoredCell cell = rows.read(key.partition(), key.row(), deadline);
    homes.check(space, deadline);
    return cell.value();
  }

  @Override
  public CompletableFuture<@Nullable Void> scan(
      Space space,
      List<KeyRange> ranges,
      Direction direction,
      Deadline deadline,
      RecordVisitor visitor) {
    return LocalCall.<@Nullable Void>run(
        () -> {
          visit(space, ranges, direction, deadline, visitor);
          return null;
        });
  }

  private void visit(
      Space space,
      List<KeyRange> ranges,
      Direction direction,
      Deadline deadline,
      RecordVisitor visitor) {
    KeyRange.requireSortedAndDisjoint(ranges);
    ScanCursor cursor = new ScanCursor(space.number(), ranges, direction);
    boolean snapshot = isInOnePartition(ranges);
    int records =
        Math.min(
            snapshot ? RegionScan.PAGE_RECORDS_MAX : FIRST_PAGE_RECORDS, wanted(space, visitor));
    boolean goOn = true;
    for (List<KeyInterval> rest = cursor.rest(); goOn && !rest.isEmpty(); rest = cursor.rest()) {
      calls.requireOpen();
      RegionScan.Page page =
          scan.page(
              StoreTable.of(space.number()), rest, cursor.isForward(), records, snapshot, deadline);
      homes.check(space, deadline);
      goOn = show(space, page, cursor, visitor) && !page.isLast();
      records = Math.min(2 * records, RegionScan.PAGE_RECORDS_MAX);
    }
  }

  @Override
  public CompletableFuture<Long> newSpace(SpaceKind kind) {
    return LocalCall.run(
        () -> {
          calls.requireOpen();
          return numbers.next(kind);
        });
  }

  @Override
  public long now() {
    calls.requireOpen();
    return clock.now();
  }

  @Override
  public HBaseChunkStore chunks() {
    return chunks;
  }

  @Override
  public boolean isShared() {
    return true;
  }

  @Override
  public EngineState state() {
    if (calls.isClosed()) {
      return new EngineState(false, "closed");
    }
    String detail =
        String.format(
            "HBase, %d transactions wait, %d conflicts so far",
            transactions.waiting(), attempts.conflicts());
    return state(detail, attempts.fault(), clock.fault(), housekeeping.fault());
  }

  /**
   * Returns the state from the faults of its parts; an empty text means no fault. Without the
   * cluster nothing works, and without its time messages and leases do not work, so both make the
   * engine read-only.
   */
  static EngineState state(String detail, String away, String timeless, String unreclaimed) {
    String fault = away.isEmpty() ? timeless : away;
    if (!fault.isEmpty()) {
      return new EngineState(false, fault);
    }
    return new EngineState(
        true, detail, unreclaimed.isEmpty() ? "" : "deleted tables are not freed: " + unreclaimed);
  }

  @Override
  public CompletableFuture<Optional<PartitionMap>> partitionMap() {
    return LocalCall.run(
        () -> {
          calls.requireOpen();
          return Optional.of(balancer.map());
        });
  }

  @Override
  public void close() {
    if (calls.isClosed()) {
      return;
    }
    transactions.close();
    balancer.close();
    housekeeping.close();
    recordTime();
    calls.close();
    connection.close();
  }

  /**
   * Returns how many commits of this server were refused because another transaction had written
   * the same records.
   */
  long conflicts() {
    return attempts.conflicts();
  }

  /** Returns how many records of a space are still stored, even if the space was dropped. */
  long storedRecords(long space) {
    long count = 0;
    ScanCursor cursor = new ScanCursor(space, List.of(KeyRange.ALL), Direction.FORWARD);
    for (List<KeyInterval> rest = cursor.rest(); !rest.isEmpty(); rest = cursor.rest()) {
      RegionScan.Page page =
          scan.page(
              StoreTable.of(space), rest, true, RegionScan.PAGE_RECORDS_MAX, false, Deadline.NEVER);
      page.cells().forEach(cell -> cursor.pass(Bytes.of(CellUtil.cloneRow(cell))));
      count += page.cells().size();
      if (page.isLast()) {
        break;
      }
      resume(page, cursor);
    }
    return count;
  }

  private ClusterClock clock(
      ClockMeasurement measurement, EngineConfig config, LongSupplier millis) {
    Deadline deadline = Deadline.after(START_TIMEOUT);
    long offset = measurement.offsetMillis(deadline);
    if (ClusterClock.isTooFar(offset)) {
      throw new EngineOpenException(
          "the clock of this machine differs from the cluster's by "
              + offset / 1_000
              + " s: correct it first",
          null);
    }
    long floor = OwnRows.decode(rows.read(OwnRows.STORE, OwnRows.TIME, deadline));
    return new ClusterClock(config.ticks(), millis, floor, offset, System::nanoTime);
  }

  /**
   * Stores the highest time that this server has given, so that the next server to start does not
   * give an earlier one.
   */
  private void recordTime() {
    long highest = clock.highest();
    try {
      attempts.run(
          OwnRows.STORE,
          List.of(),
          Deadline.after(Duration.ofSeconds(5)),
          view -> {
            if (OwnRows.decode(view.condition(OwnRows.TIME)) < highest) {
              view.putOwn(OwnRows.TIME, OwnRows.encode(highest));
            }
            return true;
          },
          () -> {});
    } catch (StorageException e) {
      // Little is lost: the records contain their timestamps, so only times that no record contains
      // could be given again.
      return;
    }
  }

  private static boolean show(
      Space space, RegionScan.Page page, ScanCursor cursor, RecordVisitor visitor) {
    for (Cell cell : page.cells()) {
      byte[] key = CellUtil.cloneRow(cell);
      byte[] stored = CellUtil.cloneValue(cell);
      if (isHidden(space, key)) {
        cursor.pass(Bytes.of(key));
      } else if (!cursor.show(Bytes.of(key), stored, StoredCell.HEAD_BYTES, visitor)) {
        return false;
      }
    }
    resume(page, cursor);
    return true;
  }

  private static void resume(RegionScan.Page page, ScanCursor cursor) {
    if (page.resume() != null) {
      cursor.resumeAt(page.resume());
    }
  }

  private static boolean isHidden(Space space, byte[] key) {
    if (space.number() != 0) {
      return false;
    }
    int row = KeyCodec.partitionEnd(key, key.length) + 1;
    return row < key.length && key[row] == 0;
  }

  /**
   * Returns the number of records to fetch at most. In the catalogue there is no limit, because
   * hidden rows of the engine lie between the records that a visitor sees.
   */
  private static int wanted(Space space, RecordVisitor visitor) {
    return space.number() == 0 ? Integer.MAX_VALUE : visitor.recordsMax();
  }

  private static boolean isInOnePartition(List<KeyRange> ranges) {
    return ranges.stream().allMatch(KeyRange::isInOnePartition)
        && ranges.stream().map(range -> range.from().partition()).distinct().count() == 1;
  }

  private static Durability durability(HBaseSettings settings) {
    return settings.durability() == io.lazuli.storage.Durability.DISK
        ? Durability.FSYNC_WAL
        : Durability.SYNC_WAL;
  }
}
