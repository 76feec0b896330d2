package io.lazuli.storage;

import java.time.Instant;
import java.util.List;

/**
 * Shows operators how a distributed engine has divided its partitions among servers: which server
 * has which range, the load of each range, and what the balancer did and why. A range never ends
 * inside a partition.
 *
 * @param balancing one line that says whether ranges are split and merged, and by which server
 * @param nodes the servers that have the ranges
 * @param ranges all ranges, in the order of tables and keys
 * @param hottest the partitions with the most requests, the hottest first; an estimate
 * @param actions the balancer's latest actions, the newest first
 */
public record PartitionMap(
    String balancing,
    List<Node> nodes,
    List<Range> ranges,
    List<HotPartition> hottest,
    List<Action> actions,
    Totals totals) {
  public PartitionMap {
    nodes = List.copyOf(nodes);
    ranges = List.copyOf(ranges);
    hottest = List.copyOf(hottest);
    actions = List.copyOf(actions);
  }

  /**
   * A server of the cluster.
   *
   * @param ranges the number of its ranges of this store
   * @param requestsPerSecond the requests that all servers of Lazuli send to it; an estimate
   * @param answers false if it did not answer, so that its ranges and its load are not known
   */
  public record Node(String server, int ranges, double requestsPerSecond, boolean answers) {}

  /**
   * A range of partitions on one server. Keys are written for people: the account and the name of
   * the table, queue or container, or the number of the space if it has no name any more, a slash,
   * the partition with unusual bytes escaped.
   *
   * @param table the engine's table that holds the range
   * @param from the first partition; empty if the range begins with the table
   * @param to the first partition after the range; empty if the range ends with the table
   * @param server the server that has the range; empty while there is none
   * @param requestsPerSecond the requests that all servers of Lazuli send to it; an estimate
   * @param readsPerSecond rows read, as the cluster counts them
   * @param writesPerSecond rows written, as the cluster counts them
   * @param bytes the size on disk
   */
  public record Range(
      String table,
      String from,
      String to,
      String server,
      double requestsPerSecond,
      double readsPerSecond,
      double writesPerSecond,
      long bytes) {}

  /** A partition and the number of requests per second that all servers send to it. */
  public record HotPartition(String table, String partition, double requestsPerSecond) {}

  /**
   * An action that the balancer took, would have taken, or recommends to the operator.
   *
   * @param time the time when the action last happened
   * @param outcome the result, in one line
   */
  public record Action(Instant time, String what, String why, String outcome) {}

  /**
   * Counts since the store was created.
   *
   * @param tooHot the reports of partitions that are too hot for any split to help
   * @param failed the splits, merges and moves that the cluster refused or did not finish
   */
  public record Totals(long splits, long merges, long moves, long tooHot, long failed) {
    public static final Totals NONE = new Totals(0, 0, 0, 0, 0);
  }
}
