package io.lazuli.cluster;

import io.lazuli.cluster.role.Leftovers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * The folder of a cluster: its settings, data and logs. The settings keep every listener on the
 * host of its process, which is loopback unless processes have hosts of their own, on ports that
 * the system chooses. Only the ports of ZooKeeper and the name node must be known in advance.
 */
final class ClusterFolder {
  /** The first version of Java on which Lazuli refuses chunks in files. */
  private static final int FIRST_WITHOUT_FILES = 24;

  /** Name and address of the host of the process that reads the settings: properties of its JVM. */
  private static final String HOST = "${lazuli.cluster.host}";

  private static final String ADDRESS = "${lazuli.cluster.address}";

  private final Path root;
  private final ClusterSpec spec;
  private final String zooKeeperAddress;
  private final String nameNodeAddress;
  private final ClusterSecurity security;
  private final int zooKeeperPort = FreePort.find();
  private final int nameNodePort = FreePort.find();

  private ClusterFolder(
      Path root, ClusterSpec spec, String zooKeeperAddress, String nameNodeAddress) {
    this.root = root;
    this.spec = spec;
    this.zooKeeperAddress = zooKeeperAddress;
    this.nameNodeAddress = nameNodeAddress;
    this.security = new ClusterSecurity(spec.security(), root.resolve("security"));
  }

  /**
   * Creates the folder.
   *
   * @param addresses the address of the first process of a kind
   */
  static ClusterFolder create(ClusterSpec spec, Function<Part, String> addresses) {
    try {
      ClusterFolder folder =
          new ClusterFolder(
              Files.createTempDirectory("lazuli-cluster-"),
              spec,
              addresses.apply(Part.ZOOKEEPER),
              addresses.apply(Part.NAME_NODE));
      folder.write();
      return folder;
    } catch (IOException e) {
      throw new ClusterException("cannot write the folder of the cluster", e);
    }
  }

  ClusterSecurity security() {
    return security;
  }

  Path root() {
    return root;
  }

  /**
   * Returns the folder with the settings of all servers. On the class path of a data node, the data
   * node's own settings come before these.
   */
  Path serverConfig() {
    return root.resolve("conf");
  }

  /** Returns the folder with the settings of ZooKeeper, which come before those of all servers. */
  Path zooKeeperConfig() {
    return root.resolve("conf-zookeeper");
  }

  /** Returns the folder of the blocks of a data node. */
  Path dataNode(int number) {
    return root.resolve("datanode-" + number);
  }

  /** Returns the folder of the clocks of processes that have one of their own. */
  Path clocks() {
    return root.resolve("clocks");
  }

  Path dataNodeConfig(int number) {
    return root.resolve("conf-datanode-" + number);
  }

  Path clientConfig() {
    return root.resolve("client/hbase-site.xml");
  }

  /** Returns the data folder of a Lazuli server, for its accounts. */
  Path lazuli(int number) {
    return root.resolve("lazuli-" + number);
  }

  Path log(String process) {
    return root.resolve("logs").resolve(process + ".log");
  }

  /**
   * Returns whether a process of this kind deletes the folder when no other process is left to do
   * so.
   */
  boolean isRemovedBy(Part part) {
    return part == (spec.oneProcess() ? Part.MASTER : Part.ZOOKEEPER);
  }

  void remove() {
    Leftovers.remove(root.toString());
  }

  private void write() throws IOException {
    for (String folder : new String[] {"tmp", "logs", "zk", "root", "root-wal"}) {
      Files.createDirectories(root.resolve(folder));
    }
    security.write();
    Map<String, String> client = clientSettings();
    security.addClient(client);
    writeSettings(clientConfig(), client);
    writeSettings(serverConfig().resolve("hbase-site.xml"), serverSettings());
    Map<String, String> zooKeeper = serverSettings();
    security.changeForZooKeeper(zooKeeper, zooKeeperPort);
    writeSettings(zooKeeperConfig().resolve("hbase-site.xml"), zooKeeper);
    writeSettings(serverConfig().resolve("core-site.xml"), coreSettings());
    if (spec.dataNodes() > 0) {
      writeHdfs();
    }
  }

  private void writeHdfs() throws IOException {
    writeSettings(serverConfig().resolve("hdfs-site.xml"), hdfsSettings());
    for (int number = 0; number < spec.dataNodes(); number++) {
      Map<String, String> own = hdfsSettings();
      own.put("dfs.datanode.data.dir", dataNode(number).toUri().toString());
      writeSettings(dataNodeConfig(number).resolve("hdfs-site.xml"), own);
    }
    // The web servers of name and data nodes need these files, which the published jars lack.
    for (String application : new String[] {"hdfs", "datanode", "static"}) {
      Path page = serverConfig().resolve("webapps/" + application + "/WEB-INF/web.xml");
      Files.createDirectories(page.getParent());
      Files.writeString(page, "<web-app/>\n");
    }
  }

  private Map<String, String> coreSettings() {
    Map<String, String> settings = new TreeMap<>();
    if (spec.dataNodes() > 0) {
      settings.put("fs.defaultFS", nameNode());
    }
    security.addCore(settings);
    return settings;
  }

