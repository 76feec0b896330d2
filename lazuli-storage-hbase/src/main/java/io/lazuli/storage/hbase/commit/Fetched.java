package io.lazuli.storage.hbase.commit;

import io.lazuli.storage.Bytes;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.Partition;
import io.lazuli.storage.Position;
import io.lazuli.storage.StorageException;
import io.lazuli.storage.engine.ViewRules;
import io.lazuli.storage.hbase.call.RegionScan;
import io.lazuli.storage.hbase.call.Rows;
import io.lazuli.storage.hbase.call.Steps;
import io.lazuli.storage.hbase.call.StoreTable;
import io.lazuli.storage.hbase.call.StoredCell;
import io.lazuli.storage.keys.KeyCodec;
import io.lazuli.storage.keys.KeyInterval;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.jspecify.annotations.Nullable;

/**
 * Everything that the engine has fetched for one attempt of a transaction: rows, scans, and the
 * timestamps that it gave. All runs of the body in this attempt see the same. Mutable, used by one
 * thread at a time.
 */
final class Fetched {
  /** How often a body may stop for a fetch in one attempt. */
  static final int STOPS_MAX = 1_000;

  /** The bytes that one attempt may fetch. */
  static final long BYTES_MAX = 64L << 20;

  /**
   * A scan that a body asked for.
   *
   * @param to null for the end of the partition
   * @param rowsMax the number of rows that the body wants
   * @param storedMax the number of stored rows that suffice: the body's own changes may hide some
   */
  record ScanRequest(Bytes from, @Nullable Bytes to, int rowsMax, int storedMax) {
    /**
     * Returns true if the result of this request also answers another one. Its end may be another:
     * a body that reads a clock asks for a little more in each run, and gets what it asked for at
     * first.
     */
    boolean answers(ScanRequest other) {
      return from.equals(other.from)
          && (to == null) == (other.to == null)
          && rowsMax == other.rowsMax
          && storedMax >= other.storedMax;
    }
  }

  private record ScanResult(ScanRequest request, NavigableMap<Bytes, byte[]> rows) {}

  private record Given(Bytes row, long timestamp) {}

  private final Partition partition;
  private final StoreTable table;
  private final Rows rows;
  private final RegionScan scan;
  private final Deadline deadline;
  private final Map<Bytes, StoredCell> cells = new HashMap<>();

  /** The rows of {@link #cells} that were not read. */
  private final Set<Bytes> guesses = new HashSet<>();

  private final List<ScanResult> scans = new ArrayList<>();
  private final List<Given> given = new ArrayList<>();
  private long bytes;
  private int stops;

  Fetched(Partition partition, Rows rows, RegionScan scan, Deadline deadline) {
    this.partition = partition;
    this.table = StoreTable.of(partition.space().number());
    this.rows = rows;
    this.scan = scan;
    this.deadline = deadline;
  }

  Partition partition() {
    return partition;
  }

  StoreTable table() {
    return table;
  }

  Deadline deadline() {
    return deadline;
  }

  /** Returns a row; null if it was not fetched. */
  @Nullable StoredCell cell(Bytes row) {
    return cells.get(row);
  }

  /** Takes rows for absent without reading them. The commit has to check that they are. */
  void guessAbsent(Collection<Bytes> wanted) {
    for (Bytes row : wanted) {
      if (cells.putIfAbsent(row, StoredCell.ABSENT) == null) {
        guesses.add(row);
      }
    }
  }

  /** Returns true if the content of a row is a guess. */
  boolean isGuess(Bytes row) {
    return guesses.contains(row);
  }

  /** Returns all rows that were fetched, and those that were guessed. */
  Set<Bytes> rows() {
    return cells.keySet();
  }

  /**
   * Returns the stored rows of a scan; null if they were not fetched.
   *
   * @param index the number of scans that the body made before in the same run
   */
  @Nullable NavigableMap<Bytes, byte[]> scanned(int index, ScanRequest request) {
    if (index >= scans.size() || !scans.get(index).request.answers(request)) {
      return null;
    }
    NavigableMap<Bytes, byte[]> all = scans.get(index).rows;
    return request.to == null ? all : all.headMap(request.to, false);
  }

