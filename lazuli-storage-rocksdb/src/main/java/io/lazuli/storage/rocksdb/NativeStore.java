package io.lazuli.storage.rocksdb;

import io.lazuli.storage.Durability;
import io.lazuli.storage.EngineOpenException;
import io.lazuli.storage.StorageException;
import io.lazuli.storage.metrics.MetricVisitor;
import io.lazuli.storage.rocksdb.disk.NativeLibrary;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.rocksdb.AbstractNativeReference;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.Cache;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.CompressionType;
import org.rocksdb.DBOptions;
import org.rocksdb.FlushOptions;
import org.rocksdb.HistogramType;
import org.rocksdb.HyperClockCache;
import org.rocksdb.LogFile;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.Statistics;
import org.rocksdb.Status;
import org.rocksdb.WALRecoveryMode;
import org.rocksdb.WalFileType;
import org.rocksdb.WriteBufferManager;
import org.rocksdb.WriteOptions;

/**
 * The RocksDB database with its families and options: opens all native objects and closes them, in
 * the right order. The handles it lends are valid until {@link #close}; {@link NativeGate} keeps
 * callers away after that. Thread-safe.
 *
 * <p><b>Memory.</b> Block cache, index and filter blocks and write buffers share one budget. The
 * write buffers of all families may take a third of it. They are charged to the cache, so that
 * reads can use the memory that the buffers do not need.
 */
final class NativeStore implements AutoCloseable {
  private static final long MIB = 1L << 20;
  private static final long WRITE_BUFFER_BYTES_MAX = 64 * MIB;
  private static final int WRITE_BUFFERS_MAX = 4;

  /**
   * Limits the logs that a start after a kill has to read. Beyond this, RocksDB flushes the
   * families that still need old logs.
   */
  private static final long LOGS_BYTES_MAX = 192 * MIB;

  /**
   * The amount of log that a start may have to read after a normal close: it takes well under a
   * tenth of a second.
   */
  private static final long REPLAY_BYTES_MAX = 8 * MIB;

  /** RocksDB keeps logs for this long if nobody removes them; {@link KeptLog} does so earlier. */
  private static final long KEPT_LOGS_SECONDS = TimeUnit.DAYS.toSeconds(365);

  /**
   * The number of range tombstones after which a write buffer is flushed, because each of them
   * slows every read of its family.
   */
  private static final int RANGE_DELETIONS_MAX = 32;

  /**
   * The share of the store in one table file. Small files make a small store's backups small: a
   * compaction writes whole files, and each new file is copied. The bounds keep the number of files
   * moderate in a large store and the files reasonable in a small one (decision 0041).
   */
  private static final int TABLE_FILES = 256;

  private static final long TABLE_FILE_BYTES_MIN = 2 * MIB;
  private static final long TABLE_FILE_BYTES_MAX = 64 * MIB;

  private final Deque<AbstractNativeReference> natives = new ArrayDeque<>();
  private final Map<Family, ColumnFamilyHandle> handles = new EnumMap<>(Family.class);
  private final RecordDamage damage = new RecordDamage();
  private final Statistics statistics;
  private final RocksDB db;
  private final ReadOptions pointReads;
  private final WriteOptions durableWrites;
  private final WriteOptions backgroundWrites;
  private final long memoryBytes;

  /** How a database is opened. */
  private enum Mode {
    NORMAL,
    /** Keeps logs that are not needed any more, in the folder {@code archive}. */
    KEEPS_LOGS,
    /** Writes nothing. Opens even if tables are damaged. */
    READ_ONLY,
    /** Compacts nothing. Opens even if tables are damaged. */
    REPAIR
  }

  private NativeStore(
      Path folder,
      Durability durability,
      long memoryBytes,
      @Nullable Statistics statistics,
      Mode mode)
      throws RocksDBException {
    this.memoryBytes = memoryBytes;
    try {
      this.statistics = statistics == null ? own(counters()) : statistics;
      this.db = openDatabase(folder, mode);
      this.pointReads = own(new ReadOptions());
      this.durableWrites = own(new WriteOptions().setSync(durability == Durability.DISK));
      this.backgroundWrites =
          own(new WriteOptions().setSync(durability == Durability.DISK).setLowPri(true));
    } catch (RocksDBException | RuntimeException e) {
      close();
      throw e;
    }
  }

