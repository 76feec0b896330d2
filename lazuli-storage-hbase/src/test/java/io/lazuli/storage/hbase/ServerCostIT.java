package io.lazuli.storage.hbase;

import io.lazuli.cluster.Cluster;
import io.lazuli.cluster.ClusterSpec;
import io.lazuli.cluster.LazuliJars;
import io.lazuli.cluster.LazuliNode;
import io.lazuli.cluster.LazuliPorts;
import io.lazuli.storage.hbase.cluster.ClusterConnection;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The cost of a request to one and to three Lazuli servers, compared with HBase's own client, in
 * alternating turns. Prints ratios, like {@link EngineCostIT}.
 */
@Tag("long")
final class ServerCostIT {
  private static final int ROWS = 1_000;
  private static final int SERVERS = 3;

  private final AtomicLong fresh = new AtomicLong();

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void requestsComparedWithTheClientItself(int regionServers) {
    try (Cluster cluster = Cluster.start(ClusterSpec.of(regionServers))) {
      List<LazuliNode> servers = servers(cluster);
      EntityRequests setUp = requests(servers, 0);
      setUp.createTable();
      try (ClusterConnection connection =
          ClusterConnection.open(
              ClusterConnection.configuration(cluster.clientConfig()),
              HBaseSettings.DEFAULT.user())) {
        RawRecords raw = new RawRecords(connection);
        for (int i = 0; i < ROWS; i++) {
          raw.insertNew();
          setUp.insert("row" + i, RawRecords.VALUE_BYTES);
        }
        Turns.warmUp(reads(servers));
        Turns.warmUp(inserts(servers));
        for (List<LazuliNode> some : List.of(servers.subList(0, 1), servers)) {
          String by = some.size() + " Lazuli servers";
          Turns.print(regionServers, "read, " + by, thread -> raw::readOne, reads(some));
          Turns.print(regionServers, "insert, " + by, thread -> raw::insertNew, inserts(some));
        }
      }
    }
  }

  private static IntFunction<Runnable> reads(List<LazuliNode> servers) {
    return thread -> {
      EntityRequests requests = requests(servers, thread);
      return () -> requests.read("row" + ThreadLocalRandom.current().nextInt(ROWS));
    };
  }

  private IntFunction<Runnable> inserts(List<LazuliNode> servers) {
    return thread -> {
      EntityRequests requests = requests(servers, thread);
      return () -> requests.insert("fresh" + fresh.incrementAndGet(), RawRecords.VALUE_BYTES);
    };
  }

  private static EntityRequests requests(List<LazuliNode> servers, int thread) {
    LazuliNode server = servers.get(thread % servers.size());
    return new EntityRequests(server.tableEndpoint(), server.connectionString());
  }

  private static List<LazuliNode> servers(Cluster cluster) {
    LazuliJars jars =
        new LazuliJars(
            Path.of("../lazuli-server/target/lazuli.jar").toAbsolutePath().normalize(),
            Path.of("target/engine").toAbsolutePath());
    List<LazuliNode> servers = new ArrayList<>();
    for (int i = 0; i < SERVERS; i++) {
      servers.add(cluster.addLazuli(jars, "hbase", LazuliPorts.free()));
    }
    servers.forEach(LazuliNode::connectionString);
    return servers;
  }
}
