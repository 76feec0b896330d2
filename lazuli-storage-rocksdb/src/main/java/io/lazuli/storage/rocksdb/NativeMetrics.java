package io.lazuli.storage.rocksdb;

import io.lazuli.storage.metrics.MetricVisitor;
import java.util.Map;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.Statistics;
import org.rocksdb.TickerType;

/** Shows the counters and properties of RocksDB as metrics. Used while the store is open. */
final class NativeMetrics {
  private static final double MICROS_PER_SECOND = 1e6;

  /** RocksDB has seven levels by default. */
  private static final int LEVELS = 7;

  private final RocksDB db;
  private final Map<Family, ColumnFamilyHandle> families;
  private final Statistics statistics;

  NativeMetrics(RocksDB db, Map<Family, ColumnFamilyHandle> families, Statistics statistics) {
    this.db = db;
    this.families = families;
    this.statistics = statistics;
  }

  void show(MetricVisitor visitor) {
    cache(visitor);
    written(visitor);
    compaction(visitor);
    stalls(visitor);
    sizes(visitor);
  }

  private void cache(MetricVisitor visitor) {
    lookups(visitor, "data", "hit", TickerType.BLOCK_CACHE_DATA_HIT);
    lookups(visitor, "data", "miss", TickerType.BLOCK_CACHE_DATA_MISS);
    lookups(visitor, "index", "hit", TickerType.BLOCK_CACHE_INDEX_HIT);
    lookups(visitor, "index", "miss", TickerType.BLOCK_CACHE_INDEX_MISS);
    lookups(visitor, "filter", "hit", TickerType.BLOCK_CACHE_FILTER_HIT);
    lookups(visitor, "filter", "miss", TickerType.BLOCK_CACHE_FILTER_MISS);
  }

  private void lookups(MetricVisitor visitor, String block, String result, TickerType ticker) {
    visitor.counter(
        "lazuli_rocksdb_cache_lookups",
        "Lookups in RocksDB's block cache.",
        statistics.getTickerCount(ticker),
        "block",
        block,
        "result",
        result);
  }

  private void written(MetricVisitor visitor) {
    written(visitor, "server", TickerType.BYTES_WRITTEN);
    written(visitor, "log", TickerType.WAL_FILE_BYTES);
    written(visitor, "flush", TickerType.FLUSH_WRITE_BYTES);
    written(visitor, "compaction", TickerType.COMPACT_WRITE_BYTES);
  }

  private void written(MetricVisitor visitor, String by, TickerType ticker) {
    visitor.counter(
        "lazuli_rocksdb_written_bytes",
        "Bytes that the server handed to RocksDB, and that RocksDB wrote to disk.",
        statistics.getTickerCount(ticker),
        "by",
        by);
  }

  private void compaction(MetricVisitor visitor) {
    visitor.counter(
        "lazuli_rocksdb_compaction_read_bytes",
        "Bytes that compactions read.",
        statistics.getTickerCount(TickerType.COMPACT_READ_BYTES));
    visitor.gauge(
        "lazuli_rocksdb_compaction_pending_bytes",
        "Bytes that compactions have to rewrite, as RocksDB estimates.",
        sum("rocksdb.estimate-pending-compaction-bytes"));
    visitor.gauge(
        "lazuli_rocksdb_compactions_running",
        "Compactions that run now.",
        first("rocksdb.num-running-compactions"));
    visitor.gauge(
        "lazuli_rocksdb_flushes_running",
        "Flushes of memtables that run now.",
        first("rocksdb.num-running-flushes"));
    visitor.gauge(
        "lazuli_rocksdb_background_errors",
        "Errors of flushes and compactions since the start.",
        first("rocksdb.background-errors"));
  }

  private void stalls(MetricVisitor visitor) {
    visitor.counter(
        "lazuli_rocksdb_stall_seconds",
        "Time for which RocksDB held back writes because compaction fell behind.",
        statistics.getTickerCount(TickerType.STALL_MICROS) / MICROS_PER_SECOND);
    visitor.gauge(
        "lazuli_rocksdb_writes_stopped",
        "1 while RocksDB accepts no writes because compaction fell behind.",
        first("rocksdb.is-write-stopped"));
    visitor.gauge(
        "lazuli_rocksdb_delayed_write_bytes_per_second",
        "The rate to which RocksDB slows down writes; 0 if it does not.",
        first("rocksdb.actual-delayed-write-rate"));
  }

  private void sizes(MetricVisitor visitor) {
    visitor.gauge(
        "lazuli_rocksdb_memtable_bytes",
        "Bytes of memtables, including those that are being flushed.",
        sum("rocksdb.cur-size-all-mem-tables"));
    visitor.gauge(
        "lazuli_rocksdb_cache_bytes",
        "Bytes in the block cache, which includes the memtables.",
        first("rocksdb.block-cache-usage"));
    visitor.gauge(
        "lazuli_rocksdb_cache_limit_bytes",
        "The size of the block cache.",
        first("rocksdb.block-cache-capacity"));
    for (int level = 0; level < LEVELS; level++) {
      visitor.gauge(
          "lazuli_rocksdb_files",
          "Table files of all families, by level.",
          sum("rocksdb.num-files-at-level" + level),
          "level",
          Integer.toString(level));
    }
    families.forEach(
        (family, handle) ->
            visitor.gauge(
                "lazuli_rocksdb_table_bytes",
                "Bytes of table files, by family.",
                number(handle, "rocksdb.total-sst-files-size"),
                "family",
                family.title()));
  }

  private double sum(String property) {
    return families.values().stream().mapToDouble(handle -> number(handle, property)).sum();
  }

  /** Returns a property of the whole database, which every family reports. */
  private double first(String property) {
    return number(families.values().iterator().next(), property);
  }

  private double number(ColumnFamilyHandle handle, String property) {
    try {
      return Double.parseDouble(db.getProperty(handle, property));
    } catch (RocksDBException | NumberFormatException e) {
      return Double.NaN;
    }
  }
}
