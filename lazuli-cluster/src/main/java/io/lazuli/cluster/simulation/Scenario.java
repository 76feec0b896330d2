package io.lazuli.cluster.simulation;

import io.lazuli.cluster.simulation.Processor.Quota;
import java.time.Duration;
import java.util.Map;

/**
 * The input of a simulation. The same scenario has the same result.
 *
 * @param costs what was measured
 * @param seed of everything that is random
 */
record Scenario(Nodes nodes, Load load, Faults faults, Costs costs, long seed) {
  /**
   * The servers.
   *
   * @param regionCores the cores of each region server
   * @param regionsEach the number of regions on each region server
   * @param shared the cores that all processes and clients share, as on a test machine; 0 if each
   *     process has its own
   * @param handlers {@code hbase.regionserver.handler.count}
   */
  record Nodes(
      int regionServers,
      int regionCores,
      Quota regionQuota,
      int regionsEach,
      int lazuli,
      int lazuliCores,
      Quota lazuliQuota,
      int shared,
      int handlers) {
    Nodes(int regionServers, int regionCores, int lazuli, int lazuliCores) {
      this(
          regionServers,
          regionCores,
          Quota.NONE,
          10,
          lazuli,
          lazuliCores,
          Quota.NONE,
          0,
          Bounds.HANDLERS);
    }
  }

  /**
   * What clients do.
   *
   * @param mix the shares of the kinds, whose sum is 1
   * @param partitions the number of partitions of data
   * @param exponent of the Zipf distribution over partitions; 0 for all equal
   * @param hot the share of the requests that go to the first partition, apart from that
   * @param accounts the number of accounts, which are used equally
   * @param balanced whether regions were moved as the balancer would move them
   */
  record Load(
      Map<Kind, Double> mix,
      long partitions,
      double exponent,
      double hot,
      int accounts,
      boolean balanced) {
    Load {
      mix = Map.copyOf(mix);
    }
  }

  /**
   * What goes wrong.
   *
   * @param regionPauses pauses of each region server
   * @param lazuliPauses pauses of each Lazuli server
   * @param lossAt when a region server dies; zero for never
   * @param lost its number
   */
  record Faults(Pauses regionPauses, Pauses lazuliPauses, Duration lossAt, int lost) {
    static final Faults NONE = new Faults(Pauses.NONE, Pauses.NONE, Duration.ZERO, 0);
  }

  /**
   * Pauses of a process at random times.
   *
   * @param every the mean time from the beginning of one to that of the next; zero for none
   */
  record Pauses(Duration every, Duration length) {
    static final Pauses NONE = new Pauses(Duration.ZERO, Duration.ZERO);
  }

  Scenario with(Load other) {
    return new Scenario(nodes, other, faults, costs, seed);
  }

  Scenario with(Nodes other) {
    return new Scenario(other, load, faults, costs, seed);
  }

  Scenario with(Faults other) {
    return new Scenario(nodes, load, other, costs, seed);
  }

  Scenario withSeed(long other) {
    return new Scenario(nodes, load, faults, costs, other);
  }
}
