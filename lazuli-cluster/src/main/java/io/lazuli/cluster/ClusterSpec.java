package io.lazuli.cluster;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The parts of a cluster.
 *
 * @param oneProcess whether ZooKeeper, master and the only region server share a JVM
 * @param regionServers the number of region servers at the start
 * @param dataNodes the number of HDFS data nodes; 0 to use a local folder instead of HDFS. Data in
 *     a local folder survives the kill of a process, but the folder does not fence a process that
 *     was paused
 * @param ownHosts whether each process has a network address and a clock of its own, which needs
 *     what {@link #obstacle} checks
 * @param diskMebibytes the size of the disk of each data node, which is in memory and needs root; 0
 *     for the disk of this machine
 * @param security whether Kerberos and TLS guard the cluster
 * @param settings added to the servers' {@code hbase-site.xml}; they override the defaults
 * @param jars added to the class path of the region servers, or folders of classes
 */
public record ClusterSpec(
    boolean oneProcess,
    int regionServers,
    int dataNodes,
    boolean ownHosts,
    int diskMebibytes,
    Security security,
    Map<String, String> settings,
    List<Path> jars) {
  private static final int REPLICAS = 3;

  public ClusterSpec {
    if (regionServers < 1 || dataNodes < 0 || (oneProcess && regionServers + dataNodes > 1)) {
      throw new IllegalArgumentException(
          "a cluster has at least one region server; in one process, exactly one and no data nodes");
    }
    if (security.kerberos() && (oneProcess || ownHosts)) {
      throw new IllegalArgumentException(
          "the principals of a cluster with Kerberos are those of processes on loopback");
    }
    settings = Map.copyOf(settings);
    jars = List.copyOf(jars);
  }

  /** Returns the smallest real cluster, which runs in one process. */
  public static ClusterSpec inOneProcess() {
    return new ClusterSpec(true, 1, 0, false, 0, Security.NONE, Map.of(), List.of());
  }

  /**
   * Returns a cluster of ZooKeeper, a master and some region servers, each in its own process, with
   * their data in a local folder.
   */
  public static ClusterSpec of(int regionServers) {
    return new ClusterSpec(false, regionServers, 0, false, 0, Security.NONE, Map.of(), List.of());
  }

  /** Returns the same cluster on HDFS, with a name node and three data nodes. */
  public ClusterSpec withHdfs() {
    return new ClusterSpec(
        oneProcess, regionServers, REPLICAS, ownHosts, diskMebibytes, security, settings, jars);
  }

  /** Returns the same cluster with a host for each process, for faults of networks and clocks. */
  public ClusterSpec withOwnHosts() {
    return new ClusterSpec(
        oneProcess, regionServers, dataNodes, true, diskMebibytes, security, settings, jars);
  }

  /** Returns the same cluster with small data nodes, which a test can fill. */
  public ClusterSpec withDisksOf(int mebibytes) {
    return new ClusterSpec(
        oneProcess, regionServers, dataNodes, ownHosts, mebibytes, security, settings, jars);
  }

  /**
   * Returns the same cluster with a key distribution centre. Every process has a keytab, HBase
   * checks the rights of its clients, and HDFS encrypts what it transfers.
   *
   * @param ticketLife how long a ticket of a client is valid
   */
  public ClusterSpec withKerberos(Duration ticketLife) {
    return with(new Security(Optional.of(ticketLife), security.tls()));
  }

  /** Returns the same cluster with TLS for the calls to HBase and to ZooKeeper. */
  public ClusterSpec withTls() {
    return with(new Security(security.ticketLife(), true));
  }

  private ClusterSpec with(Security newSecurity) {
    return new ClusterSpec(
        oneProcess, regionServers, dataNodes, ownHosts, diskMebibytes, newSecurity, settings, jars);
  }

  /** Returns why this machine cannot give each process a host of its own; empty if it can. */
  public static String obstacle() {
    String network = Network.obstacle();
    return network.isEmpty() ? WrongClock.obstacle() : network;
  }

  /** Returns the same cluster with one more setting of the servers. */
  public ClusterSpec withSetting(String key, String value) {
    Map<String, String> more = new TreeMap<>(settings);
    more.put(key, value);
    return new ClusterSpec(
        oneProcess, regionServers, dataNodes, ownHosts, diskMebibytes, security, more, jars);
  }

  /** Returns the same cluster with more classes in its region servers. */
  public ClusterSpec withJars(List<Path> jars) {
    return new ClusterSpec(
        oneProcess, regionServers, dataNodes, ownHosts, diskMebibytes, security, settings, jars);
  }
}
