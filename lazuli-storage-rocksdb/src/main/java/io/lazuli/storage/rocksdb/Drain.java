package io.lazuli.storage.rocksdb;

import io.lazuli.storage.Partition;
import io.lazuli.storage.Space;
import io.lazuli.storage.engine.DroppedSpaces;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBatch;

/**
 * The changes, drops and timestamps of one drain of the lane, which become one batch. Mutable:
 * belongs to the lane's thread, which reuses one object for all its drains.
 */
final class Drain {
  private final NativeStore store;
  private final DroppedSpaces dropped;
  private final TimestampMark mark;
  private final Overlay overlay = new Overlay();
  private final PointReader reader;
  private final RecordSeal seal = new RecordSeal();
  private final Map<Long, Drop> drops = new LinkedHashMap<>();
  private final List<Long> dropsOfBody = new ArrayList<>();

  Drain(NativeStore store, DroppedSpaces dropped, TimestampMark mark) {
    this.store = store;
    this.dropped = dropped;
    this.mark = mark;
    this.reader = new PointReader(store);
  }

  NativeStore store() {
    return store;
  }

  Overlay overlay() {
    return overlay;
  }

  /** Returns the drops of this drain. */
  Collection<Drop> drops() {
    return drops.values();
  }

  /** Marks the state before a body runs, so that its changes can be rolled back. */
  void begin() {
    overlay.begin();
    dropsOfBody.clear();
  }

  /** Undoes the changes of the body that ran last. */
  void rollback() {
    overlay.rollback();
    dropsOfBody.forEach(drops::remove);
  }

  byte @Nullable [] read(Family family, byte[] key) {
    Overlay.Change change = overlay.find(key);
    return change == null ? reader.read(family, key) : change.value();
  }

  long timestamp() {
    return mark.timestamp();
  }

  void drop(Partition home, Space space) {
    if (!isGone(space.withoutGate())) {
      Drop drop = Drop.of(home, space, mark.clock().now());
      overlay.put(Family.CATALOGUE, drop.key().array(), drop.value());
      drops.put(drop.space(), drop);
      dropsOfBody.add(drop.space());
    }
  }

  /** Returns true if the space or its gate was dropped, before this drain or in it. */
  boolean isGone(Space space) {
    return drops.containsKey(space.guard()) || dropped.contains(space.guard());
  }

  boolean hasChanges() {
    return !overlay.isEmpty() || mark.isDue();
  }

  void addTo(WriteBatch batch) throws RocksDBException {
    overlay.addTo(batch, store, seal);
    if (mark.isDue()) {
      mark.addTo(batch, store, seal);
    }
  }

  /**
   * Raises the mark to the engine's time, in case the clock is set back before the next start.
   * Returns false if the mark is already high enough.
   */
  boolean addMarkTo(WriteBatch batch) throws RocksDBException {
    boolean behind = mark.isBehind();
    if (behind) {
      mark.addTo(batch, store, seal);
    }
    return behind;
  }

  void clear() {
    overlay.clear();
    drops.clear();
  }
}
