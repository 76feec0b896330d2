package io.lazuli.storage.hbase.commit;

import io.lazuli.storage.Bytes;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.Partition;
import io.lazuli.storage.PartitionView;
import io.lazuli.storage.Position;
import io.lazuli.storage.RowVisitor;
import io.lazuli.storage.Space;
import io.lazuli.storage.engine.ViewRules;
import io.lazuli.storage.hbase.call.RegionScan;
import io.lazuli.storage.hbase.call.Rows;
import io.lazuli.storage.hbase.call.StoreTable;
import io.lazuli.storage.hbase.call.StoredCell;
import io.lazuli.storage.keys.KeyCodec;
import io.lazuli.storage.keys.KeyInterval;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.jspecify.annotations.Nullable;

/**
 * The view for one run of a body: the content of the cluster with the body's changes applied. It
 * records which rows the body read by key; they become the conditions of the commit. Mutable, owned
 * by the thread that runs the body.
 */
public final class TransactionView implements PartitionView {
  private final int attempt;
  private final Partition partition;
  private final StoreTable table;
  private final Rows rows;
  private final RegionScan scan;
  private final ClusterClock clock;
  private final Deadline deadline;

  /** Rows as they were read, by key or in a scan. */
  private final Map<Bytes, StoredCell> found = new HashMap<>();

  /** Rows that must be unchanged at the commit. */
  private final Set<Bytes> conditions = new LinkedHashSet<>();

  private final NavigableMap<Bytes, Optional<byte[]>> changes = new TreeMap<>();
  private final Map<Bytes, Long> timestamps = new HashMap<>();
  private final Set<Space> drops = new LinkedHashSet<>();
  private boolean closed;

  /**
   * @param attempt 1 for the first run of the body, one more for each further run
   */
  TransactionView(
      int attempt,
      Partition partition,
      Rows rows,
      RegionScan scan,
      ClusterClock clock,
      Deadline deadline) {
    this.attempt = attempt;
    this.partition = partition;
    this.table = StoreTable.of(partition.space().number());
    this.rows = rows;
    this.scan = scan;
    this.clock = clock;
    this.deadline = deadline;
  }

  Partition partition() {
    return partition;
  }

  Deadline deadline() {
    return deadline;
  }

  StoreTable table() {
    return table;
  }

  /** Reads the rows that the body will probably read one by one, in one call. */
  void prefetch(List<Bytes> touch) {
    find(touch.stream().filter(row -> !ViewRules.isHidden(partition.space(), row)).toList());
  }

  /** Ends the body's access. After this, the commit uses the reads and changes. */
  void close() {
    closed = true;
  }

  Set<Bytes> conditions() {
    return conditions;
  }

  NavigableMap<Bytes, Optional<byte[]>> changes() {
    return changes;
  }

  Set<Space> drops() {
    return drops;
  }

  /** Returns the timestamp that the body received for a row; null if it requested none. */
  @Nullable Long timestampGiven(Bytes row) {
    return timestamps.get(row);
  }

  /** Reads the rows that were not read before, in one call. */
  void find(List<Bytes> wanted) {
    List<Bytes> missing =
        wanted.stream().filter(row -> !found.containsKey(row)).distinct().toList();
    List<StoredCell> cells = rows.readAll(partition, missing, deadline);
    for (int i = 0; i < missing.size(); i++) {
      found.put(missing.get(i), cells.get(i));
    }
  }

  /** Returns a row as it was read; absent if it was not read. */
  StoredCell found(Bytes row) {
    return found.getOrDefault(row, StoredCell.ABSENT);
  }

  @Override
  public int attempt() {
    return attempt;
  }

  @Override
  public byte @Nullable [] read(Bytes row) {
    requireOpen();
    if (ViewRules.isHidden(partition.space(), row)) {
      return null;
    }
    Optional<byte[]> change = changes.get(row);
    return change == null ? condition(row).value() : change.orElse(null);
  }

  @Override
  public void scan(Bytes from, @Nullable Bytes to, int rowsMax, RowVisitor visitor) {
    requireOpen();
    ViewRules.requireRowsMax(rowsMax);
    Bytes end = to != null ? encode(to) : end();
    KeyInterval interval = new KeyInterval(encode(from), end);
    if (interval.isEmpty() || rowsMax == 0) {
      return;
    }
    for (Map.Entry<Bytes, byte[]> entry : merged(interval, from, to, rowsMax)) {
      if (!visitor.visit(entry.getKey(), entry.getValue())) {
        return;
      }
    }
  }

