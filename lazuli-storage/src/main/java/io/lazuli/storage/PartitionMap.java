package io.lazuli.storage;

import java.time.Instant;
import java.util.List;

/**
 * How an engine of many machines has spread its partitions, for operators: which range lies where,
 * what it has to do, what was done about it and why. A range never ends inside a partition.
 *
 * @param balancing whether ranges are split and merged, and by whom; one line
 * @param ranges in the order of tables and keys
 * @param hottest the partitions with the most requests, the hottest first; an estimate
 * @param actions the last ones, the newest first
 */
public record PartitionMap(
    String balancing,
    List<Range> ranges,
    List<HotPartition> hottest,
    List<Action> actions,
    Totals totals) {
  public PartitionMap {
    ranges = List.copyOf(ranges);
    hottest = List.copyOf(hottest);
    actions = List.copyOf(actions);
  }

  /**
   * Partitions that lie on one server together. Keys are written for people: the number of the
   * space, a slash, the partition with unusual bytes escaped.
   *
   * @param table where the engine keeps the range
   * @param from the first partition; empty if the range begins with the table
   * @param to the first partition behind it; empty if the range ends with the table
   * @param server empty while nobody serves the range
   * @param bytes as stored
   */
  public record Range(
      String table,
      String from,
      String to,
      String server,
      double readsPerSecond,
      double writesPerSecond,
      long bytes) {}

  /** A partition and the requests per second that all servers made to it. */
  public record HotPartition(String table, String partition, double requestsPerSecond) {}

  /**
   * Something that the balancer did, or would have done, or thinks an operator should do.
   *
   * @param time when it happened last
   * @param outcome one line
   */
  public record Action(Instant time, String what, String why, String outcome) {}

  /**
   * Counts since the store was made.
   *
   * @param tooHot partitions reported that are too hot alone
   * @param failed splits and merges that the cluster refused or did not finish
   */
  public record Totals(long splits, long merges, long tooHot, long failed) {
    public static final Totals NONE = new Totals(0, 0, 0, 0);
  }
}
