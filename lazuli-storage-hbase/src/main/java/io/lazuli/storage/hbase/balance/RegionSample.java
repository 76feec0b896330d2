package io.lazuli.storage.hbase.balance;

import io.lazuli.storage.Bytes;

/**
 * A region as its server describes it.
 *
 * @param table without the namespace
 * @param name the region's own; another one after a split or a merge
 * @param from its first key; empty for the first region of a table
 * @param to the first key behind it; empty for the last region of a table
 * @param reads since the server opened it
 * @param writes since the server opened it
 */
public record RegionSample(
    String table,
    Bytes name,
    Bytes from,
    Bytes to,
    String server,
    long reads,
    long writes,
    long bytes) {
  /** True if the other region begins where this one ends. */
  boolean isBefore(RegionSample other) {
    return table.equals(other.table) && to.length() > 0 && to.equals(other.from);
  }

  /** The range, for people. */
  public String range() {
    return table + " " + ReadableKey.range(from, to);
  }
}
