package io.lazuli.storage.rocksdb;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBatch;

/**
 * What the bodies of one drain have changed and the store does not have yet: the newest change of
 * each key, by encoded key in byte order. The changes of the body that runs now can be taken back.
 * Mutable: belongs to the lane's thread.
 */
final class Overlay {
  /** The newest change of one key: a value, or none if the record is deleted. */
  static final class Change {
    private final Family family;
    private final byte @Nullable [] value;

    Change(Family family, byte @Nullable [] value) {
      this.family = family;
      this.value = value;
    }

    byte @Nullable [] value() {
      return value;
    }
  }

  /** What was there before a change, if anything. */
  private static final class Before {
    private final byte[] key;
    private final @Nullable Change change;

    Before(byte[] key, @Nullable Change change) {
      this.key = key;
      this.change = change;
    }
  }

  private final TreeMap<byte[], Change> changes = new TreeMap<>(Arrays::compareUnsigned);
  private final Deque<Before> undo = new ArrayDeque<>();
  private long bytes;

  /** From here on changes can be taken back. */
  void begin() {
    undo.clear();
  }

  /** Takes back what was changed since {@link #begin}. */
  void rollback() {
    for (Before before = undo.pollLast(); before != null; before = undo.pollLast()) {
      if (before.change == null) {
        changes.remove(before.key);
      } else {
        changes.put(before.key, before.change);
      }
    }
  }

  void put(Family family, byte[] key, byte @Nullable [] value) {
    undo.addLast(new Before(key, changes.put(key, new Change(family, value))));
    bytes += key.length + (value == null ? 0 : value.length);
  }

  /** The newest change of a key; null if it has none. */
  @Nullable Change find(byte[] key) {
    return changes.get(key);
  }

  /** The first change at or behind a key. */
  Map.@Nullable Entry<byte[], Change> atOrBehind(byte[] key) {
    return changes.ceilingEntry(key);
  }

  /** The first change behind a key. */
  Map.@Nullable Entry<byte[], Change> behind(byte[] key) {
    return changes.higherEntry(key);
  }

  boolean isEmpty() {
    return changes.isEmpty();
  }

  /** About how much was put in since it was cleared, also what was replaced or taken back. */
  long bytes() {
    return bytes;
  }

  /** Seals every change into the batch. */
  void addTo(WriteBatch batch, NativeStore store, RecordSeal seal) throws RocksDBException {
    for (Map.Entry<byte[], Change> entry : changes.entrySet()) {
      byte[] key = entry.getKey();
      byte[] value = entry.getValue().value;
      if (value == null) {
        batch.delete(store.handle(entry.getValue().family), key);
      } else {
        batch.put(store.handle(entry.getValue().family), key, seal.seal(key, value));
      }
    }
  }

  void clear() {
    changes.clear();
    undo.clear();
    bytes = 0;
  }
}
