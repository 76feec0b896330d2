package io.lazuli.storage.hbase.requests;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.lazuli.cluster.Cluster;
import io.lazuli.cluster.ClusterProcess;
import io.lazuli.cluster.ClusterSpec;
import io.lazuli.cluster.LazuliNode;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * What passes over the network between a packed server and a cluster, and what a server refuses.
 * Reading the network needs root and tcpdump.
 */
@Tag("long")
@Timeout(1_800)
final class EncryptionIT {
  private static final Pattern STREAMING =
      Pattern.compile("Opened streaming server at /127\\.0\\.0\\.1:(\\d+)");

  private static final String TRUST = "hbase.rpc.tls.truststore.location";
  private static final String ZOOKEEPER = "hbase.zookeeper.property.";

  @TempDir Path folder;

  /** Shows that the next case could fail. */
  @Test
  void withoutEncryptionTheTextOfEntitiesAndBlobsCanBeRead() throws Exception {
    try (Cluster cluster = Cluster.start(ClusterSpec.of(1).withHdfs())) {
      Captured captured = capture(cluster, PackedServers.start(cluster, 1).get(0));
      assertThat(captured.clients).contains(SecureLoad.MARK);
      assertThat(captured.regionServers).contains(SecureLoad.MARK);
      assertThat(captured.dataNodes).contains(SecureLoad.MARK);
    }
  }

  @Test
  void everythingIsEncryptedAndStrangersAreRefused() throws Exception {
    try (Cluster cluster =
        Cluster.start(
            ClusterSpec.of(1)
                .withHdfs()
                .withKerberos(Duration.ofHours(1))
                .withTls()
                .withSetting(ZOOKEEPER + "sessionRequireClientSASLAuth", "true"))) {
      cluster.grant("lazuli", "lazuli", "RWXCA");
      LazuliNode server = new SecureServers(cluster).start();
      String unused = server.connectionString();
      Captured captured = capture(cluster, server);
      assertThat(captured.clients).contains(SecureLoad.MARK);
      assertThat(captured.regionServers).hasSizeGreaterThan(10_000);
      assertThat(captured.regionServers).doesNotContain(SecureLoad.MARK);
      assertThat(captured.dataNodes).hasSizeGreaterThan(3 << 20);
      assertThat(captured.dataNodes).doesNotContain(SecureLoad.MARK);

      // All at the same time, because some of them wait for a cluster for a minute.
      for (LazuliNode stranger : strangers(cluster)) {
        List<String> said = SecureServers.refusal(stranger);
        assertThat(said).last().asString().startsWith("lazuli: ");
        System.out.println(said.get(said.size() - 1));
      }
    }
  }

  /** Starts servers that trust another certificate or use no encryption or no login. */
  private static List<LazuliNode> strangers(Cluster cluster) throws IOException {
    String other = cluster.trustStore("other").toString();
    return List.of(
        new SecureServers(cluster).with(TRUST, other).start(),
        new SecureServers(cluster).with("hbase.client.netty.tls.enabled", "false").start(),
        new SecureServers(cluster).with(ZOOKEEPER + "ssl.trustStore.location", other).start(),
        new SecureServers(cluster).with(ZOOKEEPER + "client.secure", "false").start(),
        new SecureServers(cluster).with("lazuli.zookeeper.sasl", "off").start());
  }

  /** What was seen at the ports of the server, of the region servers and of the data nodes. */
  private record Captured(String clients, String regionServers, String dataNodes) {}

  private Captured capture(Cluster cluster, LazuliNode server)
      throws IOException, InterruptedException {
    List<String> region = new ArrayList<>();
    for (ClusterProcess each : cluster.regionServers()) {
      region.add(each.serverName().orElseThrow().split(",", -1)[1]);
    }
    List<String> data = new ArrayList<>();
    for (ClusterProcess each : cluster.dataNodes()) {
      Matcher port = STREAMING.matcher(Files.readString(each.log()));
      assertThat(port.find()).as(each.name()).isTrue();
      data.add(port.group(1));
    }
    List<Process> listeners = new ArrayList<>();
    try (SecureLoad load = SecureLoad.start(TestAccount.development(server))) {
      load.awaitMore(Duration.ofMinutes(2));
      listeners.add(listen("clients", List.of(port(server.tableEndpoint()))));
      listeners.add(listen("region", region));
      listeners.add(listen("data", data));
      load.awaitMore(Duration.ofMinutes(2));
      load.awaitMore(Duration.ofMinutes(2));
      System.out.println(load);
    } finally {
      for (Process each : listeners) {
        each.destroy();
        int unused = each.waitFor();
      }
    }
    return new Captured(seen("clients"), seen("region"), seen("data"));
  }

  private static String port(URI endpoint) {
    return String.valueOf(endpoint.getPort());
  }

  private Process listen(String name, List<String> ports) throws InterruptedException {
    List<String> command = new ArrayList<>(List.of("tcpdump", "-i", "lo", "-s", "0", "-U", "-w"));
    command.add(folder.resolve(name).toString());
    command.add("port " + String.join(" or port ", ports));
    Process process = null;
    try {
      process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(folder.resolve(name + ".log").toFile())
              .start();
    } catch (IOException e) {
      System.out.println("CASES WITH tcpdump DID NOT RUN: " + e.getMessage());
    }
    assumeTrue(process != null, "tcpdump is not installed");
    Awaitility.await()
        .until(() -> Files.readString(folder.resolve(name + ".log")).contains("listening on"));
    return process;
  }

  private String seen(String name) throws IOException {
    return Files.readString(folder.resolve(name), ISO_8859_1);
  }
}