  /**
   * Returns the timestamp that an earlier run got at the same place; null if there was none. A body
   * may read a row whose key contains a timestamp, so each run must get the same.
   *
   * @param index the number of timestamps that the body got before in the same run
   */
  @Nullable Long given(int index, Bytes row) {
    return index < given.size() && given.get(index).row.equals(row)
        ? given.get(index).timestamp
        : null;
  }

  /** Keeps a timestamp for later runs. */
  void give(int index, Bytes row, long timestamp) {
    given.subList(Math.min(index, given.size()), given.size()).clear();
    given.add(new Given(row, timestamp));
  }

  /** Counts a stop of the body. Throws if there were too many. */
  void countStop() {
    stops++;
    if (stops > STOPS_MAX) {
      throw new StorageException(
          StorageException.Kind.UNAVAILABLE,
          "a transaction reads more than " + STOPS_MAX + " rows one after another");
    }
  }

  /** Returns the rows that were neither fetched nor guessed. */
  List<Bytes> missing(List<Bytes> wanted) {
    return wanted.stream().filter(row -> !cells.containsKey(row)).distinct().toList();
  }

  /** Fetches the rows that were not fetched before, in one call. */
  CompletableFuture<Boolean> fetch(List<Bytes> wanted) {
    List<Bytes> missing = missing(wanted);
    return missing.isEmpty()
        ? CompletableFuture.completedFuture(true)
        : Steps.map(rows.readAll(partition, missing, deadline), read -> keep(missing, read));
  }

  private boolean keep(List<Bytes> wanted, List<StoredCell> read) {
    for (int i = 0; i < wanted.size(); i++) {
      cells.put(wanted.get(i), read.get(i));
      count(read.get(i));
    }
    return true;
  }

  private void count(StoredCell cell) {
    byte[] stored = cell.stored();
    bytes += stored == null ? 0 : stored.length;
    if (bytes > BYTES_MAX) {
      throw new StorageException(
          StorageException.Kind.UNAVAILABLE,
          "a transaction reads more than " + (BYTES_MAX >> 20) + " MiB");
    }
  }

  /**
   * Fetches the rows of a scan.
   *
   * @param index the number of scans that the body makes before; later results are discarded
   */
  CompletableFuture<Boolean> fetch(int index, ScanRequest request) {
    NavigableMap<Bytes, byte[]> target = new TreeMap<>();
    Bytes to = request.to;
    KeyInterval interval = new KeyInterval(encode(request.from), to == null ? end() : encode(to));
    return scan.pages(
        table,
        interval,
        () -> Math.min(RegionScan.PAGE_RECORDS_MAX, request.storedMax - target.size()),
        deadline,
        page -> {
          page.cells().forEach(cell -> take(cell, target));
          scans.subList(Math.min(index, scans.size()), scans.size()).clear();
          scans.add(new ScanResult(request, target));
          return true;
        });
  }

  /** Keeps a row that a scan returned, so that it need not be read again if the body changes it. */
  private void take(Cell stored, NavigableMap<Bytes, byte[]> target) {
    byte[] key = CellUtil.cloneRow(stored);
    Bytes row =
        Bytes.of(Arrays.copyOfRange(key, KeyCodec.partitionEnd(key, key.length) + 1, key.length));
    StoredCell cell = StoredCell.of(stored);
    byte[] value = cell.value();
    if (value == null || ViewRules.isHidden(partition.space(), row)) {
      return;
    }
    count(cell);
    if (guesses.remove(row)) {
      cells.remove(row);
    }
    StoredCell known = cells.putIfAbsent(row, cell);
    byte[] shown = known == null ? value : known.value();
    if (shown != null) {
      target.put(row, shown);
    }
  }

  private Bytes encode(Bytes row) {
    return Bytes.of(KeyCodec.encode(partition.row(row)));
  }

  private Bytes end() {
    return Bytes.of(KeyCodec.encode(partition.space().number(), Position.endOf(partition.name())));
  }
}
