package io.lazuli.cluster;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The parts of a cluster.
 *
 * @param oneProcess whether ZooKeeper, master and the only region server share a JVM
 * @param regionServers the number of region servers at the start
 * @param dataNodes the number of HDFS data nodes; 0 to use a local folder instead of HDFS. Data in
 *     a local folder survives the kill of a process, but the folder does not fence a process that
 *     was paused
 * @param settings added to the servers' {@code hbase-site.xml}; they override the defaults
 * @param jars added to the class path of the region servers, or folders of classes
 */
public record ClusterSpec(
    boolean oneProcess,
    int regionServers,
    int dataNodes,
    Map<String, String> settings,
    List<Path> jars) {
  private static final int REPLICAS = 3;

  public ClusterSpec {
    if (regionServers < 1 || dataNodes < 0 || (oneProcess && regionServers + dataNodes > 1)) {
      throw new IllegalArgumentException(
          "a cluster has at least one region server; in one process, exactly one and no data nodes");
    }
    settings = Map.copyOf(settings);
    jars = List.copyOf(jars);
  }

  /** Returns the smallest real cluster, which runs in one process. */
  public static ClusterSpec inOneProcess() {
    return new ClusterSpec(true, 1, 0, Map.of(), List.of());
  }

  /**
   * Returns a cluster of ZooKeeper, a master and some region servers, each in its own process, with
   * their data in a local folder.
   */
  public static ClusterSpec of(int regionServers) {
    return new ClusterSpec(false, regionServers, 0, Map.of(), List.of());
  }

  /** Returns the same cluster on HDFS, with a name node and three data nodes. */
  public ClusterSpec withHdfs() {
    return new ClusterSpec(oneProcess, regionServers, REPLICAS, settings, jars);
  }

  /** Returns the same cluster with one more setting of the servers. */
  public ClusterSpec withSetting(String key, String value) {
    Map<String, String> more = new TreeMap<>(settings);
    more.put(key, value);
    return new ClusterSpec(oneProcess, regionServers, dataNodes, more, jars);
  }

  /** Returns the same cluster with more classes in its region servers. */
  public ClusterSpec withJars(List<Path> jars) {
    return new ClusterSpec(oneProcess, regionServers, dataNodes, settings, jars);
  }
}
