package io.lazuli.storage.rocksdb;

import io.lazuli.storage.Bytes;
import io.lazuli.storage.ChangeLog;
import io.lazuli.storage.ChunkStore;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.Direction;
import io.lazuli.storage.EngineConfig;
import io.lazuli.storage.EngineOpenException;
import io.lazuli.storage.EngineState;
import io.lazuli.storage.KeyRange;
import io.lazuli.storage.Partition;
import io.lazuli.storage.RecordKey;
import io.lazuli.storage.RecordVisitor;
import io.lazuli.storage.Space;
import io.lazuli.storage.SpaceKind;
import io.lazuli.storage.StorageEngine;
import io.lazuli.storage.StorageException;
import io.lazuli.storage.StoreCut;
import io.lazuli.storage.StoredFiles;
import io.lazuli.storage.TransactionBody;
import io.lazuli.storage.engine.DroppedSpaces;
import io.lazuli.storage.engine.EngineClock;
import io.lazuli.storage.engine.LocalCall;
import io.lazuli.storage.engine.ViewRules;
import io.lazuli.storage.keys.KeyCodec;
import io.lazuli.storage.metrics.MetricVisitor;
import io.lazuli.storage.rocksdb.chunk.ChunkFiles;
import io.lazuli.storage.rocksdb.chunk.ChunkFolder;
import io.lazuli.storage.rocksdb.disk.DataFolder;
import io.lazuli.storage.rocksdb.disk.FileOutput;
import io.lazuli.storage.rocksdb.log.BatchContents;
import io.lazuli.storage.rocksdb.log.DatabaseLog;
import io.lazuli.storage.rocksdb.log.LogFollower;
import io.lazuli.storage.rocksdb.log.LogMarker;
import io.lazuli.storage.rocksdb.log.LogWriter;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDBException;
import org.rocksdb.Statistics;
import org.rocksdb.WriteOptions;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps records in one RocksDB database. Transactions go through one {@link CommitLane}. Reads and
 * scans run alongside it, on the caller's thread. Only one engine at a time can have a data folder
 * open.
 *
 * <p>A read checks whether the space was dropped <em>after</em> it has read the bytes. If the space
 * is not in the set of dropped spaces at that moment, it was not dropped when the bytes were read,
 * so none of its records had been reclaimed. Scans never use a snapshot with later reads, because
 * reclaiming deletes whole files without regard to snapshots.
 */
public final class RocksDbEngine implements StorageEngine {
  private static final Logger LOG = LoggerFactory.getLogger(RocksDbEngine.class);

  private final DataFolder folder;
  private final NativeStore store;
  private final EngineClock clock;
  private final SpaceNumbers numbers;
  private final CommitLane lane;
  private final Reclaimer reclaimer;
  private final LogMarker marker;
  private final DroppedSpaces dropped = new DroppedSpaces();
  private final NativeGate gate = new NativeGate();
  private final ThreadLocal<PointReader> readers;
  private final ChunkFiles chunks;
  private final @Nullable KeptLog keptLog;

  private RocksDbEngine(
      EngineConfig config,
      DataFolder folder,
      NativeStore store,
      UnaryOperator<LogWriter> logWrapper,
      FileOutput chunkOutput) {
    this.folder = folder;
    this.store = store;
    this.readers = ThreadLocal.withInitial(() -> new PointReader(store));
    TimestampMark mark = TimestampMark.load(store, config.ticks());
    this.clock = mark.clock();
    boolean keepsLog = config.keptLogBytesMax() > 0;
    LogWriter log = logWrapper.apply(writer(store.durableWrites(), keepsLog));
    this.numbers = SpaceNumbers.load(store, log);
    List<Drop> drops = Drop.findAll(store);
    drops.forEach(drop -> dropped.add(drop.space()));
    LogWriter background = logWrapper.apply(writer(store.backgroundWrites(), keepsLog));
    this.reclaimer = new Reclaimer(store, background, this::logFailed, clock);
    Drain drain = new Drain(store, dropped, mark);
    this.lane = new CommitLane(config, drain, dropped, log, reclaimer::add);
    this.chunks =
        new ChunkFiles(
            this, new ChunkFolder(folder.chunks(), config.durability(), keepsLog), chunkOutput);
    openChunks();
    this.keptLog =
        keepsLog ? new KeptLog(store, gate, folder, clock, chunks, config.keptLogBytesMax()) : null;
    this.marker = LogMarker.open(folder.database(), config.durability(), store::publishedSequence);
    marker.start();
    if (keptLog != null) {
      keptLog.start();
    }
    reclaimer.start(drops);
    lane.start();
  }

