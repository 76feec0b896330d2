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
import io.lazuli.storage.RangeSplit;
import io.lazuli.storage.RecordKey;
import io.lazuli.storage.RecordVisitor;
import io.lazuli.storage.Space;
import io.lazuli.storage.SpaceKind;
import io.lazuli.storage.SpaceNames;
import io.lazuli.storage.StorageEngine;
import io.lazuli.storage.StorageException;
import io.lazuli.storage.StoreCut;
import io.lazuli.storage.TransactionBody;
import io.lazuli.storage.engine.ViewRules;
import io.lazuli.storage.hbase.balance.BalanceSettings;
import io.lazuli.storage.hbase.call.EngineThreads;
import io.lazuli.storage.hbase.call.RegionCalls;
import io.lazuli.storage.hbase.call.RegionScan;
import io.lazuli.storage.hbase.call.RegionServers;
import io.lazuli.storage.hbase.call.RequestSamples;
import io.lazuli.storage.hbase.call.Rows;
import io.lazuli.storage.hbase.call.Steps;
import io.lazuli.storage.hbase.call.StoreTable;
import io.lazuli.storage.hbase.call.StoredCell;
import io.lazuli.storage.hbase.chunk.ChunkFiles;
import io.lazuli.storage.hbase.chunk.ChunkFolder;
import io.lazuli.storage.hbase.chunk.HBaseChunkStore;
import io.lazuli.storage.hbase.cluster.BalanceRows;
import io.lazuli.storage.hbase.cluster.Balancer;
import io.lazuli.storage.hbase.cluster.ClockCells;
import io.lazuli.storage.hbase.cluster.ClockMeasurement;
import io.lazuli.storage.hbase.cluster.ClusterConnection;
import io.lazuli.storage.hbase.cluster.DropRows;
import io.lazuli.storage.hbase.cluster.DroppedRows;
import io.lazuli.storage.hbase.cluster.HomeKeys;
import io.lazuli.storage.hbase.cluster.Housekeeping;
import io.lazuli.storage.hbase.cluster.KeyNames;
import io.lazuli.storage.hbase.cluster.Leadership;
import io.lazuli.storage.hbase.cluster.PreSplits;
import io.lazuli.storage.hbase.cluster.RegionAdmin;
import io.lazuli.storage.hbase.cluster.TableSetup;
import io.lazuli.storage.hbase.commit.Attempts;
import io.lazuli.storage.hbase.commit.ClusterClock;
import io.lazuli.storage.hbase.commit.Committer;
import io.lazuli.storage.hbase.commit.CutRow;
import io.lazuli.storage.hbase.commit.Homes;
import io.lazuli.storage.hbase.commit.OwnRows;
import io.lazuli.storage.hbase.commit.SpaceNumbers;
import io.lazuli.storage.hbase.commit.StartCheck;
import io.lazuli.storage.hbase.commit.Transactions;
import io.lazuli.storage.hbase.cut.HBaseCuts;
import io.lazuli.storage.hbase.cut.HBaseRestore;
import io.lazuli.storage.hbase.format.StoreFormat;
import io.lazuli.storage.hbase.reclaim.Reclaimer;
import io.lazuli.storage.keys.KeyInterval;
import io.lazuli.storage.metrics.MetricVisitor;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.Durability;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stores records in an HBase cluster, which any number of servers may use at the same time. A
 * transaction is one conditional batch on the region of its partition; a partition never spans two
 * regions. Leases show that no server has dropped a space.
 */
final class HBaseEngine implements StorageEngine {
  private static final Logger log = LoggerFactory.getLogger(HBaseEngine.class);
  private static final Duration START_TIMEOUT = Duration.ofSeconds(60);

