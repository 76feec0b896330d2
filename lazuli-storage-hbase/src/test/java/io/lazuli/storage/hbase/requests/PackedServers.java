package io.lazuli.storage.hbase.requests;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.cluster.Cluster;
import io.lazuli.cluster.ClusterSpec;
import io.lazuli.cluster.LazuliJars;
import io.lazuli.cluster.LazuliNode;
import io.lazuli.cluster.LazuliPorts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Starts packed servers on a cluster. {@code -Dlazuli.jar} and {@code -Dlazuli.engine} name the jar
 * and the folder of the engine, to measure another version.
 */
final class PackedServers {
  private PackedServers() {}

  /**
   * Returns a cluster on HDFS. {@code -Dcluster.local=true} replaces HDFS by a local folder, for
   * machines that are too busy for four more processes.
   */
  static ClusterSpec spec(int regionServers) {
    ClusterSpec local = ClusterSpec.of(regionServers);
    return Boolean.getBoolean("cluster.local") ? local : local.withHdfs();
  }

  /** Adds a setting to the file that servers read when they start. It replaces an earlier one. */
  static void set(Cluster cluster, String key, String value) throws IOException {
    String end = "</configuration>";
    String property =
        "<property><name>%s</name><value>%s</value></property>\n".formatted(key, value);
    String text = Files.readString(cluster.clientConfig());
    assertThat(text).contains(end);
    Files.writeString(cluster.clientConfig(), text.replace(end, property + end));
  }

  /** Starts servers and waits until they respond. */
  static List<LazuliNode> start(Cluster cluster, int count, String... options) {
    LazuliJars jars = new LazuliJars(jar(), path("lazuli.engine", "target/engine"));
    List<LazuliNode> servers = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      servers.add(cluster.addLazuli(jars, "hbase", LazuliPorts.free(), options));
    }
    servers.forEach(LazuliNode::connectionString);
    return servers;
  }

  /** Returns the jar of the server. */
  static Path jar() {
    return path("lazuli.jar", "../lazuli-server/target/lazuli.jar");
  }

  private static Path path(String property, String standard) {
    return Path.of(System.getProperty(property, standard)).toAbsolutePath().normalize();
  }
}
