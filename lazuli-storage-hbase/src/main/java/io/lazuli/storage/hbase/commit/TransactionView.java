package io.lazuli.storage.hbase.commit;

import io.lazuli.storage.Bytes;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.Partition;
import io.lazuli.storage.PartitionView;
import io.lazuli.storage.RowVisitor;
import io.lazuli.storage.Space;
import io.lazuli.storage.engine.ViewRules;
import io.lazuli.storage.hbase.call.StoreTable;
import io.lazuli.storage.hbase.call.StoredCell;
import io.lazuli.storage.hbase.commit.Fetched.ScanRequest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The view for one run of a body: what the engine has fetched, with the body's changes applied. It
 * stops the body if something was not fetched yet. It records which rows the body read by key; they
 * become the conditions of the commit. Mutable, owned by the thread that runs the body.
 */
public final class TransactionView implements PartitionView {
  private final int attempt;
  private final Fetched fetched;
  private final ClusterClock clock;

  /** Rows that must be unchanged at the commit. */
  private final Set<Bytes> conditions = new LinkedHashSet<>();

  private final NavigableMap<Bytes, Optional<byte[]>> changes = new TreeMap<>();
  private final Map<Bytes, Long> timestamps = new HashMap<>();
  private final Set<Space> drops = new LinkedHashSet<>();
  private int timestampCount;
  private int scanCount;

  /** Fetches what the body was stopped for; null if it was not stopped. */
  private @Nullable Supplier<CompletableFuture<Boolean>> missing;

  private boolean closed;

  /**
   * @param attempt 1 for the first run of the body, one more for each run after a conflict
   */
  TransactionView(int attempt, Fetched fetched, ClusterClock clock) {
    this.attempt = attempt;
    this.fetched = fetched;
    this.clock = clock;
  }

  Partition partition() {
    return fetched.partition();
  }

  Deadline deadline() {
    return fetched.deadline();
  }

  StoreTable table() {
    return fetched.table();
  }

  /** Ends the body's access. After this, the commit uses the reads and changes. */
  void close() {
    closed = true;
  }

  /**
   * Returns what has to be fetched before the body runs again; null if the body has run to its end.
   * Its result does not count if it was stopped, even if it has caught the exception.
   */
  @Nullable Supplier<CompletableFuture<Boolean>> missing() {
    return missing;
  }

  Set<Bytes> conditions() {
    return conditions;
  }

  /** Returns true if a row that must be unchanged at the commit was guessed and not read. */
  boolean dependsOnGuess() {
    return conditions.stream().anyMatch(fetched::isGuess);
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

  /** Returns a row as it was fetched; absent if it was not fetched. */
  StoredCell found(Bytes row) {
    StoredCell cell = fetched.cell(row);
    return cell == null ? StoredCell.ABSENT : cell;
  }

  @Override
  public int attempt() {
    return attempt;
  }

  @Override
  public byte @Nullable [] read(Bytes row) {
    requireOpen();
    if (ViewRules.isHidden(partition().space(), row)) {
      return null;
    }
    Optional<byte[]> change = changes.get(row);
    return change == null ? condition(row).value() : change.orElse(null);
  }

  @Override
  public void scan(Bytes from, @Nullable Bytes to, int rowsMax, RowVisitor visitor) {
    requireOpen();
    ViewRules.requireRowsMax(rowsMax);
    if ((to != null && from.compareTo(to) >= 0) || rowsMax == 0) {
      return;
    }
    for (Map.Entry<Bytes, byte[]> entry : merged(from, to, rowsMax)) {
      if (!visitor.visit(entry.getKey(), entry.getValue())) {
        return;
      }
    }
  }

  @Override
  public void put(Bytes row, byte[] value) {
    requireOpen();
    ViewRules.requireVisible(partition(), row);
    changes.put(row, Optional.of(value));
  }

  @Override
  public void delete(Bytes row) {
    requireOpen();
    ViewRules.requireVisible(partition(), row);
    changes.put(row, Optional.empty());
  }

  @Override
  public long timestamp(Bytes row) {
    requireOpen();
    ViewRules.requireVisible(partition(), row);
    long floor = table().keysNeverRecur() ? found(row).version() : condition(row).version();
    int index = timestampCount++;
    Long before = fetched.given(index, row);
    long timestamp = before != null ? before : clock.timestampAbove(floor);
    if (before == null) {
      fetched.give(index, row, timestamp);
    }
    timestamps.put(row, timestamp);
    return timestamp;
  }

  @Override
  public void drop(Space space) {
    requireOpen();
    ViewRules.requireHome(partition(), space);
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
    StoredCell cell = fetched.cell(row);
    if (cell == null) {
      throw stop(() -> fetched.fetch(List.of(row)));
    }
    conditions.add(row);
    return cell;
  }

  /**
   * Returns the first rows of the stored rows and the changes together. Each change hides at most
   * one stored row, so that fetching one more stored row per change is enough.
   */
  private List<Map.Entry<Bytes, byte[]>> merged(Bytes from, @Nullable Bytes to, int rowsMax) {
    ScanRequest request = new ScanRequest(from, to, rowsMax, rowsMax + changes.size());
    int index = scanCount++;
    NavigableMap<Bytes, byte[]> stored = fetched.scanned(index, request);
    if (stored == null) {
      throw stop(() -> fetched.fetch(index, request));
    }
    NavigableMap<Bytes, byte[]> merged = new TreeMap<>(stored);
    NavigableMap<Bytes, Optional<byte[]>> changed =
        to == null ? changes.tailMap(from, true) : changes.subMap(from, true, to, false);
    changed.forEach(
        (row, change) ->
            change.ifPresentOrElse(value -> merged.put(row, value), () -> merged.remove(row)));
    List<Map.Entry<Bytes, byte[]>> first = new ArrayList<>(merged.entrySet());
    return first.size() > rowsMax ? first.subList(0, rowsMax) : first;
  }

  /** Remembers what the body needs first. Nothing that it does afterwards counts. */
  private NotFetched stop(Supplier<CompletableFuture<Boolean>> fetch) {
    if (missing == null) {
      missing = fetch;
    }
    return new NotFetched();
  }

  private void requireOpen() {
    if (closed) {
      throw new IllegalStateException("a view is valid until its body returns");
    }
  }
}
