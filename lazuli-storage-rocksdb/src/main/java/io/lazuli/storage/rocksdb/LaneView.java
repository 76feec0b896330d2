package io.lazuli.storage.rocksdb;

import io.lazuli.storage.Bytes;
import io.lazuli.storage.Partition;
import io.lazuli.storage.PartitionView;
import io.lazuli.storage.Position;
import io.lazuli.storage.RowVisitor;
import io.lazuli.storage.Space;
import io.lazuli.storage.engine.ViewRules;
import io.lazuli.storage.keys.KeyCodec;
import java.util.Arrays;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The view of one body: the store with the drain's changes so far on top, including the body's own.
 * Mutable: belongs to the lane's thread, and cannot be used after the body has returned.
 */
final class LaneView implements PartitionView {
  private final Drain drain;
  private final Partition partition;
  private final Family family;

  /** The encoded space and partition; with a row appended it is a key. */
  private final byte[] prefix;

  private boolean ended;

  LaneView(Drain drain, Partition partition) {
    this.drain = drain;
    this.partition = partition;
    this.family = Family.of(partition.space());
    this.prefix = KeyCodec.encode(partition.space().number(), partition.name(), Bytes.EMPTY);
  }

  /** Returns 1, because the lane runs each body once. */
  @Override
  public int attempt() {
    return 1;
  }

  @Override
  public byte @Nullable [] read(Bytes row) {
    requireRunning();
    return isHidden(row) ? null : drain.read(family, key(row));
  }

  @Override
  public void scan(Bytes from, @Nullable Bytes to, int rowsMax, RowVisitor visitor) {
    requireRunning();
    ViewRules.requireRowsMax(rowsMax);
    byte[] first = key(from);
    byte[] end = to == null ? partitionEnd() : key(to);
    if (Arrays.compareUnsigned(first, end) < 0) {
      merge(first, end, rowsMax, visitor);
    }
  }

  @Override
  public void put(Bytes row, byte[] value) {
    requireRunning();
    ViewRules.requireVisible(partition, row);
    drain.overlay().put(family, key(row), value);
  }

  @Override
  public void delete(Bytes row) {
    requireRunning();
    ViewRules.requireVisible(partition, row);
    drain.overlay().put(family, key(row), null);
  }

  @Override
  public long timestamp(Bytes row) {
    requireRunning();
    return drain.timestamp();
  }

  @Override
  public void drop(Space space) {
    requireRunning();
    ViewRules.requireHome(partition, space);
    drain.drop(partition, space);
  }

  /** Ends the view after the body has returned. Every later call throws. */
  void end() {
    ended = true;
  }

  /**
   * Shows the rows of store and overlay, merged in order. For each row it looks up the overlay's
   * next change again, because the visitor may change rows during the scan.
   */
  private void merge(byte[] first, byte[] end, int rowsMax, RowVisitor visitor) {
    try (RecordCursor cursor = new RecordCursor(drain.store(), family, first, end, true)) {
      cursor.seek(first);
      int shown = 0;
      byte @Nullable [] last = null;
      while (shown < rowsMax) {
        Map.Entry<byte[], Overlay.Change> change = nextChange(first, last, end);
        byte[] key;
        byte[] value;
        if (change != null && (!cursor.isValid() || cursor.compareKey(change.getKey()) >= 0)) {
          key = change.getKey();
          value = change.getValue().value();
        } else if (cursor.isValid()) {
          key = cursor.copyKey();
          value = cursor.copyValue();
        } else {
          return;
        }
        last = key;
        if (cursor.isValid() && cursor.compareKey(key) == 0) {
          cursor.next();
        }
        Bytes row = row(key);
        if (value != null && !isHidden(row)) {
          shown++;
          if (!visitor.visit(row, value)) {
            return;
          }
        }
      }
    }
  }

  private Map.@Nullable Entry<byte[], Overlay.Change> nextChange(
      byte[] first, byte @Nullable [] last, byte[] end) {
    Overlay overlay = drain.overlay();
    Map.Entry<byte[], Overlay.Change> change =
        last == null ? overlay.atOrAfter(first) : overlay.after(last);
    return change == null || Arrays.compareUnsigned(change.getKey(), end) >= 0 ? null : change;
  }

  private byte[] key(Bytes row) {
    byte[] key = Arrays.copyOf(prefix, prefix.length + row.length());
    System.arraycopy(row.array(), 0, key, prefix.length, row.length());
    return key;
  }

  private Bytes row(byte[] key) {
    return Bytes.of(Arrays.copyOfRange(key, prefix.length, key.length));
  }

  private byte[] partitionEnd() {
    return KeyCodec.encode(partition.space().number(), Position.endOf(partition.name()));
  }

  private boolean isHidden(Bytes row) {
    return ViewRules.isHidden(partition.space(), row);
  }

  private void requireRunning() {
    if (ended) {
      throw new IllegalStateException("a view is valid until its body returns");
    }
  }
}
