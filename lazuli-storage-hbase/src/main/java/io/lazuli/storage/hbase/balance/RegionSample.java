package io.lazuli.storage.hbase.balance;

import io.lazuli.storage.Bytes;

/**
 * A region as its server describes it.
 *
 * @param table the table without its namespace
 * @param name the name of the region; a split or a merge creates a new name
 * @param from its first key; empty for the first region of a table
 * @param to the first key after it; empty for the last region of a table
 * @param server empty while no server has the region
 * @param reads the number of reads since the server opened it
 * @param writes the number of writes since the server opened it
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
  /** Returns true if the other region begins where this one ends. */
  boolean isBefore(RegionSample other) {
    return table.equals(other.table) && to.length() > 0 && to.equals(other.from);
  }

  /** Returns the same region with the values that its server reports. */
  public RegionSample servedBy(String newServer, long newReads, long newWrites, long newBytes) {
    return new RegionSample(table, name, from, to, newServer, newReads, newWrites, newBytes);
  }

  /** Returns true if the region holds homes. */
  boolean isOfCatalog() {
    return table.equals("catalog");
  }

  public boolean isServed() {
    return !server.isEmpty();
  }

  public boolean contains(Bytes key) {
    return from.compareTo(key) <= 0 && (to.length() == 0 || key.compareTo(to) < 0);
  }

  /** Returns the range as a text for people. */
  String range(SpaceLabels labels) {
    return table + " " + ReadableKey.range(from, to, labels);
  }
}
