package io.lazuli.storage.hbase.balance;

import java.time.Duration;

/**
 * What a region had to do lately.
 *
 * @param here since when it has not moved, as far as it was watched
 * @param hotRounds how many rounds in a row it was hot
 * @param othersRate requests per second of the table's other regions, on average
 * @param cold since when it is cold; zero if it is not
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
