package io.lazuli.cluster;

import java.util.Map;
import java.util.TreeMap;

/**
 * What a cluster is made of.
 *
 * @param oneProcess ZooKeeper, master and the one region server share a JVM
 * @param regionServers how many there are at the start
 * @param dataNodes of HDFS; 0 for a folder of the file system, which survives the kill of a process
 *     but does not fence one that was paused
 * @param settings added to {@code hbase-site.xml} of the servers, or in place of what is there
 */
public record ClusterSpec(
    boolean oneProcess, int regionServers, int dataNodes, Map<String, String> settings) {
  private static final int REPLICAS = 3;

  public ClusterSpec {
    if (regionServers < 1 || dataNodes < 0 || (oneProcess && regionServers + dataNodes > 1)) {
      throw new IllegalArgumentException("there is no such cluster");
    }
    settings = Map.copyOf(settings);
  }

  /** The smallest real cluster. */
  public static ClusterSpec inOneProcess() {
    return new ClusterSpec(true, 1, 0, Map.of());
  }

  /** ZooKeeper, a master and some region servers, each a process, on the file system. */
  public static ClusterSpec of(int regionServers) {
    return new ClusterSpec(false, regionServers, 0, Map.of());
  }

  /** The same with a name node and three data nodes below it. */
  public ClusterSpec withHdfs() {
    return new ClusterSpec(oneProcess, regionServers, REPLICAS, settings);
  }

  /** The same with one more setting of the servers. */
  public ClusterSpec withSetting(String key, String value) {
    Map<String, String> more = new TreeMap<>(settings);
    more.put(key, value);
    return new ClusterSpec(oneProcess, regionServers, dataNodes, more);
  }
}
