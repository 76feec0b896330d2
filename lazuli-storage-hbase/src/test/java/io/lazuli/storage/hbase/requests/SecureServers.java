package io.lazuli.storage.hbase.requests;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lazuli.cluster.Cluster;
import io.lazuli.cluster.LazuliJars;
import io.lazuli.cluster.LazuliNode;
import io.lazuli.cluster.LazuliPorts;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Packed servers on a secure cluster, each with a configuration file of its own. */
final class SecureServers {
  private static final HttpClient CLIENT = HttpClient.newHttpClient();

  private final Cluster cluster;
  private final Map<String, String> changes = new LinkedHashMap<>();
  private final Map<String, String> environment = new LinkedHashMap<>();

  SecureServers(Cluster cluster) {
    this.cluster = cluster;
  }

  /** Changes a setting of the file; an empty value removes it. */
  SecureServers with(String key, String value) {
    changes.put(key, value);
    return this;
  }

  SecureServers withTicketCache(Path cache) {
    environment.put("KRB5CCNAME", "FILE:" + cache);
    return with("hbase.client.keytab.file", "").with("hbase.client.keytab.principal", "");
  }

  /** Starts a server, which is not ready yet. */
  LazuliNode start() throws IOException {
    LazuliJars jars =
        new LazuliJars(PackedServers.jar(), Path.of("target/engine").toAbsolutePath());
    return cluster.addLazuli(
        jars,
        LazuliPorts.free(),
        environment,
        List.of("--engine", "hbase", "--engine-config", site().toString()));
  }

  /** Starts a server that must end with exit code 1, and returns what it said. */
  List<String> refusal() throws IOException {
    return refusal(start());
  }

  /** Waits for the end of a server that cannot start, and returns what it said. */
  static List<String> refusal(LazuliNode server) throws IOException {
    assertThat(server.process().awaitEnd()).as(server.process().name()).isEqualTo(1);
    List<String> said =
        Files.readAllLines(server.process().log()).stream()
            .filter(line -> line.startsWith("lazuli: ") || line.contains("Exception"))
            .toList();
    assertThatThrownBy(server::connectionString).hasMessageContaining("has ended");
    return said;
  }

  private Path site() throws IOException {
    List<String> lines = new ArrayList<>(Files.readAllLines(cluster.clientConfig()));
    lines.remove("</configuration>");
    changes.forEach(
        (key, value) -> {
          lines.removeIf(line -> line.contains("<name>" + key + "</name>"));
          if (!value.isEmpty()) {
            lines.add("<property><name>" + key + "</name><value>" + value + "</value></property>");
          }
        });
    lines.add("</configuration>");
    Path folder = Files.createTempDirectory(cluster.clientConfig().getParent(), "site-");
    return Files.write(folder.resolve("hbase-site.xml"), lines);
  }

  /** Returns what the server says about its health; empty if it does not answer. */
  static String health(LazuliNode server) throws InterruptedException {
    URI address = server.adminEndpoint().resolve("/health");
    HttpRequest request = HttpRequest.newBuilder(address).timeout(Duration.ofSeconds(20)).build();
    try {
      return CLIENT.send(request, HttpResponse.BodyHandlers.ofString()).body();
    } catch (IOException e) {
      return "";
    }
  }

  /** Runs a command of Kerberos; returns whether it is installed and succeeded. */
  static boolean run(Path krb5Conf, String... command) throws IOException, InterruptedException {
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().put("KRB5_CONFIG", krb5Conf.toString());
    try {
      Process process = builder.start();
      String said = new String(process.getInputStream().readAllBytes(), UTF_8);
      assertThat(process.waitFor()).as(Arrays.toString(command) + said).isZero();
      return true;
    } catch (IOException e) {
      System.out.println("CASES WITH " + command[0] + " DID NOT RUN: " + e.getMessage());
      return false;
    }
  }
}