  private Map<String, String> clientSettings() {
    Map<String, String> settings = new TreeMap<>();
    settings.put("hbase.zookeeper.quorum", zooKeeperAddress);
    settings.put("hbase.zookeeper.property.clientPort", String.valueOf(zooKeeperPort));
    settings.put("zookeeper.session.timeout", "10000");
    security.addCommon(settings);
    // Deleting a table takes a quarter longer than a lease, and tests delete often.
    settings.put("lazuli.lease.millis", "100");
    if (spec.dataNodes() > 0 && Runtime.version().feature() < FIRST_WITHOUT_FILES) {
      settings.put("lazuli.chunk.folder", nameNode() + "/lazuli");
    }
    return settings;
  }

  private Map<String, String> serverSettings() {
    Map<String, String> settings = clientSettings();
    boolean hdfs = spec.dataNodes() > 0;
    settings.put("hbase.cluster.distributed", String.valueOf(!spec.oneProcess()));
    settings.put("hbase.rootdir", hdfs ? nameNode() + "/hbase" : "file://" + root.resolve("root"));
    settings.put(
        "hbase.wal.dir", hdfs ? nameNode() + "/hbase-wal" : "file://" + root.resolve("root-wal"));
    // Local files cannot flush to replicas, so this capability must not be required.
    settings.put("hbase.unsafe.stream.capability.enforce", String.valueOf(hdfs));
    settings.put("hbase.tmp.dir", root.resolve("tmp").toString());
    settings.put("hbase.zookeeper.property.dataDir", root.resolve("zk").toString());
    settings.put("hbase.zookeeper.property.clientPortAddress", zooKeeperAddress);
    for (String server : new String[] {"hbase.master", "hbase.regionserver"}) {
      settings.put(server + ".port", "0");
      settings.put(server + ".info.port", "-1");
      settings.put(server + ".hostname", HOST);
      settings.put(server + ".ipc.address", ADDRESS);
    }
    quickStart(settings);
    smallHeaps(settings);
    if (spec.diskMebibytes() > 0) {
      // The master's log has blocks of this size, and the name node counts whole blocks.
      settings.put("hbase.master.store.region.flush.size", "4194304");
    }
    security.addServer(settings);
    settings.putAll(spec.settings());
    return settings;
  }

  private void quickStart(Map<String, String> settings) {
    String wait = "hbase.master.wait.on.regionservers.";
    settings.put(wait + "mintostart", String.valueOf(spec.regionServers()));
    settings.put(wait + "interval", "500");
    settings.put(wait + "timeout", "2000");
    settings.put("hbase.regionserver.msginterval", "1000");
  }

  private static void smallHeaps(Map<String, String> settings) {
    settings.put("hbase.regionserver.handler.count", "16");
    settings.put("hbase.hregion.memstore.flush.size", "33554432");
    settings.put("hfile.block.cache.size", "0.3");
    // The normalizer would undo our splits.
    settings.put("hbase.normalizer.enabled", "false");
    // Otherwise a second split or a merge waits for minutes.
    settings.put("hbase.hfile.compaction.discharger.interval", "5000");
    settings.put("hbase.catalogjanitor.interval", "20000");
  }

  private Map<String, String> hdfsSettings() {
    Map<String, String> settings = new TreeMap<>();
    settings.put("dfs.namenode.name.dir", root.resolve("namenode").toUri().toString());
    settings.put("dfs.namenode.http-address", ADDRESS + ":0");
    settings.put("dfs.datanode.address", listener(9866));
    settings.put("dfs.datanode.http.address", listener(9864));
    settings.put("dfs.datanode.ipc.address", listener(9867));
    settings.put("dfs.datanode.hostname", HOST);
    // There is no name service, so addresses have no names.
    settings.put("dfs.namenode.datanode.registration.ip-hostname-check", "false");
    settings.put("dfs.replication", String.valueOf(spec.dataNodes()));
    settings.put("dfs.namenode.safemode.extension", "0");
    // The user of Lazuli is not that of HBase.
    settings.put("dfs.permissions.enabled", "false");
    security.addHdfs(settings);
    if (spec.diskMebibytes() > 0) {
      // Otherwise a data node with less than a gibibyte is full.
      String volumes = "dfs.datanode.round-robin-volume-choosing-policy.";
      settings.put(volumes + "additional-available-space", "0");
      // The name node counts a whole block for each attempt to write one, for minutes.
      settings.put("dfs.blocksize", "2097152");
    }
    settings.put("dfs.client.block.write.replace-datanode-on-failure.policy", "NEVER");
    return settings;
  }

  /**
   * Returns where a data node listens. A name node gives no blocks to a data node that has started
   * again with other ports on the same host, so they are only chosen by the system on loopback.
   */
  private String listener(int port) {
    return ADDRESS + ":" + (spec.ownHosts() ? port : 0);
  }

  private String nameNode() {
    return "hdfs://" + nameNodeAddress + ":" + nameNodePort;
  }

  private static void writeSettings(Path file, Map<String, String> settings) throws IOException {
    StringBuilder text = new StringBuilder("<?xml version=\"1.0\"?>\n<configuration>\n");
    settings.forEach(
        (key, value) ->
            text.append("  <property><name>")
                .append(escaped(key))
                .append("</name><value>")
                .append(escaped(value))
                .append("</value></property>\n"));
    Files.createDirectories(file.getParent());
    Files.writeString(file, text.append("</configuration>\n"));
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;");
  }
}