  private final ClusterConnection connection;
  private final EngineThreads threads;
  private final RegionCalls calls;
  private final Rows rows;
  private final RegionScan scan;
  private final Pushdown pushdown;
  private final ClusterClock clock;
  private final Attempts attempts;
  private final Homes homes;
  private final StoreFormat format;
  private final SpaceNumbers numbers;
  private final Transactions transactions;
  private final Housekeeping housekeeping;
  private final Balancer balancer;
  private final @Nullable ChunkFolder chunkFolder;
  private final PreSplits preSplits;
  private final HBaseChunkStore chunks;
  private final HBaseCuts cuts;
  private final KeyNames names = new KeyNames();

  private HBaseEngine(
      ClusterConnection connection,
      @Nullable ChunkFolder chunkFolder,
      EngineThreads threads,
      EngineConfig config,
      HBaseSettings settings,
      LongSupplier millis) {
    this.connection = connection;
    this.chunkFolder = chunkFolder;
    this.threads = threads;
    RequestSamples samples = new RequestSamples();
    RegionServers servers = servers(settings, threads);
    calls = new RegionCalls(connection.data(), settings.namespace(), servers, samples, threads);
    rows = new Rows(calls);
    StoreFormat.requireReadable(rows, settings.namespace(), Deadline.after(START_TIMEOUT));
    scan = new RegionScan(calls);
    pushdown = new Pushdown(settings.pushdown());
    ClockMeasurement measurement = new ClockMeasurement(new ClockCells(calls, rows), millis);
    clock = clock(measurement, config, millis);
    Committer committer = new Committer(calls, rows, threads);
    attempts = new Attempts(calls, rows, scan, committer, clock, durability(settings), threads);
    new StartCheck(rows, scan, committer, clock).run(attempts, Deadline.after(START_TIMEOUT));
    homes = new Homes(rows, attempts, settings.lease(), System::nanoTime);
    boolean unused = Steps.await(homes.recordLength(Deadline.after(START_TIMEOUT)));
    // After the rows that every start writes: a restore that finds the store empty was seen here.
    HBaseRestore.requireComplete(rows, settings.namespace(), Deadline.after(START_TIMEOUT));
    format = new StoreFormat(attempts, settings.format());
    numbers = new SpaceNumbers(attempts);
    transactions = new Transactions(attempts, homes, threads, config, settings.transactions());
    CutRow cut = new CutRow(attempts, calls, clock);
    ChunkFiles files =
        ChunkFiles.open(
            chunkFolder, attempts, durability(settings) == Durability.FSYNC_WAL, threads);
    chunks =
        new HBaseChunkStore(
            calls,
            rows,
            scan,
            attempts,
            numbers,
            clock,
            cut,
            files,
            durability(settings),
            settings.chunkGrace());
    RegionAdmin regions = new RegionAdmin(connection.admin(), settings.namespace());
    BalanceRows balanceRows = new BalanceRows(calls, rows, scan, attempts, clock);
    Leadership leadership = new Leadership(attempts, System::nanoTime);
    housekeeping =
        new Housekeeping(
            leadership,
            measurement,
            clock,
            reclaimer(settings, regions, balanceRows),
            settings.reclaim().after(),
            cut,
            chunks::reclaim);
    cuts =
        new HBaseCuts(
            connection,
            settings.namespace(),
            files == null ? null : files.folder(),
            cut,
            calls,
            rows,
            attempts,
            clock,
            regions);
    balancer =
        new Balancer(
            leadership::isLeader,
            regions,
            balanceRows,
            samples,
            new HomeKeys(scan),
            names,
            settings.balance());
    preSplits = new PreSplits(regions, balanceRows, names);
    format.join();
    calls.admit(format);
    threads.every(format.renewal(), format::begin);
    housekeeping.start();
    balancer.start();
  }

