package io.lazuli.storage.memory;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.lazuli.storage.Bytes;
import io.lazuli.storage.keys.KeyInterval;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.jspecify.annotations.Nullable;

/**
 * All records of an engine, ordered by encoded key, within the budget. Mutable and thread-safe. Its
 * one lock is held for a bounded number of records and never while a visitor or a body runs. Stored
 * arrays are never modified, so they are handed out without a copy.
 */
final class RecordMap {
  /** The estimated cost of a record in addition to its bytes: tree node, key object, arrays. */
  static final int RECORD_OVERHEAD_BYTES = 100;

  /**
   * Some records in scan order.
   *
   * @param last true if no more records follow
   */
  record Page(List<Map.Entry<Bytes, byte[]>> records, boolean last) {}

  private final HeapBudget budget;
  private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();

  @GuardedBy("lock")
  private final NavigableMap<Bytes, byte[]> records = new TreeMap<>();

  RecordMap(HeapBudget budget) {
    this.budget = budget;
  }

  byte @Nullable [] find(Bytes key) {
    lock.readLock().lock();
    try {
      return records.get(key);
    } finally {
      lock.readLock().unlock();
    }
  }

  /**
   * Makes all changes, or none if the map would grow beyond its bound.
   *
   * @param changes the new value of each encoded key, or empty for a delete
   * @return false if nothing was changed
   */
  boolean apply(Map<Bytes, Optional<byte[]>> changes) {
    lock.writeLock().lock();
    try {
      long growth = 0;
      for (Map.Entry<Bytes, Optional<byte[]>> change : changes.entrySet()) {
        Bytes key = change.getKey();
        growth += weight(key, change.getValue().orElse(null)) - weight(key, records.get(key));
      }
      if (!budget.tryChange(growth)) {
        return false;
      }
      for (Map.Entry<Bytes, Optional<byte[]>> change : changes.entrySet()) {
        if (change.getValue().isPresent()) {
          records.put(change.getKey(), change.getValue().get());
        } else {
          records.remove(change.getKey());
        }
      }
      return true;
    } finally {
      lock.writeLock().unlock();
    }
  }

  /**
   * Returns the first records of the intervals at one moment: at least one, and up to both bounds.
   *
   * @param intervals in scan order
   */
  Page page(List<KeyInterval> intervals, boolean forward, int recordsMax, long pageBytesMax) {
    List<Map.Entry<Bytes, byte[]>> page = new ArrayList<>();
    long pageBytes = 0;
    lock.readLock().lock();
    try {
      for (KeyInterval interval : intervals) {
        for (Map.Entry<Bytes, byte[]> entry : entries(interval, forward)) {
          if (page.size() >= recordsMax || pageBytes >= pageBytesMax) {
            return new Page(page, false);
          }
          page.add(Map.entry(entry.getKey(), entry.getValue()));
          pageBytes += entry.getKey().length() + entry.getValue().length;
        }
      }
      return new Page(page, true);
    } finally {
      lock.readLock().unlock();
    }
  }

  /**
   * Removes the first records of an interval.
   *
   * @return the number of removed records; fewer than {@code recordsMax} only if none are left
   */
  int removeFirst(KeyInterval interval, int recordsMax) {
    lock.writeLock().lock();
    try {
      Iterator<Map.Entry<Bytes, byte[]>> entries = entries(interval, true).iterator();
      int removed = 0;
      long removedBytes = 0;
      for (; removed < recordsMax && entries.hasNext(); removed++) {
        Map.Entry<Bytes, byte[]> entry = entries.next();
        removedBytes += weight(entry.getKey(), entry.getValue());
        entries.remove();
      }
      budget.tryChange(-removedBytes);
      return removed;
    } finally {
      lock.writeLock().unlock();
    }
  }

  boolean holdsAny(KeyInterval interval) {
    return !page(List.of(interval), true, 1, Long.MAX_VALUE).records().isEmpty();
  }

  /** Returns the number of records in an interval, in time proportional to that number. */
  int count(KeyInterval interval) {
    lock.readLock().lock();
    try {
      return entries(interval, true).size();
    } finally {
      lock.readLock().unlock();
    }
  }

  @GuardedBy("lock")
  private Set<Map.Entry<Bytes, byte[]>> entries(KeyInterval interval, boolean forward) {
    NavigableMap<Bytes, byte[]> part = records.subMap(interval.from(), true, interval.to(), false);
    return (forward ? part : part.descendingMap()).entrySet();
  }

  private static long weight(Bytes key, byte @Nullable [] value) {
    return value == null ? 0 : RECORD_OVERHEAD_BYTES + key.length() + value.length;
  }
}
