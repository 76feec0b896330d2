package io.lazuli.cluster.simulation;

import java.time.Duration;
import java.util.Map;
import java.util.Properties;

/**
 * What the model expects of a small cluster whose processes have quotas, so that it can be compared
 * with a measured one. Every figure is a measured cost or a setting of the test.
 *
 * @param rate requests per second
 * @param p50Millis the median of the times of requests, in milliseconds
 * @param callsPerRequest the calls to region servers for each request
 * @param busiest the resource that is used most
 */
public record Prediction(
    double rate, double p50Millis, double p99Millis, double callsPerRequest, String busiest) {
  private static final long SEED = 1;
  private static final Duration WARM_UP = Duration.ofSeconds(2);
  private static final Duration WINDOW = Duration.ofSeconds(6);

  /** The cores of a machine on which all processes ran. */
  private static final int CORES = 2;

  /** {@code hbase.regionserver.handler.count} of the clusters for tests. */
  private static final int HANDLERS = 16;

  /** The regions of the table on each server, and the partitions of the table. */
  private static final int PARTITIONS = 120;

  /**
   * A small cluster.
   *
   * @param regionServers the servers that have the data, in parts of the same size
   * @param clients the number of clients, each of which waits for its answer
   * @param period of the quotas
   * @param regionQuota what a region server may use in a period; zero for no bound
   * @param lazuliQuota what a Lazuli server may use in a period; zero for no bound
   */
  public record Cluster(
      int regionServers,
      int clients,
      Duration period,
      Duration regionQuota,
      Duration lazuliQuota) {}

  /**
   * A mix of requests.
   *
   * @param hot the share of the requests that go to one partition
   */
  public record Mix(double gets, double inserts, double queries, double batches, double hot) {}

  /**
   * Simulates clients in a closed loop.
   *
   * @param costs in the form of the file of measured costs
   */
  public static Prediction of(Properties costs, Cluster cluster, Mix mix) {
    Scenario.Nodes nodes =
        new Scenario.Nodes(
            cluster.regionServers,
            CORES,
            quota(cluster.regionQuota, cluster.period),
            1,
            1,
            CORES,
            quota(cluster.lazuliQuota, cluster.period),
            CORES,
            HANDLERS);
    Map<Kind, Double> kinds =
        Map.of(
            Kind.GET, mix.gets,
            Kind.INSERT, mix.inserts,
            Kind.QUERY, mix.queries,
            Kind.BATCH, mix.batches);
    Scenario.Load load = new Scenario.Load(kinds, PARTITIONS, 0, mix.hot, 1, false);
    Scenario scenario = new Scenario(nodes, load, Scenario.Faults.NONE, Costs.of(costs), SEED);
    Result result = Run.closed(scenario, cluster.clients, WARM_UP, WINDOW);
    return new Prediction(
        result.rate(),
        result.p50Millis(),
        result.p99Millis(),
        result.callRate() / result.rate(),
        result.busiest().name());
  }

  private static Processor.Quota quota(Duration used, Duration period) {
    return used.isZero()
        ? Processor.Quota.NONE
        : new Processor.Quota(used.toNanos(), period.toNanos());
  }
}
