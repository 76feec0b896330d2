package io.lazuli.storage.hbase.balance;

import java.time.Duration;

/**
 * The recent load of a region.
 *
 * @param here how long the region has been on the same server, as far as observed
 * @param hotRounds the number of rounds in a row in which the region was hot
 * @param othersRate requests per second of the table's other regions, on average
 * @param cold how long the region has been cold; zero if it is not cold
 */
public record RegionLoad(
    RegionSample region,
    double readsPerSecond,
    double writesPerSecond,
    Duration here,
    int hotRounds,
    double othersRate,
    Duration cold) {
  public double rate() {
    return readsPerSecond + writesPerSecond;
  }
}
