package io.lazuli.client.pattern.keydesign;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Counts requests by partition with a bounded number of counters (the Space-Saving algorithm): a
 * new partition takes over the smallest counter together with its count. Every partition with a
 * share of more than 1 / counters has a counter, and a count is too large by at most the count that
 * was taken over. Mutable; the owner synchronises.
 */
final class PartitionCounts {
  private final int countersMax;
  private final Map<String, Counter> counters = new HashMap<>();
  private long total;

  PartitionCounts(int countersMax) {
    this.countersMax = countersMax;
  }

  /** A mutable count and the part of it that may belong to other partitions. */
  private static final class Counter {
    private long count;
    private final long error;

    Counter(long error) {
      this.count = error;
      this.error = error;
    }
  }

  /**
   * The count of a partition.
   *
   * @param atLeast the count without the part that may belong to other partitions
   * @param atMost the count
   */
  record Count(String partition, long atLeast, long atMost) {
    static final Count NONE = new Count("", 0, 0);
  }

  void add(String partition, long requests) {
    total += requests;
    Counter counter = counters.get(partition);
    if (counter == null) {
      counter = new Counter(counters.size() < countersMax ? 0 : removeSmallest());
      counters.put(partition, counter);
    }
    counter.count += requests;
  }

  private long removeSmallest() {
    Map.Entry<String, Counter> smallest =
        counters.entrySet().stream()
            .min(Comparator.comparingLong(entry -> entry.getValue().count))
            .orElseThrow();
    counters.remove(smallest.getKey());
    return smallest.getValue().count;
  }

  long total() {
    return total;
  }

  /** Returns the number of partitions that were seen, or the number of counters if that is less. */
  int partitions() {
    return counters.size();
  }

  /** Returns the two largest counts, the larger first. */
  List<Count> largest() {
    List<Count> counts =
        counters.entrySet().stream()
            .map(PartitionCounts::count)
            .sorted(Comparator.comparingLong(Count::atMost).reversed())
            .limit(2)
            .toList();
    return switch (counts.size()) {
      case 0 -> List.of(Count.NONE, Count.NONE);
      case 1 -> List.of(counts.get(0), Count.NONE);
      default -> counts;
    };
  }

  private static Count count(Map.Entry<String, Counter> entry) {
    Counter counter = entry.getValue();
    return new Count(entry.getKey(), counter.count - counter.error, counter.count);
  }
}
