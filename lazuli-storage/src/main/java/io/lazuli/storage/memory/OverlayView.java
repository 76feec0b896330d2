package io.lazuli.storage.memory;

import io.lazuli.storage.Bytes;
import io.lazuli.storage.Partition;
import io.lazuli.storage.PartitionView;
import io.lazuli.storage.Position;
import io.lazuli.storage.RowVisitor;
import io.lazuli.storage.Space;
import io.lazuli.storage.engine.EngineClock;
import io.lazuli.storage.engine.ViewRules;
import io.lazuli.storage.keys.KeyCodec;
import io.lazuli.storage.keys.KeyInterval;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The view of one body: the stored records with the body's changes on top. The changes are stored
 * only when the engine applies them. Mutable, owned by the lane.
 */
final class OverlayView implements PartitionView {
  private final Partition partition;
  private final RecordMap records;
  private final EngineClock clock;

  /** The body's changes by encoded key: the new value, or empty for a delete. */
  private final NavigableMap<Bytes, Optional<byte[]>> changes = new TreeMap<>();

  private final Set<Space> drops = new LinkedHashSet<>();
  private boolean closed;

  OverlayView(Partition partition, RecordMap records, EngineClock clock) {
    this.partition = partition;
    this.records = records;
    this.clock = clock;
  }

  /** Ends the body's access, and returns the changes to apply. */
  Map<Bytes, Optional<byte[]>> close() {
    closed = true;
    return changes;
  }

  /** Returns the spaces that the body dropped. */
  Set<Space> drops() {
    return drops;
  }

  /** Returns 1, because the lane runs each body once. */
  @Override
  public int attempt() {
    return 1;
  }

  @Override
  public byte @Nullable [] read(Bytes row) {
    requireOpen();
    Bytes key = encode(row);
    Optional<byte[]> change = changes.get(key);
    return change == null ? records.find(key) : change.orElse(null);
  }

  @Override
  public void scan(Bytes from, @Nullable Bytes to, int rowsMax, RowVisitor visitor) {
    requireOpen();
    ViewRules.requireRowsMax(rowsMax);
    Bytes end =
        to != null
            ? encode(to)
            : Bytes.of(
                KeyCodec.encode(partition.space().number(), Position.endOf(partition.name())));
    KeyInterval interval = new KeyInterval(encode(from), end);
    if (interval.isEmpty()) {
      return;
    }
    int rowStart = encode(Bytes.EMPTY).length();
    for (Map.Entry<Bytes, byte[]> entry : merged(interval, rowsMax)) {
      byte[] key = entry.getKey().array();
      Bytes row = Bytes.of(Arrays.copyOfRange(key, rowStart, key.length));
      if (!visitor.visit(row, entry.getValue())) {
        return;
      }
    }
  }

  @Override
  public void put(Bytes row, byte[] value) {
    requireOpen();
    ViewRules.requireVisible(partition, row);
    changes.put(encode(row), Optional.of(value));
  }

  @Override
  public void delete(Bytes row) {
    requireOpen();
    ViewRules.requireVisible(partition, row);
    changes.put(encode(row), Optional.empty());
  }

  @Override
  public long timestamp(Bytes row) {
    requireOpen();
    ViewRules.requireVisible(partition, row);
    return clock.timestamp();
  }

  @Override
  public void drop(Space space) {
    requireOpen();
    ViewRules.requireHome(partition, space);
    drops.add(space);
  }

  /**
   * Returns the first rows of stored records and changes together. Each change hides at most one
   * stored record, so it is enough to fetch one more stored record for each change.
   */
  private List<Map.Entry<Bytes, byte[]>> merged(KeyInterval interval, int rowsMax) {
    NavigableMap<Bytes, byte[]> rows = new TreeMap<>();
    for (Map.Entry<Bytes, byte[]> stored :
        records.page(List.of(interval), true, rowsMax + changes.size(), Long.MAX_VALUE).records()) {
      rows.put(stored.getKey(), stored.getValue());
    }
    changes
        .subMap(interval.from(), interval.to())
        .forEach(
            (key, change) ->
                change.ifPresentOrElse(value -> rows.put(key, value), () -> rows.remove(key)));
    List<Map.Entry<Bytes, byte[]>> first = new ArrayList<>();
    for (Map.Entry<Bytes, byte[]> row : rows.entrySet()) {
      if (first.size() == rowsMax) {
        break;
      }
      first.add(row);
    }
    return first;
  }

  private Bytes encode(Bytes row) {
    return Bytes.of(KeyCodec.encode(partition.row(row)));
  }

  private void requireOpen() {
    if (closed) {
      throw new IllegalStateException("a view is valid until its body returns");
    }
  }
}
