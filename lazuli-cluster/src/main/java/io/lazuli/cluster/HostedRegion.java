package io.lazuli.cluster;

/**
 * A region and its server.
 *
 * @param table the table with its namespace
 * @param name the encoded name
 * @param start the first key, as HBase prints keys; empty for the first region
 * @param end the first key after the region; empty for the last region
 * @param server host, port and start code; the text {@code null} while no server has the region
 */
public record HostedRegion(String table, String name, String start, String end, String server) {
  static HostedRegion parse(String line) {
    String[] fields = line.split("\t", -1);
    if (fields.length != 5) {
      throw new ClusterException("cannot list the regions: " + line, null);
    }
    return new HostedRegion(fields[0], fields[1], fields[2], fields[3], fields[4]);
  }
}