  /**
   * Opens the database, and creates it if it does not exist.
   *
   * @param statistics RocksDB's counters and histograms, for tests; null for counters alone
   */
  static NativeStore open(
      Path folder, Durability durability, long memoryBytes, @Nullable Statistics statistics) {
    NativeLibrary.load(folder.resolveSibling("native"));
    return open(folder, durability, memoryBytes, statistics, Mode.NORMAL);
  }

  /** Opens the database so that old logs stay until somebody removes them. */
  static NativeStore openKeepingLogs(
      Path folder, Durability durability, long memoryBytes, @Nullable Statistics statistics) {
    NativeLibrary.load(folder.resolveSibling("native"));
    return open(folder, durability, memoryBytes, statistics, Mode.KEEPS_LOGS);
  }

  /** Opens the database of an unfinished restore. */
  static NativeStore openToReplay(Path folder, long memoryBytes) {
    RocksDB.loadLibrary();
    return open(folder, Durability.DISK, memoryBytes, null, Mode.NORMAL);
  }

  /** Opens the database without changing a file, and even if its tables are damaged. */
  static NativeStore openReadOnly(Path folder, long memoryBytes) {
    RocksDB.loadLibrary();
    return open(folder, Durability.DISK, memoryBytes, null, Mode.READ_ONLY);
  }

  /** Opens the database for a repair: its tables may be damaged, and nothing is compacted. */
  static NativeStore openToRepair(Path folder, long memoryBytes) {
    RocksDB.loadLibrary();
    return open(folder, Durability.DISK, memoryBytes, null, Mode.REPAIR);
  }

  private static NativeStore open(
      Path folder,
      Durability durability,
      long memoryBytes,
      @Nullable Statistics statistics,
      Mode mode) {
    try {
      return new NativeStore(folder, durability, memoryBytes, statistics, mode);
    } catch (RocksDBException e) {
      throw new EngineOpenException(
          "cannot open the store in " + folder + ": " + e.getMessage(), e);
    }
  }

  RocksDB db() {
    return db;
  }

  ColumnFamilyHandle handle(Family family) {
    ColumnFamilyHandle handle = handles.get(family);
    if (handle == null) {
      throw new IllegalStateException("every family is open");
    }
    return handle;
  }

  ReadOptions pointReads() {
    return pointReads;
  }

  /** Returns options for writes that are synced, unless durability is relaxed. */
  WriteOptions durableWrites() {
    return durableWrites;
  }

  /**
   * Returns options for writes that yield when compaction cannot keep up. They are synced like all
   * others: if several batches were unsynced, a power cut could damage one that is not the last,
   * and this looks like a damaged log.
   */
  WriteOptions backgroundWrites() {
    return backgroundWrites;
  }

  /**
   * Returns the sequence number of the last change that readers see. The change is synced, unless
   * durability is relaxed.
   */
  long publishedSequence() {
    return db.getLatestSequenceNumber();
  }

  long memoryBytes() {
    return memoryBytes;
  }

  /** Returns the damage that reads have found. */
  RecordDamage damage() {
    return damage;
  }

  /** Shows what RocksDB counts and holds. The caller keeps the store open. */
  void metrics(MetricVisitor visitor) {
    new NativeMetrics(db, handles, statistics).show(visitor);
    visitor.counter(
        "lazuli_damage_found", "Reads that met damaged data.", damage.count(), "kind", "record");
  }

  /** Translates a failed read for the caller. */
  StorageException failedRead(RocksDBException e) {
    Status status = e.getStatus();
    String message = "the store could not be read: " + e.getMessage();
    return status != null && status.getCode() == Status.Code.Corruption
        ? damage.found(message, e)
        : new StorageException(StorageException.Kind.UNAVAILABLE, message, e);
  }

  /**
   * Syncs the log before a close. Flushes the write buffers too if the next start would take long
   * to rebuild them from the log.
   */
  void syncBeforeClose() throws RocksDBException {
    db.syncWal();
    long logsBytes =
        db.getSortedWalFiles().stream()
            .filter(file -> file.type() == WalFileType.kAliveLogFile)
            .mapToLong(LogFile::sizeFileBytes)
            .sum();
    if (logsBytes > REPLAY_BYTES_MAX) {
      flush();
    }
  }

  /** Flushes the write buffers of all families, so that no log is needed any more. */
  void flush() throws RocksDBException {
    try (FlushOptions options = new FlushOptions()) {
      db.flush(options, List.copyOf(handles.values()));
    }
  }

  /** Closes everything in the reverse order of opening. */
  @Override
  public void close() {
    for (AbstractNativeReference next = natives.pollLast();
        next != null;
        next = natives.pollLast()) {
      next.close();
    }
  }

