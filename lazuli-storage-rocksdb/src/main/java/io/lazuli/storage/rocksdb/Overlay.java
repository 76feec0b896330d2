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
 * The changes of one drain that are not in the store yet: the newest change of each key, ordered by
 * encoded key. The changes of the running body can be rolled back. Mutable: belongs to the lane's
 * thread.
 */
final class Overlay {
  /** The newest change of one key: a value, or no value if the record is deleted. */
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

  /**
   * A key and the change that a newer one replaced, or null if it was the first; for the rollback.
   */
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

  /** Marks the state to which {@link #rollback} returns. */
  void begin() {
    undo.clear();
  }

  /** Undoes the changes since {@link #begin}. */
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

  /** Returns the newest change of a key; null if it has none. */
  @Nullable Change find(byte[] key) {
    return changes.get(key);
  }

  /** Returns the first change at or after a key. */
  Map.@Nullable Entry<byte[], Change> atOrAfter(byte[] key) {
    return changes.ceilingEntry(key);
  }

  /** Returns the first change after a key. */
  Map.@Nullable Entry<byte[], Change> after(byte[] key) {
    return changes.higherEntry(key);
  }

  boolean isEmpty() {
    return changes.isEmpty();
  }

  /**
   * Returns roughly how many bytes were added since the last {@link #clear}, including changes that
   * were replaced or undone.
   */
  long bytes() {
    return bytes;
  }

  /** Adds every change to the batch, with its seal. */
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
