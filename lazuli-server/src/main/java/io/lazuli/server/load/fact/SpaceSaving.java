package io.lazuli.server.load.fact;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Finds the most frequent keys of a stream with a fixed number of counters (the Space-Saving
 * algorithm). It never misses a key whose share is above one divided by that number, and a count is
 * too high by at most its error. Belongs to one thread.
 *
 * @param <K> compared by equals
 */
public final class SpaceSaving<K> {
  private final int size;
  private final int extras;
  private final Map<K, Counter<K>> counters = new HashMap<>();
  private long total;

  /** The count of a key. Mutable; belongs to the sketch. */
  static final class Counter<K> {
    private final K key;
    private long count;
    private final long error;
    private final long[] extra;

    Counter(K key, long count, int extras) {
      this.key = key;
      this.count = count;
      this.error = count;
      this.extra = new long[extras];
    }

    K key() {
      return key;
    }

    long count() {
      return count;
    }

    long error() {
      return error;
    }

    /** Returns further numbers of the key, which the caller may change. */
    long[] extra() {
      return extra;
    }
  }

  /**
   * @param size the number of counters
   * @param extras how many further numbers each key has
   */
  SpaceSaving(int size, int extras) {
    this.size = size;
    this.extras = extras;
  }

  Counter<K> add(K key, long weight) {
    total += weight;
    Counter<K> counter = counters.get(key);
    if (counter == null) {
      long inherited = 0;
      if (counters.size() >= size) {
        Counter<K> least = least();
        inherited = least.count;
        counters.remove(least.key);
      }
      counter = new Counter<>(key, inherited, extras);
      counters.put(key, counter);
    }
    counter.count += weight;
    return counter;
  }

  private Counter<K> least() {
    Counter<K> least = null;
    for (Counter<K> counter : counters.values()) {
      least = least == null || counter.count < least.count ? counter : least;
    }
    return Objects.requireNonNull(least);
  }

  /** Returns the number of counters in use. */
  int size() {
    return counters.size();
  }

  /** Returns the sum of all weights. */
  long total() {
    return total;
  }

  /** Returns the most frequent keys, the first one first. */
  List<Counter<K>> top(int max) {
    return counters.values().stream()
        .sorted(Comparator.comparingLong((Counter<K> one) -> one.count).reversed())
        .limit(max)
        .toList();
  }
}
