package io.lazuli.cluster.demo;

import io.lazuli.cluster.Cluster;
import io.lazuli.cluster.ClusterException;
import io.lazuli.cluster.ClusterSpec;
import io.lazuli.cluster.FreePort;
import io.lazuli.cluster.LazuliJars;
import io.lazuli.cluster.LazuliNode;
import io.lazuli.cluster.LazuliPorts;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/**
 * The command {@code lazuli cluster-demo}: runs a cluster with Lazuli servers, for demonstration.
 * Everything ends with this process.
 */
public final class ClusterDemo {
  private static final int PORT_STEP = 10;

  private final DemoOptions options;
  private final LazuliJars jars;
  private final PrintStream out;

  private ClusterDemo(DemoOptions options, LazuliJars jars, PrintStream out) {
    this.options = options;
    this.jars = jars;
    this.out = out;
  }

  /** Takes the name of the sub-command, which the start script passes on, and options. */
  public static void main(String[] arguments) {
    System.exit(run(arguments));
  }

  private static int run(String[] arguments) {
    try {
      List<String> words = List.of(arguments);
      boolean named = !words.isEmpty() && words.get(0).equals("cluster-demo");
      DemoOptions options =
          DemoOptions.parse(words.subList(named ? 1 : 0, words.size()).toArray(new String[0]));
      if (options.help()) {
        System.out.println(DemoOptions.USAGE);
        return 0;
      }
      new ClusterDemo(options, jars(options), System.out).show();
      return 0;
    } catch (IllegalArgumentException e) {
      System.err.println("lazuli: " + e.getMessage() + "\nTry: lazuli cluster-demo --help");
      return 2;
    } catch (ClusterException e) {
      System.err.println("lazuli: " + e.getMessage());
      return 1;
    } catch (InterruptedException e) {
      return 1;
    }
  }

  /** Returns the files that the start script names. */
  private static LazuliJars jars(DemoOptions options) {
    Path server = Path.of(System.getProperty("lazuli.server", "lazuli.jar"));
    Path engine = Path.of(System.getProperty("lazuli.engine.hbase", "engines/hbase"));
    if (!Files.isRegularFile(server)) {
      throw new ClusterException(server + " is missing: build the server first", null);
    }
    if (options.engine().equals("hbase") && !Files.isDirectory(engine)) {
      throw new ClusterException(engine + " is missing: build lazuli-storage-hbase first", null);
    }
    return new LazuliJars(server, engine);
  }

  private void show() throws InterruptedException {
    ClusterSpec spec =
        ClusterSpec.of(options.regionServers())
            .withJars(options.filter() ? List.of(jars.filter()) : List.of());
    warnOfPorts();
    out.println("starting the cluster; this takes half a minute");
    try (Cluster cluster = Cluster.start(options.hdfs() ? spec.withHdfs() : spec)) {
      out.println("cluster  " + cluster.clientConfig());
      List<LazuliNode> servers = startServers(cluster);
      out.println();
      out.print(PartitionMap.of(cluster, servers));
      out.println();
      out.println("ready; Ctrl-C stops everything and deletes the data");
      out.flush();
      new CountDownLatch(1).await();
    }
  }

  private void warnOfPorts() {
    int first = options.firstPort();
    String warning =
        first == 0 ? "" : FreePort.warning(first, first + PORT_STEP * options.servers());
    if (!warning.isEmpty()) {
      out.println("warning: " + warning);
    }
  }

  private List<LazuliNode> startServers(Cluster cluster) {
    List<LazuliNode> servers = new ArrayList<>();
    for (int number = 0; number < options.servers(); number++) {
      int first = options.firstPort() + PORT_STEP * number;
      LazuliPorts ports = options.firstPort() == 0 ? LazuliPorts.free() : LazuliPorts.from(first);
      servers.add(cluster.addLazuli(jars, options.engine(), ports));
    }
    for (LazuliNode server : servers) {
      String connection = server.connectionString();
      out.println();
      out.println(server.process().name() + "  admin " + server.adminEndpoint());
      out.println(connection);
    }
    return servers;
  }
}
