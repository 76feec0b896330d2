package io.lazuli.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.server.LazuliServer;
import io.lazuli.server.config.ServerConfig;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Tests the commands and their pages on a server without a cluster. */
class AdminPageCommandTest {
  private final Map<String, String> environment = new HashMap<>();
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @Test
  void aServerIsAskedAndItsAnswerPrinted() {
    ServerConfig config =
        ServerConfig.builder()
            .engine("memory")
            .blobPort(0)
            .queuePort(0)
            .tablePort(0)
            .adminPort(0)
            .build();
    try (LazuliServer server = LazuliServer.start(config)) {
      assertThat(run("partitions", "--admin", server.adminEndpoint() + "/")).isZero();
      assertThat(out.toString()).isEqualTo("balancing: one node holds everything\n");
      environment.put("LAZULI_ADMIN_PORT", String.valueOf(server.adminPort()));
      assertThat(run("partitions")).isZero();
      assertThat(run("partitions", "--admin", server.tableEndpoint())).isEqualTo(1);
      assertThat(err.toString()).startsWith("lazuli: " + server.tableEndpoint() + " answered 4");
    }
  }

  @Test
  void aServerThatDoesNotAnswerIsReportedInOneLine() throws IOException {
    assertThat(run("partitions", "--admin", "http://127.0.0.1:" + freePort())).isEqualTo(1);
    assertThat(err.toString()).hasLineCount(1).startsWith("lazuli: no server answers at ");
  }

  @Test
  void anInvalidUrlIsRefused() {
    assertThat(run("partitions", "--admin", "not a url")).isEqualTo(2);
  }

  /** The server's port is any free one, and only the data folder knows it. */
  @Test
  void theHealthOfTheServerOfADataFolderIsPrinted(@TempDir Path folder) throws IOException {
    Path data = folder.resolve("data");
    ServerConfig config =
        ServerConfig.builder()
            .dataFolder(data)
            .blobPort(0)
            .queuePort(0)
            .tablePort(0)
            .adminPort(0)
            .build();
    try (LazuliServer server = LazuliServer.start(config)) {
      assertThat(run("health", "--data", data.toString())).isZero();
      assertThat(out.toString()).startsWith("{\"status\":\"ok\"").endsWith("}\n");
      environment.put("LAZULI_ADMIN_PORT", String.valueOf(server.adminPort()));
    }
    assertThat(run("health", "--data", data.toString())).isEqualTo(1);
    assertThat(err.toString()).hasLineCount(1).startsWith("lazuli: no server answers at ");
  }

  @Test
  void aServerWithoutAClusterRefusesToSplit(@TempDir Path folder) throws IOException {
    Path data = folder.resolve("data");
    List<String> split = List.of("partitions", "split", "--data", data.toString());
    ServerConfig config = ServerConfig.builder().freePorts().dataFolder(data).build();
    try (LazuliServer server = LazuliServer.start(config)) {
      assertThat(run(split, "--account", "acme", "--table", "Orders", "--at", "m")).isEqualTo(1);
      assertThat(err.toString())
          .isEqualTo(
              "lazuli: this server has all partitions on one machine; only the engine hbase has"
                  + " ranges to split\n");
      assertThat(run(split, "--account", "acme", "--table", "Orders", "--count", "4")).isEqualTo(1);
      assertThat(run(split, "--account", "acme", "--table", "Orders")).isEqualTo(2);
      assertThat(run(split, "--account", "acme", "--at", "m")).isEqualTo(2);
      assertThat(server.adminPort()).isPositive();
    }
    assertThat(run(split, "--account", "acme", "--table", "Orders", "--at", "m")).isEqualTo(1);
    assertThat(err.toString()).contains("no server ");
  }

  private int run(List<String> command, String... options) {
    List<String> all = new ArrayList<>(command);
    all.addAll(List.of(options));
    return run(all.toArray(String[]::new));
  }

  /** A killed server does not remove its address. The next one may be at the configured port. */
  @Test
  void theConfiguredPortIsAskedToo(@TempDir Path folder) throws IOException {
    ServerConfig config =
        ServerConfig.builder()
            .engine("memory")
            .blobPort(0)
            .queuePort(0)
            .tablePort(0)
            .adminPort(0)
            .build();
    Files.writeString(
        folder.resolve("admin-token"), "http://127.0.0.1:" + freePort() + "\nsecret\n\n");
    try (LazuliServer server = LazuliServer.start(config)) {
      environment.put("LAZULI_ADMIN_PORT", String.valueOf(server.adminPort()));
      assertThat(run("health", "--data", folder.toString())).isZero();
    }
  }

  private static int freePort() throws IOException {
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return free.getLocalPort();
    }
  }

  private int run(String... args) {
    CommandLine commandLine =
        Main.commandLine(new Secrets(InputStream.nullInputStream(), environment), environment);
    commandLine.setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true));
    return commandLine.execute(args);
  }
}
