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
 * All records of an engine: encoded key to value, in order, up to the budget. Mutable, safe for any
 * thread; its one lock is held for a bounded number of records and never while other code runs.
 * Arrays that went in are never written to again, so what comes out is shared, not copied.
 */
final class RecordMap {
  /** About what a record costs on the heap beside its bytes: tree node, key object, arrays. */
  static final int RECORD_OVERHEAD_BYTES = 100;

  /**
   * Some records, in the order of a scan.
   *
   * @param last true if no more follow
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
   * @param changes encoded key to new value, or to nothing for a delete
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
   * The first records of the intervals as of one moment, up to both bounds but at least one.
   *
   * @param intervals in the order of the scan
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
   * @return how many were removed; fewer than asked for only when none are left
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

  /** How many records an interval holds; walks over all of them. */
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