  /** Returns a writer to the log. A batch that an archive will read carries its time. */
  private LogWriter writer(WriteOptions options, boolean timed) {
    return batch -> {
      if (timed) {
        batch.putLogData(BatchContents.timeNote(clock.wall()));
      }
      store.db().write(options, batch);
    };
  }

  private void logFailed(RocksDBException cause) {
    lane.fail(cause);
  }

  /**
   * Opens the data folder, and creates it if it does not exist.
   *
   * @throws EngineOpenException if the folder is in use, not a data folder, newer than this server,
   *     or damaged
   */
  public static RocksDbEngine open(EngineConfig config) {
    return open(config, null, UnaryOperator.identity());
  }

  /**
   * Opens an engine for a test, which can pass RocksDB's counters and replace the writer of the
   * log.
   */
  static RocksDbEngine open(
      EngineConfig config, @Nullable Statistics statistics, UnaryOperator<LogWriter> logWrapper) {
    return open(config, statistics, logWrapper, FileChannel::write);
  }

  /** Opens an engine for a test, which can also replace the writer of chunks. */
  static RocksDbEngine open(
      EngineConfig config,
      @Nullable Statistics statistics,
      UnaryOperator<LogWriter> logWrapper,
      FileOutput chunkOutput) {
    DataFolder folder = DataFolder.open(config.folder());
    NativeStore store = null;
    try {
      new DatabaseLog(folder.root(), folder.database()).requireIntact();
      store = openStore(config, folder, statistics);
      folder.raiseFormat();
      removeCut(folder);
      return new RocksDbEngine(config, folder, store, logWrapper, chunkOutput);
    } catch (EngineOpenException | StorageException e) {
      if (store != null) {
        store.close();
      }
      folder.close();
      throw e instanceof EngineOpenException
          ? e
          : new EngineOpenException(
              "the store in " + config.folder() + " is damaged: " + e.getMessage(), e);
    }
  }

  private static NativeStore openStore(
      EngineConfig config, DataFolder folder, @Nullable Statistics statistics) {
    if (config.keptLogBytesMax() > 0) {
      return NativeStore.openKeepingLogs(
          folder.database(), config.durability(), config.memoryBytes(), statistics);
    }
    try {
      new LogFollower(folder.database()).removeAll();
    } catch (IOException e) {
      throw new EngineOpenException("cannot remove logs that were kept for an archive: " + e, e);
    }
    return NativeStore.open(
        folder.database(), config.durability(), config.memoryBytes(), statistics);
  }

  private static void removeCut(DataFolder folder) {
    try {
      RocksDbCut.remove(folder.cut());
    } catch (IOException e) {
      throw new EngineOpenException("cannot remove the remains of a backup: " + e, e);
    }
  }

  @Override
  public <R> CompletableFuture<R> transact(
      Partition partition, List<Bytes> touch, Deadline deadline, TransactionBody<R> body) {
    try {
      touch(partition, touch);
    } catch (StorageException e) {
      return CompletableFuture.failedFuture(e);
    }
    return lane.submit(partition, deadline, body);
  }

  @Override
  public CompletableFuture<byte @Nullable []> read(RecordKey key, Deadline deadline) {
    return LocalCall.<byte @Nullable []>run(() -> find(key, deadline));
  }

  private byte @Nullable [] find(RecordKey key, Deadline deadline) {
    deadline.check();
    Space space = key.partition().space();
    byte[] value = null;
    gate.enter();
    try {
      if (!ViewRules.isHidden(space, key.row())) {
        value = readers.get().read(Family.of(space), KeyCodec.encode(key));
      }
    } finally {
      gate.leave();
    }
    dropped.check(space);
    return value;
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
    deadline.check();
    gate.enter();
    try {
      if (!ranges.isEmpty()) {
        new RangeScan(store, space, deadline, () -> checkScan(space), visitor)
            .run(ranges, direction);
      }
    } finally {
      gate.leave();
    }
    dropped.check(space);
  }

  @Override
  public CompletableFuture<Boolean> exists(Space space, Deadline deadline) {
    return LocalCall.run(
        () -> {
          deadline.check();
          gate.enter();
          gate.leave();
          return !dropped.contains(space.guard());
        });
  }

