package io.lazuli.storage.hbase.format;

import io.lazuli.storage.DataFormat;
import java.time.Duration;

/**
 * The settings for the format of the store.
 *
 * @param max the format above which this server does not let the store rise
 * @param lease how long this server uses the store without reading its format again
 */
public record FormatSettings(int max, Duration lease) {
  private static final Duration LEASE_MAX = Duration.ofDays(1);

  /** Much longer than HBase needs to move a region away from a dead server. */
  public static final FormatSettings DEFAULT =
      new FormatSettings(DataFormat.newest(), Duration.ofMinutes(10));

  public FormatSettings {
    if (max < DataFormat.FIRST) {
      throw new IllegalArgumentException("max is a number from " + DataFormat.FIRST);
    }
    if (lease.toSeconds() < 1 || lease.compareTo(LEASE_MAX) > 0) {
      throw new IllegalArgumentException("a lease has from 1 to " + LEASE_MAX.toSeconds() + " s");
    }
  }
}
