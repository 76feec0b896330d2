package io.lazuli.storage.hbase.balance;

import java.time.Duration;

/**
 * The recent load of a region.
 *
 * @param rate the requests per second that all servers of Lazuli send to it, an estimate. A page of
 *     a scan is one request, whatever it reads
 * @param readsPerSecond the rows read per second, as HBase counts them
 * @param writesPerSecond the rows written per second, as HBase counts them
 * @param here how long the region has been on the same server, as far as observed
 * @param undone how often HBase has moved the region back to where the balancer had taken it from
 * @param hotRounds the number of rounds in a row in which the region was hot
 * @param othersRate requests per second of the table's other regions, on average
 * @param cold how long the region has been cold; zero if it is not cold
 */
public record RegionLoad(
    RegionSample region,
    double rate,
    double readsPerSecond,
    double writesPerSecond,
    Duration here,
    int undone,
    int hotRounds,
    double othersRate,
    Duration cold) {
  /** The pause of a region is doubled at most this often. */
  private static final int DOUBLINGS_MAX = 8;

  /**
   * Returns true if the region may be changed. A region that HBase moves back is left alone for
   * longer each time, so that two balancers do not take turns for ever.
   */
  boolean isSettled(BalanceSettings settings) {
    Duration pause = settings.pause().multipliedBy(1L << Math.min(undone, DOUBLINGS_MAX));
    return here.compareTo(pause) >= 0;
  }
}