  /**
   * Creates counters without histograms. Histograms would make RocksDB read the clock in every
   * call.
   */
  private static Statistics counters() {
    return new Statistics(EnumSet.allOf(HistogramType.class));
  }

  private RocksDB openDatabase(Path folder, Mode mode) throws RocksDBException {
    Cache cache = own(new HyperClockCache(memoryBytes, 0, -1, false));
    long buffersBytes = memoryBytes / 3;
    DBOptions options = own(databaseOptions());
    options.setWriteBufferManager(own(new WriteBufferManager(buffersBytes, cache)));
    options.setStatistics(statistics);
    boolean serves = mode == Mode.NORMAL || mode == Mode.KEEPS_LOGS;
    options.setParanoidChecks(serves);
    if (mode == Mode.KEEPS_LOGS) {
      options.setWalTtlSeconds(KEPT_LOGS_SECONDS);
    }
    ColumnFamilyOptions familyOptions =
        own(familyOptions(cache, buffersBytes).setTargetFileSizeBase(tableFileBytes(folder)));
    familyOptions.setDisableAutoCompactions(!serves);
    List<ColumnFamilyDescriptor> descriptors = new ArrayList<>();
    for (Family family : Family.values()) {
      descriptors.add(new ColumnFamilyDescriptor(family.label(), familyOptions));
    }
    List<ColumnFamilyHandle> opened = new ArrayList<>();
    RocksDB database =
        own(
            mode == Mode.READ_ONLY
                ? RocksDB.openReadOnly(options, folder.toString(), descriptors, opened)
                : RocksDB.open(options, folder.toString(), descriptors, opened));
    Iterator<ColumnFamilyHandle> inOrder = opened.iterator();
    for (Family family : Family.values()) {
      handles.put(family, own(inOrder.next()));
    }
    return database;
  }

  private static long tableFileBytes(Path folder) {
    return Math.max(
        TABLE_FILE_BYTES_MIN, Math.min(TABLE_FILE_BYTES_MAX, tablesBytes(folder) / TABLE_FILES));
  }

  private static long tablesBytes(Path folder) {
    try (Stream<Path> files = Files.list(folder)) {
      long sum = 0;
      for (Path file : files.filter(each -> each.toString().endsWith(".sst")).toList()) {
        sum += Files.size(file);
      }
      return sum;
    } catch (IOException e) {
      // RocksDB itself reports a folder that cannot be read.
      return 0;
    }
  }

  private static DBOptions databaseOptions() {
    int cores = Runtime.getRuntime().availableProcessors();
    return new DBOptions()
        .setCreateIfMissing(true)
        .setCreateMissingColumnFamilies(true)
        // Reads a log up to the point where a power cut tore it. DatabaseLog has checked that
        // everything that was synced comes before that point.
        .setWalRecoveryMode(WALRecoveryMode.PointInTimeRecovery)
        // A family with few writes would otherwise keep old logs forever.
        .setMaxTotalWalSize(LOGS_BYTES_MAX)
        // Spreads flushes over time, so that they do not delay the syncs of the log.
        .setBytesPerSync(MIB)
        .setMaxBackgroundJobs(Math.max(2, cores / 2))
        .setMaxLogFileSize(8 * MIB)
        .setKeepLogFileNum(4);
  }

  private ColumnFamilyOptions familyOptions(Cache cache, long buffersBytes) {
    BlockBasedTableConfig table =
        new BlockBasedTableConfig()
            .setBlockCache(cache)
            .setBlockSize(16 << 10)
            .setFilterPolicy(own(new BloomFilter(10)))
            .setCacheIndexAndFilterBlocks(true)
            .setPinL0FilterAndIndexBlocksInCache(true);
    return new ColumnFamilyOptions()
        .setLevelCompactionDynamicLevelBytes(true)
        .setCompressionType(CompressionType.LZ4_COMPRESSION)
        .setBottommostCompressionType(CompressionType.ZSTD_COMPRESSION)
        .setWriteBufferSize(Math.min(WRITE_BUFFER_BYTES_MAX, buffersBytes / 2))
        .setMaxWriteBufferNumber(WRITE_BUFFERS_MAX)
        .setMemtableMaxRangeDeletions(RANGE_DELETIONS_MAX)
        .setTableFormatConfig(table);
  }

  private <T extends AbstractNativeReference> T own(T reference) {
    natives.addLast(reference);
    return reference;
  }
}