  private Reclaimer reclaimer(HBaseSettings settings, RegionAdmin regions, BalanceRows journal) {
    return new Reclaimer(
        new DropRows(scan, attempts),
        new DroppedRows(calls, regions, journal, names),
        settings.reclaim(),
        settings.balance().mode() == BalanceSettings.Mode.ON,
        clock::cellMillis);
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
    EngineThreads threads = new EngineThreads();
    ChunkFolder chunkFolder = null;
    try {
      chunkFolder = chunkFolder(site, connection);
      new TableSetup(connection.admin(), settings.namespace()).run();
      return new HBaseEngine(connection, chunkFolder, threads, config, settings, millis);
    } catch (EngineOpenException e) {
      close(connection, chunkFolder, threads);
      throw e;
    } catch (StorageException e) {
      close(connection, chunkFolder, threads);
      throw new EngineOpenException("the cluster does not work: " + e.getMessage(), e);
    }
  }

  private static void close(
      ClusterConnection connection, @Nullable ChunkFolder chunkFolder, EngineThreads threads) {
    connection.close();
    threads.close();
    if (chunkFolder != null) {
      chunkFolder.close();
    }
  }

  /** Connects to the folder of chunks; null if the settings have none. */
  static @Nullable ChunkFolder chunkFolder(Configuration site, ClusterConnection connection) {
    URI place = HBaseSettings.chunkFolder(site);
    return place == null ? null : ChunkFolder.connect(site, connection.user().identity(), place);
  }

  @Override
  public <R> CompletableFuture<R> transact(
      Partition partition, List<Bytes> touch, Deadline deadline, TransactionBody<R> body) {
    return transactions.submit(partition, touch, deadline, body);
  }

  @Override
  public CompletableFuture<byte @Nullable []> read(RecordKey key, Deadline deadline) {
    CompletableFuture<byte @Nullable []> value = new CompletableFuture<>();
    Steps.listen(
        Steps.begin(() -> readRecord(key, deadline)), value, cell -> value.complete(cell.value()));
    return value;
  }

  private CompletableFuture<StoredCell> readRecord(RecordKey key, Deadline deadline) {
    calls.requireOpen();
    Space space = key.partition().space();
    return ViewRules.isHidden(space, key.row())
        ? CompletableFuture.completedFuture(StoredCell.ABSENT)
        : homes.reading(space, deadline, () -> rows.read(key.partition(), key.row(), deadline));
  }

  @Override
  public CompletableFuture<@Nullable Void> scan(
      Space space,
      List<KeyRange> ranges,
      Direction direction,
      Deadline deadline,
      RecordVisitor visitor) {
    CompletableFuture<@Nullable Void> end = new CompletableFuture<>();
    Steps.listen(
        Steps.begin(
            () ->
                new ScanRun(scan, homes, pushdown, space, ranges, direction, deadline, visitor)
                    .start()),
        end,
        done -> end.complete(null));
    return end;
  }

  @Override
  public CompletableFuture<Boolean> exists(Space space, Deadline deadline) {
    return Steps.begin(
        () -> {
          calls.requireOpen();
          deadline.check();
          return homes.exists(space, deadline);
        });
  }

