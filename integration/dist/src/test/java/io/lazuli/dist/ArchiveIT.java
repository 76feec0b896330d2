package io.lazuli.dist;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.core.http.HttpClient;
import com.azure.core.http.netty.NettyAsyncHttpClientBuilder;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Both archives in an empty folder, with no variable but PATH, which leads to nothing but the
 * commands of the start script and, for the archive without a Java, to a Java.
 */
class ArchiveIT {
  private static final HttpClient HTTP = new NettyAsyncHttpClientBuilder().build();

  @TempDir private Path folder;

  @ParameterizedTest
  @ValueSource(strings = {"", "-linux-x64"})
  void whatTheSdksWriteSurvivesAKill(String variant) throws Exception {
    Path home = Dist.unpack(Dist.PLAIN + variant, folder);
    Map<String, String> environment = environment(variant.isEmpty());
    try (RunningServer server = RunningServer.start(home, environment, data())) {
      new RoundTrip(server.connectionString(), HTTP).write();
    }
    try (RunningServer server = RunningServer.start(home, environment, data())) {
      new RoundTrip(server.connectionString(), HTTP).read();
    }
  }

  /** Elliptic curves are in a module that nothing but their name refers to. */
  @Test
  void theArchiveWithAJavaHasTls() throws Exception {
    Path home = Dist.unpack(Dist.WITH_JAVA, folder);
    Map<String, String> environment = environment(false);
    Path certificates = folder.resolve("certificates");
    Dist.run(environment, home + "/lazuli", "dev-cert", "--folder", certificates.toString());
    try (RunningServer server =
        RunningServer.start(
            home,
            environment,
            data(),
            "--tls-cert",
            certificates.resolve("localhost.pem").toString(),
            "--tls-key",
            certificates.resolve("localhost-key.pem").toString())) {
      assertThat(server.connectionString()).startsWith("DefaultEndpointsProtocol=https;");
      RoundTrip trip =
          new RoundTrip(
              server.connectionString(), RoundTrip.trusting(certificates.resolve("ca.pem")));
      trip.write();
      trip.read();
    }
  }

  @Test
  void theArchiveWithAJavaHasMetricsAndTheConsole() throws Exception {
    Path home = Dist.unpack(Dist.WITH_JAVA, folder);
    try (RunningServer server = RunningServer.start(home, environment(false), data())) {
      assertThat(get(server.address("admin") + "/metrics")).contains("jvm_memory_used_bytes");
      assertThat(get(server.address("admin") + "/health")).contains("\"ok\"");
      assertThat(get(server.address("admin") + "/")).contains("<!doctype html>");
    }
  }

  /**
   * The engine is loaded and calls its cluster, which needs more modules than the server. Nobody
   * answers; a missing module would be another error.
   */
  @Test
  void theArchiveWithAJavaLoadsTheEngineHbase() throws Exception {
    Path home = Dist.unpack(Dist.WITH_JAVA, folder);
    Path site =
        Files.writeString(
            folder.resolve("hbase-site.xml"),
            "<configuration><property><name>hbase.zookeeper.quorum</name><value>127.0.0.1</value>"
                + "</property><property><name>hbase.zookeeper.property.clientPort</name>"
                + "<value>1</value></property></configuration>");
    Process process =
        Dist.process(
                environment(false),
                home + "/lazuli",
                "serve",
                "--data=" + data(),
                "--engine=hbase",
                "--engine-config=" + site)
            .redirectErrorStream(true)
            .start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(said)
        .contains("no HBase cluster answers at 127.0.0.1")
        .doesNotContain("NoClassDefFoundError")
        .doesNotContain("ClassNotFoundException");
    assertThat(process.onExit().join().exitValue()).isEqualTo(1);
  }

  @Test
  void otherProgramsAreThereOrSayWhereTheyAre() throws Exception {
    Path home = Dist.unpack(Dist.WITH_JAVA, folder);
    Map<String, String> environment = environment(false);
    assertThat(Dist.run(environment, home + "/lazuli", "--version"))
        .isEqualTo("lazuli " + Dist.VERSION + "\n");
    assertThat(Dist.run(environment, home + "/azurite", "--version"))
        .isEqualTo(Dist.VERSION + "\n");
    assertThat(Dist.run(environment, home + "/lazuli", "export", "--help"))
        .startsWith("Usage: lazuli export");
    for (String program : new String[] {"tour", "conformance", "cluster-demo", "works-with"}) {
      Process process =
          Dist.process(environment, home + "/lazuli", program).redirectErrorStream(true).start();
      assertThat(process.inputReader(StandardCharsets.UTF_8).readLine())
          .isEqualTo("lazuli: " + program + " runs only from source");
      assertThat(process.onExit().join().exitValue()).isEqualTo(1);
    }
  }

  /** Everybody may read the files, nobody but their owner may change them. */
  @ParameterizedTest
  @ValueSource(strings = {"", "-linux-x64"})
  void modesAreFixed(String variant) throws Exception {
    String list =
        Dist.run(
            Map.of("PATH", "/usr/bin:/bin"),
            "tar",
            "tvzf",
            Dist.archive(Dist.PLAIN + variant).toString());
    try (Stream<String> lines = list.lines()) {
      assertThat(lines)
          .allMatch(line -> line.matches("(drwxr-xr-x|-rw-r--r--|-rwxr-xr-x|l[rwx-]{9}) .*"))
          .allMatch(line -> line.contains(" root/root "));
    }
  }

  private Path data() {
    return folder.resolve("data");
  }

  private Map<String, String> environment(boolean withJava) throws Exception {
    Path tools = Dist.tools(folder);
    if (withJava) {
      Path java = Path.of(System.getProperty("java.home"), "bin", "java");
      Path caller =
          Files.writeString(tools.resolve("java"), "#!/bin/sh\nexec " + java + " \"$@\"\n");
      assertThat(caller.toFile().setExecutable(true)).isTrue();
    }
    return Map.of("PATH", tools.toString());
  }

  private static String get(String address) throws Exception {
    return java.net.http.HttpClient.newHttpClient()
        .send(HttpRequest.newBuilder(URI.create(address)).build(), BodyHandlers.ofString())
        .body();
  }
}