  @Override
  public CompletableFuture<Long> spaceAfter(long number, Deadline deadline) {
    return LocalCall.run(
        () -> {
          deadline.check();
          gate.enter();
          try {
            return StoredSpaces.after(store, number);
          } finally {
            gate.leave();
          }
        });
  }

  @Override
  public CompletableFuture<Long> newSpace(SpaceKind kind, Deadline deadline) {
    return LocalCall.run(
        () -> {
          deadline.check();
          return nextSpace(kind);
        });
  }

  private long nextSpace(SpaceKind kind) {
    gate.enter();
    try {
      EngineState state = lane.state();
      if (!state.writable()) {
        throw new StorageException(StorageException.Kind.UNAVAILABLE, state.detail());
      }
      return numbers.next(kind);
    } finally {
      gate.leave();
    }
  }

  @Override
  public long now() {
    gate.checkOpen();
    return clock.now();
  }

  @Override
  public long clock() {
    gate.checkOpen();
    return clock.underlying();
  }

  @Override
  public ChunkStore chunks() {
    return chunks;
  }

  @Override
  public StoredFiles files() {
    return new DatabaseFiles(folder, store, gate, chunks, true);
  }

  @Override
  public EngineState state() {
    return gate.isClosed() ? new EngineState(false, "closed") : lane.state().withFault(fault());
  }

  @Override
  public void metrics(MetricVisitor visitor) {
    if (gate.isClosed()) {
      return;
    }
    gate.enter();
    try {
      lane.metrics(visitor);
      store.metrics(visitor);
      visitor.counter(
          "lazuli_damage_found",
          "Reads that met damaged data.",
          chunks.damageFound(),
          "kind",
          "chunk");
      visitor.gauge(
          "lazuli_reclaim_waiting",
          "Dropped tables, queues and containers whose bytes are still to be freed.",
          reclaimer.backlog());
    } finally {
      gate.leave();
    }
  }

  @Override
  public StoreCut cut() throws IOException {
    gate.enter();
    try {
      return RocksDbCut.make(store, folder, chunks, clock);
    } finally {
      gate.leave();
    }
  }

  @Override
  public @Nullable ChangeLog changes() {
    return keptLog;
  }

  /**
   * Finishes the queued transactions, then closes. Scans in progress end with {@code CLOSED}. Must
   * not be called on a thread of the engine.
   */
  @Override
  public synchronized void close() {
    if (gate.isClosed()) {
      return;
    }
    chunks.close();
    lane.close();
    reclaimer.close();
    marker.stop();
    if (keptLog != null) {
      keptLog.close();
    }
    gate.close();
    boolean synced = syncBeforeClose();
    store.close();
    if (synced) {
      finishMark();
    }
    folder.close();
  }

  /** Visible for tests. */
  NativeStore store() {
    return store;
  }

  /** Visible for tests. */
  LogMarker marker() {
    return marker;
  }

  /** Visible for tests. */
  Reclaimer reclaimer() {
    return reclaimer;
  }

  private void touch(Partition partition, List<Bytes> rows) {
    gate.enter();
    try {
      Family family = Family.of(partition.space());
      for (Bytes row : rows) {
        readers.get().touch(family, KeyCodec.encode(partition.row(row)));
      }
    } finally {
      gate.leave();
    }
  }

  private void openChunks() {
    try {
      chunks.removeStaleDrafts();
    } catch (IOException e) {
      throw new EngineOpenException("cannot open the chunks in the data folder: " + e, e);
    }
  }

  private String fault() {
    return Stream.of(
            store.damage().fault(),
            chunks.fault(),
            marker.fault(),
            keptLog == null ? "" : keptLog.fault(),
            reclaimer.fault())
        .filter(fault -> !fault.isEmpty())
        .collect(Collectors.joining("; "));
  }

  private void checkScan(Space space) {
    gate.checkOpen();
    dropped.check(space);
  }

  /** Syncs all writes that were not synced, before the folder is released. */
  private boolean syncBeforeClose() {
    try {
      store.syncBeforeClose();
      return true;
    } catch (RocksDBException e) {
      LOG.warn("the store could not be synced when it was closed: {}", e.getMessage());
      return false;
    }
  }

  /** Marks the whole log. Without this, the older mark stays, which is true as well. */
  private void finishMark() {
    try {
      marker.finish();
    } catch (IOException e) {
      LOG.warn("the mark of the log could not be written: {}", e.toString());
    }
  }
}