  @Override
  public CompletableFuture<Long> newSpace(SpaceKind kind, Deadline deadline) {
    return Steps.begin(
        () -> {
          calls.requireOpen();
          deadline.check();
          return numbers.next(kind, deadline);
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
  public StoreCut cut() throws IOException {
    return cuts.begin();
  }

  @Override
  public boolean isShared() {
    return true;
  }

  @Override
  public int format() {
    return format.number();
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
    return new EngineFaults(
            format.fault().isEmpty() ? attempts.fault() : format.fault(),
            clock.fault(),
            connection.user().fault(),
            calls.fault(),
            housekeeping.fault(),
            housekeeping.leads() ? chunks.reclaimFault() : "")
        .state(detail);
  }

  @Override
  public void metrics(MetricVisitor visitor) {
    calls.metrics(visitor);
    scan.metrics(visitor);
    visitor.gauge(
        "lazuli_hbase_pages_ahead",
        "Pages that scans read ahead in other regions.",
        pushdown.aheadCount());
    visitor.gauge(
        "lazuli_hbase_transactions_waiting",
        "Transactions that wait for others of their partition, or for memory.",
        transactions.waiting());
    visitor.counter(
        "lazuli_hbase_conflicts",
        "Commits that were refused because another transaction was faster; they are repeated.",
        attempts.conflicts());
    visitor.counter(
        "lazuli_hbase_unknown_outcomes",
        "Transactions of which nobody can tell whether they took place.",
        attempts.unknownOutcomes());
    visitor.counter(
        "lazuli_damage_found",
        "Reads that met damaged data.",
        chunks.damageFound(),
        "kind",
        "chunk");
    visitor.gauge(
        "lazuli_reclaim_waiting",
        "Dropped tables, queues and containers whose bytes are still to be freed.",
        housekeeping.dropsWaiting());
  }

  @Override
  public void nameSpaces(SpaceNames newNames) {
    names.use(newNames);
  }

  @Override
  public CompletableFuture<Optional<PartitionMap>> partitionMap() {
    return Steps.begin(
        () -> {
          calls.requireOpen();
          return Steps.map(balancer.map(), Optional::of);
        });
  }

  @Override
  public CompletableFuture<Optional<RangeSplit>> splitRanges(List<Partition> at) {
    return Steps.begin(
        () -> {
          calls.requireOpen();
          return Steps.map(preSplits.step(at), Optional::of);
        });
  }

  @Override
  public void close() {
    if (calls.isClosed()) {
      return;
    }
    transactions.close();
    balancer.close();
    preSplits.close();
    housekeeping.close();
    recordTime();
    leave();
    calls.close();
    chunks.close();
    close(connection, chunkFolder, threads);
  }

  /**
   * Returns how many commits of this server were refused because another transaction had written
   * the same records.
   */
  long conflicts() {
    return attempts.conflicts();
  }

  /** Returns how many calls this server has sent to region servers. */
  long calls() {
    return calls.sent();
  }

  /** Returns how many commits of this server were sent in calls that they shared. */
  long sharedCommits() {
    return attempts.shared();
  }

  /** Returns how many records of a space are still stored, even if the space was dropped. */
  long storedRecords(long space) {
    LongAdder count = new LongAdder();
    return Steps.await(
        scan.pages(
            StoreTable.of(space),
            KeyInterval.ofSpace(space),
            () -> RegionScan.PAGE_RECORDS_MAX,
            Deadline.NEVER,
            page -> {
              count.add(page.cells().size());
              return count.sum();
            }));
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
    long floor = OwnRows.decode(Steps.await(rows.read(OwnRows.STORE, OwnRows.TIME, deadline)));
    return new ClusterClock(config.ticks(), millis, floor, offset, System::nanoTime);
  }

  /**
   * Stores the highest time that this server has given, so that the next server to start does not
   * give an earlier one.
   */
  private void recordTime() {
    long highest = clock.highest();
    try {
      Steps.await(
          attempts.run(
              OwnRows.STORE,
              Deadline.after(Duration.ofSeconds(5)),
              view -> {
                if (OwnRows.decode(view.condition(OwnRows.TIME)) < highest) {
                  view.putOwn(OwnRows.TIME, OwnRows.encode(highest));
                }
                return true;
              }));
    } catch (StorageException e) {
      // Little is lost: the records contain their timestamps, so only times that no record contains
      // could be given again.
      return;
    }
  }

  /** Leaves the servers that use the store, so that no other server waits for the lease to end. */
  private void leave() {
    try {
      format.leave();
    } catch (StorageException e) {
      // The others wait for the end of the lease.
      return;
    }
  }

  private static RegionServers servers(HBaseSettings settings, EngineThreads threads) {
    return new RegionServers(
        settings.calls(), settings.queued(), settings.silence(), threads, System::nanoTime);
  }

  private static Durability durability(HBaseSettings settings) {
    return settings.durability() == io.lazuli.storage.Durability.DISK
        ? Durability.FSYNC_WAL
        : Durability.SYNC_WAL;
  }
}
