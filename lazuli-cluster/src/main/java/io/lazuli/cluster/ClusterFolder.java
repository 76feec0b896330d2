package io.lazuli.cluster;

import io.lazuli.cluster.role.Leftovers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

/**
 * The folder of a cluster: its settings, data and logs. The settings keep every listener on
 * loopback, on ports that the system chooses. Only the ports of ZooKeeper and the name node must be
 * known in advance.
 */
final class ClusterFolder {
  /** The first version of Java on which Lazuli refuses chunks in files. */
  private static final int FIRST_WITHOUT_FILES = 24;

  private final Path root;
  private final ClusterSpec spec;
  private final int zooKeeperPort = FreePort.find();
  private final int nameNodePort = FreePort.find();

  private ClusterFolder(Path root, ClusterSpec spec) {
    this.root = root;
    this.spec = spec;
  }

  static ClusterFolder create(ClusterSpec spec) {
    try {
      ClusterFolder folder = new ClusterFolder(Files.createTempDirectory("lazuli-cluster-"), spec);
      folder.write();
      return folder;
    } catch (IOException e) {
      throw new ClusterException("cannot write the folder of the cluster", e);
    }
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
    writeSettings(clientConfig(), clientSettings());
    writeSettings(serverConfig().resolve("hbase-site.xml"), serverSettings());
    if (spec.dataNodes() > 0) {
      writeHdfs();
    }
  }

  private void writeHdfs() throws IOException {
    writeSettings(serverConfig().resolve("core-site.xml"), Map.of("fs.defaultFS", nameNode()));
    writeSettings(serverConfig().resolve("hdfs-site.xml"), hdfsSettings());
    for (int number = 0; number < spec.dataNodes(); number++) {
      Map<String, String> own = hdfsSettings();
      own.put("dfs.datanode.data.dir", root.resolve("datanode-" + number).toUri().toString());
      writeSettings(dataNodeConfig(number).resolve("hdfs-site.xml"), own);
    }
    // The web servers of name and data nodes need these files, which the published jars lack.
    for (String application : new String[] {"hdfs", "datanode", "static"}) {
      Path page = serverConfig().resolve("webapps/" + application + "/WEB-INF/web.xml");
      Files.createDirectories(page.getParent());
      Files.writeString(page, "<web-app/>\n");
    }
  }

  private Map<String, String> clientSettings() {
    Map<String, String> settings = new TreeMap<>();
    settings.put("hbase.zookeeper.quorum", "127.0.0.1");
    settings.put("hbase.zookeeper.property.clientPort", String.valueOf(zooKeeperPort));
    settings.put("zookeeper.session.timeout", "10000");
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
    settings.put("hbase.zookeeper.property.clientPortAddress", "127.0.0.1");
    for (String server : new String[] {"hbase.master", "hbase.regionserver"}) {
      settings.put(server + ".port", "0");
      settings.put(server + ".info.port", "-1");
      settings.put(server + ".hostname", "localhost");
      settings.put(server + ".ipc.address", "127.0.0.1");
    }
    quickStart(settings);
    smallHeaps(settings);
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
    settings.put("dfs.namenode.http-address", "127.0.0.1:0");
    settings.put("dfs.datanode.address", "127.0.0.1:0");
    settings.put("dfs.datanode.http.address", "127.0.0.1:0");
    settings.put("dfs.datanode.ipc.address", "127.0.0.1:0");
    settings.put("dfs.datanode.hostname", "localhost");
    settings.put("dfs.replication", String.valueOf(spec.dataNodes()));
    settings.put("dfs.namenode.safemode.extension", "0");
    // The user of Lazuli is not that of HBase.
    settings.put("dfs.permissions.enabled", "false");
    settings.put("dfs.client.block.write.replace-datanode-on-failure.policy", "NEVER");
    return settings;
  }

  private String nameNode() {
    return "hdfs://127.0.0.1:" + nameNodePort;
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
