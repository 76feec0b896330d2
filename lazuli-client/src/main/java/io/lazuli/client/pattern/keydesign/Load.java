package io.lazuli.client.pattern.keydesign;

import java.util.List;

/**
 * The load of a table during a period, as far as the rules need it. Immutable.
 *
 * @param seconds the length of the period; 0 if it is not known, as in a sample of keys
 * @param inserts the number of inserts
 * @param ends the inserts at the ends of the table
 * @param first the first partition
 * @param last the last partition
 * @param requests the number of requests with a partition
 * @param partitions the number of partitions, or the number of counters if that is less
 * @param largest the two busiest partitions
 * @param refused the partitions of requests that the service refused because it was busy
 */
record Load(
    double seconds,
    long inserts,
    InsertEnds.Counts ends,
    String first,
    String last,
    long requests,
    int partitions,
    List<PartitionCounts.Count> largest,
    List<String> refused) {
  boolean isTimed() {
    return seconds > 0;
  }

  double insertsPerSecond() {
    return inserts / seconds;
  }

  double requestsPerSecond() {
    return requests / seconds;
  }
}