  @Override
  public void put(Bytes row, byte[] value) {
    requireOpen();
    ViewRules.requireVisible(partition, row);
    changes.put(row, Optional.of(value));
  }

  @Override
  public void delete(Bytes row) {
    requireOpen();
    ViewRules.requireVisible(partition, row);
    changes.put(row, Optional.empty());
  }

  @Override
  public long timestamp(Bytes row) {
    requireOpen();
    ViewRules.requireVisible(partition, row);
    long floor = table.keysNeverRecur() ? found(row).version() : condition(row).version();
    long timestamp = clock.timestampAbove(floor);
    timestamps.put(row, timestamp);
    return timestamp;
  }

  @Override
  public void drop(Space space) {
    requireOpen();
    ViewRules.requireHome(partition, space);
    drops.add(space);
  }

  /** Writes a row that belongs to the engine. */
  public void putOwn(Bytes row, byte[] value) {
    changes.put(row, Optional.of(value));
  }

  /** Changes a row that belongs to the engine. A null value removes it. */
  public void changeOwn(Bytes row, byte @Nullable [] value) {
    changes.put(row, Optional.ofNullable(value));
  }

  /** Reads a row that must be unchanged at the commit. */
  public StoredCell condition(Bytes row) {
    find(List.of(row));
    conditions.add(row);
    return found(row);
  }

  /**
   * Returns the first rows of the stored rows and the changes together. Each change hides at most
   * one stored row, so that reading one more stored row per change is enough.
   */
  private List<Map.Entry<Bytes, byte[]>> merged(
      KeyInterval interval, Bytes from, @Nullable Bytes to, int rowsMax) {
    NavigableMap<Bytes, byte[]> merged = new TreeMap<>();
    stored(interval, rowsMax + changes.size(), merged);
    NavigableMap<Bytes, Optional<byte[]>> changed =
        to == null ? changes.tailMap(from, true) : changes.subMap(from, true, to, false);
    changed.forEach(
        (row, change) ->
            change.ifPresentOrElse(value -> merged.put(row, value), () -> merged.remove(row)));
    List<Map.Entry<Bytes, byte[]>> first = new ArrayList<>(merged.entrySet());
    return first.size() > rowsMax ? first.subList(0, rowsMax) : first;
  }

  private void stored(KeyInterval interval, int rowsMax, NavigableMap<Bytes, byte[]> target) {
    KeyInterval rest = interval;
    RegionScan.Page page;
    do {
      int records = Math.min(RegionScan.PAGE_RECORDS_MAX, rowsMax - target.size());
      page = scan.page(table, List.of(rest), true, records, false, deadline);
      for (Cell cell : page.cells()) {
        byte[] key = CellUtil.cloneRow(cell);
        take(key, StoredCell.of(cell), target);
        rest = rest.from(Bytes.of(key).successor());
      }
      rest = page.resume() == null ? rest : rest.from(page.resume());
    } while (!page.isLast() && target.size() < rowsMax && !rest.isEmpty());
  }

  /** Keeps a row that a scan returned, so that it need not be read again if the body changes it. */
  private void take(byte[] key, StoredCell cell, NavigableMap<Bytes, byte[]> target) {
    Bytes row =
        Bytes.of(Arrays.copyOfRange(key, KeyCodec.partitionEnd(key, key.length) + 1, key.length));
    byte[] value = cell.value();
    if (value != null && !ViewRules.isHidden(partition.space(), row)) {
      StoredCell known = found.putIfAbsent(row, cell);
      byte[] shown = known == null ? value : known.value();
      if (shown != null) {
        target.put(row, shown);
      }
    }
  }

  private Bytes encode(Bytes row) {
    return Bytes.of(KeyCodec.encode(partition.row(row)));
  }

  private Bytes end() {
    return Bytes.of(KeyCodec.encode(partition.space().number(), Position.endOf(partition.name())));
  }

  private void requireOpen() {
    if (closed) {
      throw new IllegalStateException("a view is valid until its body returns");
    }
  }
}
