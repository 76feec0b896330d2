package io.lazuli.storage.hbase.balance;

import io.lazuli.storage.Bytes;

/**
 * A region as its server describes it.
 *
 * @param table without the namespace
 * @param name the region's own; another one after a split or a merge
 * @param from its first key; empty for the first region of a table
 * @param to the first key behind it; empty for the last region of a table
 * @param server empty while nobody serves it
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

  /** The same with what its server tells. */
  public RegionSample servedBy(String newServer, long newReads, long newWrites, long newBytes) {
    return new RegionSample(table, name, from, to, newServer, newReads, newWrites, newBytes);
  }

  public boolean isServed() {
    return !server.isEmpty();
  }

  public boolean contains(Bytes key) {
    return from.compareTo(key) <= 0 && (to.length() == 0 || key.compareTo(to) < 0);
  }

  /** The range, for people. */
  public String range() {
    return table + " " + ReadableKey.range(from, to);
  }
}
