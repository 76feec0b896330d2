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
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** Tests the command and its endpoint on a server without a cluster. */
class PartitionsCommandTest {
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
      assertThat(run("--admin", server.adminEndpoint() + "/")).isZero();
      assertThat(out.toString()).isEqualTo("balancing: one node holds everything\n");
      environment.put("LAZULI_ADMIN_PORT", String.valueOf(server.adminPort()));
      assertThat(run()).isZero();
      assertThat(run("--admin", server.tableEndpoint())).isEqualTo(1);
      assertThat(err.toString()).startsWith("lazuli: " + server.tableEndpoint() + " answered 4");
    }
  }

  @Test
  void aServerThatDoesNotAnswerIsReportedInOneLine() throws IOException {
    int port;
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = free.getLocalPort();
    }
    assertThat(run("--admin", "http://127.0.0.1:" + port)).isEqualTo(1);
    assertThat(err.toString()).hasLineCount(1).startsWith("lazuli: no server answers at ");
  }

  @Test
  void anInvalidUrlIsRefused() {
    assertThat(run("--admin", "not a url")).isEqualTo(2);
  }

  private int run(String... args) {
    String[] all = new String[args.length + 1];
    all[0] = "partitions";
    System.arraycopy(args, 0, all, 1, args.length);
    CommandLine commandLine =
        Main.commandLine(new Secrets(InputStream.nullInputStream(), environment), environment);
    commandLine.setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true));
    return commandLine.execute(all);
  }
}
